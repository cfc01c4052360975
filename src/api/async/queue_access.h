// A predictor's own queue.
//
//   RequestQueue queue = QueueAccess::make(options.async, counters);
#pragma once

#include <mxinfer/async/request_queue.h>

#include <memory>
#include <utility>

#include "runtime/call_counters.h"

namespace mxinfer::api {

class QueueAccess {
 public:
  /// A queue that uses its owner's counters.
  static RequestQueue make(const AsyncOptions& options, std::shared_ptr<runtime::CallCounters> counters);
  /// False in a child process forked after the queue was created.
  static bool is_of_this_process(const RequestQueue& queue) noexcept;
  /// As RequestQueue::submit, of a request of the class `Call`, made of std::in_place and `arguments`.
  template <typename Call, typename... Arguments>
  static auto submit_as(RequestQueue& queue, const SubmitOptions& options, Arguments&&... arguments) {
    return queue.submit_as<Call>(options, std::forward<Arguments>(arguments)...);
  }
};

}  // namespace mxinfer::api
