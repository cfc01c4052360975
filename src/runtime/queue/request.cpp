#include <mxinfer/async/request.h>

#include "runtime/queue/work_queue.h"

namespace mxinfer {

detail::Request::~Request() = default;

bool detail::Request::joins(const Request& /*first*/) const noexcept {
  return false;
}

bool detail::Request::start(void (* /*resume*/)(void*), void* /*argument*/) {
  return false;
}

void detail::Request::compute_together(Request* const* /*requests*/, std::size_t /*count*/) {}

void detail::Request::wait() {
  if (!has_ended()) queue_->wait_until(*this, kNoDeadline);
}

bool detail::Request::wait_until(Deadline time) {
  return has_ended() || queue_->wait_until(*this, time);
}

bool detail::Request::cancel() noexcept {
  return !has_ended() && queue_->cancel(*this);
}

bool detail::Request::then(Continuation& next) noexcept {
  if (has_ended()) return false;
  Continuation* none = nullptr;
  return continuation_.compare_exchange_strong(none, &next, std::memory_order_acq_rel);
}

void detail::Request::release() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  // The memory belongs to the queue, and its last request may destroy the queue.
  const std::shared_ptr<runtime::WorkQueue> queue = std::move(queue_);
  const std::size_t bytes = bytes_;
  void* const memory = dynamic_cast<void*>(this);
  this->~Request();
  queue->memory().give_back(memory, bytes);
}

}  // namespace mxinfer
