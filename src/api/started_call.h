// StartedCall: a call whose work is on a device, and goes on without a thread. What was to be told calls
// Resume when finish() finds the outputs there.
//
//   std::unique_ptr<StartedCall> started = impl.start(inputs, {resume, argument});   // null: predict instead
//   ... resume(argument) is called, on some thread ...
//   std::vector<Tensor> outputs = started->finish();
#pragma once

#include <mxinfer/tensor.h>

#include <memory>
#include <utility>
#include <vector>

#include "ops/tensor_type.h"
#include "runtime/device_run.h"
#include "runtime/plan_cache.h"

namespace mxinfer::api {

using runtime::Resume;

class StartedCall {
 public:
  explicit StartedCall(runtime::PlanCache::Lease lease) : lease_(std::move(lease)) {}

  const std::vector<ops::TensorType>& output_types() const { return lease_->plan().outputs; }
  /// Whether the device has failed, so that nothing calls Resume.
  bool has_stopped() noexcept { return lease_->has_stopped(); }
  /// Waits for nothing once Resume was called. Throws what the work failed of.
  std::vector<Tensor> finish();
  /// The same, into memory of the outputs' types.
  void finish_into(Span<const MutableTensorView> outputs) { lease_->finish(addresses(outputs).data()); }

 private:
  static std::vector<void*> addresses(Span<const MutableTensorView> views);
  runtime::PlanCache::Lease lease_;
};

}  // namespace mxinfer::api
