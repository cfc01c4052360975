// Backend: a kind of device. It lists its implementations of an operator; those of the CPU are in the
// operators' files. A node that every implementation of a backend rejects runs on the CPU, with copies around
// it.
//
//   Implementations all = cpu_backend().implementations(node);
//   const Implementation& one = cheapest(all, rates);
//   Step step = one.lower(context);
#pragma once

#include "device/device.h"
#include "ops/half_form.h"
#include "ops/implementation.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Thread-safe.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "cpu"
  /// The implementations of the node's operator, possibly none. Among equal ones, the first is chosen. Throws
  /// the operator's errors.
  virtual Implementations implementations(const OpProblem& node) const = 0;
  /// Whether lower() of any of them accepts an input 0, or writes an output 0, of that type whose rows are
  /// `row_stride` elements apart (TensorType::row_stride).
  virtual bool takes_strided_input(const graph::Node&, const TensorType&, std::int64_t /*row_stride*/) const {
    return false;
  }
  virtual bool takes_strided_output(const graph::Node&, const TensorType&,
                                    std::int64_t /*row_stride*/) const {
    return false;
  }
  /// How the node's implementations take values that are stored in 16 bits; implementations() still has the
  /// last word on a node of such types.
  virtual HalfSupport half_support(const graph::Node&) const { return {}; }
};

/// Has an implementation of every operator.
const Backend& cpu_backend();

struct OpenedDevice {
  std::shared_ptr<device::Device> device = nullptr;  ///< null: the CPU
  const Backend* backend = nullptr;                  ///< likewise
};

/// By the names of tensor/names.h: "cpu" or empty, "cuda" (the first GPU), "cuda:1", several GPUs
/// ("cuda:0,cuda:1") or all that the process sees ("cuda:all"). At least one. Throws Error(invalid_argument)
/// for another name, Error(device) if there is no such device. Thread-safe.
std::vector<OpenedDevice> open_devices(std::string_view names);

}  // namespace mxinfer::ops
