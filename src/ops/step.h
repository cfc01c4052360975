// Step: one operator prepared to run for fixed shapes. The plan holds a list of steps; the executor calls
// run() of each in order. A running step allocates nothing and takes no lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/threads/thread_arena.h"
#include "device/device.h"
#include "ops/tensor_type.h"

namespace mxinfer::ops {

/// The addresses of a step's operands in this run.
struct RunContext {
  const void* const* inputs;
  void* const* outputs;
  std::byte* scratch;         ///< Step::scratch_bytes, 64-byte aligned
  std::byte* thread_scratch;  ///< Step::thread_scratch_bytes for each thread
  std::size_t thread_scratch_stride;
  device::Stream* stream;       ///< the stream of a step on a device
  std::byte* zeroed = nullptr;  ///< LowerContext::take_zeroed() of a step on a device

  template <typename T>
  const T* input(std::size_t i) const {
    return static_cast<const T*>(inputs[i]);
  }
  template <typename T>
  T* output(std::size_t o) const {
    return static_cast<T*>(outputs[o]);
  }
  /// This thread's own scratch, inside parallel_for.
  std::byte* my_scratch() const {
    return thread_scratch + thread_scratch_stride * static_cast<std::size_t>(arena_thread_index());
  }
};

/// How many tasks of `each` elements make a piece of about `elements`, at least one: for parallel_for.
constexpr std::int64_t piece_grain(std::int64_t elements, std::int64_t each) {
  return std::max<std::int64_t>(1, elements / std::max<std::int64_t>(1, each));
}

struct Step {
  std::string kernel{};  ///< the implementation and its target: "lrn_ref_f32 [ref]"
  std::string reason{};  ///< why it was chosen, and why faster ones were not; for explain
  std::function<void(const RunContext&)> run{};
  std::size_t scratch_bytes = 0;
  std::size_t thread_scratch_bytes = 0;
  double flops = 0;  ///< arithmetic operations, for explain and cost
};

/// Immutable; may run several times at once, each in a workspace of its own.
class Subplan {
 public:
  virtual ~Subplan() = default;
  virtual const std::vector<TensorType>& outputs() const = 0;
  virtual std::size_t workspace_bytes() const = 0;
  virtual std::size_t thread_scratch_bytes() const = 0;
  virtual double flops() const = 0;
  /// outputs must not overlap inputs; `parent` lends the scratch of its threads. Allocates nothing.
  virtual void run(const void* const* inputs, void* const* outputs, std::byte* workspace,
                   const RunContext& parent) const = 0;
};

}  // namespace mxinfer::ops
