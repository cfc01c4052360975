#include "runtime/thread_budget.h"

#include <algorithm>
#include <chrono>

namespace mxinfer::runtime {

ThreadBudget& ThreadBudget::of_process() {
  static ThreadBudget& budget = *new ThreadBudget(available_cores());  // predictors of static objects use it
  return budget;
}

std::size_t ThreadBudget::calls() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(running_) + waiting_;
}

void ThreadBudget::wait_for_place(std::unique_lock<std::mutex>& lock) {
  // A call that can be cancelled looks for it in between.
  constexpr std::chrono::milliseconds kLook{2};
  Waiter waiter;
  *end_ = &waiter;
  end_ = &waiter.next;
  ++waiting_;
  while (!waiter.has_place) {
    if (call_context().cancelled == nullptr) {
      waiter.woken.wait(lock);
      continue;
    }
    waiter.woken.wait_for(lock, kLook);
    if (is_cancelled() && !waiter.has_place) {
      drop(waiter);
      throw_if_cancelled();
    }
  }
}

ThreadBudget::Entry ThreadBudget::enter(bool is_brief) {
  std::unique_lock lock(mutex_);
  if (places_ == 0) return Entry::without_a_place;
  if (running_ < places_ && waiting_ == 0) {
    ++running_;
  } else if (is_brief) {
    return Entry::without_a_place;
  } else {
    wait_for_place(lock);
  }
  const bool many = running_ + static_cast<int>(waiting_) >= places_ && places_ > 1;
  return many ? Entry::among_many : Entry::alone;
}

void ThreadBudget::drop(const Waiter& waiter) noexcept {
  Waiter** at = &first_;
  while (*at != &waiter) at = &(*at)->next;
  *at = waiter.next;
  if (end_ == &waiter.next) end_ = at;
  --waiting_;
}

void ThreadBudget::leave() noexcept {
  const std::lock_guard lock(mutex_);
  if (first_ == nullptr) {
    --running_;
    return;
  }
  // The place goes to the one that has waited longest.
  Waiter& next = *first_;
  drop(next);
  next.has_place = true;
  next.woken.notify_one();
}

ThreadBudget::Place::Place(ThreadBudget& budget, Scheduling scheduling, bool is_brief) {
  CallContext context = call_context();
  if (context.admitted) return;
  const Entry entry = budget.enter(is_brief);
  if (entry != Entry::without_a_place) budget_ = &budget;
  context.admitted = true;
  scope_.emplace(context);
  const bool is_one_of_many = entry != Entry::alone && budget.places() > 0;
  if (scheduling == Scheduling::throughput || (scheduling == Scheduling::automatic && is_one_of_many))
    serial_.emplace();
}

ThreadBudget::Place::~Place() {
  if (budget_ != nullptr) budget_->leave();
}

}  // namespace mxinfer::runtime
