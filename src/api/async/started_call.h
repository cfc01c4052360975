// StartedCall: a call whose work continues on a device without a thread. When the outputs are ready, some
// thread calls Resume.
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
  /// For a call to be started: created before, because nothing may fail once the device works.
  StartedCall() = default;
  void set_started(runtime::PlanCache::Lease lease) noexcept { lease_.emplace(std::move(lease)); }
  /// For a call that has already ended with these outputs: resumes at once.
  void end(std::vector<Tensor> outputs, Resume resume) {
    outputs_ = std::move(outputs);
    resume.function(resume.argument);
  }

  /// Whether the device has failed, in which case nothing calls Resume.
  bool has_stopped() noexcept { return lease_ && (*lease_)->has_stopped(); }
  /// Does not block after Resume was called. Throws the error of the work.
  std::vector<Tensor> finish() {
    return lease_ ? runtime::GraphExecutor::finish(*lease_) : std::move(outputs_);
  }
  /// The same, into memory of the outputs' types. Precondition: the call was started.
  void finish_into(Span<const MutableTensorView> outputs) {
    runtime::GraphExecutor::finish_into(*lease_, outputs);
  }

 private:
  std::optional<runtime::PlanCache::Lease> lease_{};
  std::vector<Tensor> outputs_{};
};

}  // namespace mxinfer::api
