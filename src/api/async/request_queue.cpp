#include <mxinfer/async/request_queue.h>

#include <utility>

#include "api/async/queue_access.h"
#include "base/fail.h"
#include "runtime/queue/work_queue.h"

namespace mxinfer {

using runtime::WorkQueue;

RequestQueue::RequestQueue(const AsyncOptions& options) try
    : state_(std::make_shared<WorkQueue>(options, std::make_shared<runtime::CallCounters>())) {
} catch (...) {
  throw_as_error();
}

RequestQueue::RequestQueue(std::shared_ptr<WorkQueue> state) noexcept : state_(std::move(state)) {}

RequestQueue api::QueueAccess::make(const AsyncOptions& options,
                                    std::shared_ptr<runtime::CallCounters> counters) {
  return RequestQueue(std::make_shared<WorkQueue>(options, std::move(counters)));
}

bool api::QueueAccess::is_of_this_process(const RequestQueue& queue) noexcept {
  return queue.state_->is_of_this_process();
}

RequestQueue::RequestQueue(RequestQueue&&) noexcept = default;

RequestQueue& RequestQueue::operator=(RequestQueue&& other) noexcept {
  RequestQueue taken(std::move(other));
  std::swap(state_, taken.state_);
  return *this;
}

RequestQueue::~RequestQueue() {
  if (state_ != nullptr) state_->shut_down();
}

void RequestQueue::shut_down() noexcept {
  state_->shut_down();
}

const AsyncOptions& RequestQueue::options() const noexcept {
  return state_->options();
}

CallMetrics RequestQueue::metrics() const noexcept {
  return state_->counters().read();
}

void* RequestQueue::allocate(std::size_t bytes) {
  return state_->memory().take(bytes);
}

void RequestQueue::give_back(void* memory, std::size_t bytes) noexcept {
  state_->memory().give_back(memory, bytes);
}

void RequestQueue::enqueue(detail::Request& request, std::size_t bytes, const SubmitOptions& options) try {
  state_->submit(request, bytes, options);
} catch (...) {
  throw_as_error();
}

const char* MXINFER_ABI::to_string(RequestOutcome outcome) noexcept {
  switch (outcome) {
    case RequestOutcome::done:
      return "done";
    case RequestOutcome::failed:
      return "failed";
    case RequestOutcome::cancelled:
      return "cancelled";
    case RequestOutcome::expired:
      return "expired";
    case RequestOutcome::refused:
      return "refused";
    case RequestOutcome::callback_failed:
      return "callback_failed";
  }
  return "unknown";
}

}  // namespace mxinfer
