// OwnQueue: the queue of a predictor, created by the first submission.
//
//   OwnQueue queue;
//   queue.get(options.async, counters).submit([...] { ... });
#pragma once

#include <mxinfer/async/request_queue.h>

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "api/async/queue_access.h"
#include "runtime/call_counters.h"

namespace mxinfer::api {

/// Thread-safe.
class OwnQueue {
 public:
  /// Creates a new one in a forked child. Throws as RequestQueue().
  RequestQueue& get(const AsyncOptions& options, const std::shared_ptr<runtime::CallCounters>& counters) {
    std::optional<RequestQueue> of_parent;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    if (queue_ && !QueueAccess::is_of_this_process(*queue_)) std::swap(queue_, of_parent);
    if (!queue_) queue_.emplace(QueueAccess::make(options, counters));
    return *queue_;
  }

 private:
  std::mutex mutex_{};
  std::optional<RequestQueue> queue_{};
};

}  // namespace mxinfer::api
