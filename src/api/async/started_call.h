// StartedCall: a call whose work is on a device, and goes on without a thread. When the outputs are there,
// Resume is called, on some thread.
//
//   std::unique_ptr<StartedCall> started = impl.start(inputs, {resume, argument}, check);   // null: predict
//   std::vector<Tensor> outputs = started->finish();                                        // behind resume()
#pragma once

#include <mxinfer/tensor.h>

#include <optional>
#include <utility>
#include <vector>

#include "runtime/graph_executor.h"

namespace mxinfer::api {

using runtime::Resume;

class StartedCall {
 public:
  /// One that is to be started: it is made before, as nothing may fail once the device is at work.
  StartedCall() = default;
  void set_started(runtime::PlanCache::Lease lease) noexcept { lease_.emplace(std::move(lease)); }
  /// It has ended already, with these outputs: resumes at once.
  void end(std::vector<Tensor> outputs, Resume resume) {
    outputs_ = std::move(outputs);
    resume.function(resume.argument);
  }

  /// Whether the device has failed, so that nothing calls Resume.
  bool has_stopped() noexcept { return lease_ && (*lease_)->has_stopped(); }
  /// Waits for nothing once Resume was called. Throws what the work failed of.
  std::vector<Tensor> finish() {
    return lease_ ? runtime::GraphExecutor::finish(*lease_) : std::move(outputs_);
  }
  /// The same, into memory of the outputs' types. Precondition: it was started.
  void finish_into(Span<const MutableTensorView> outputs) {
    runtime::GraphExecutor::finish_into(*lease_, outputs);
  }

 private:
  std::optional<runtime::PlanCache::Lease> lease_{};
  std::vector<Tensor> outputs_{};
};

}  // namespace mxinfer::api
