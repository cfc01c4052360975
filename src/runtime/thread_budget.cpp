#include "runtime/thread_budget.h"

#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/threads/fork_count.h"
#include "base/threads/thread_arena.h"

namespace mxinfer::runtime {

/// The budget's own threads. A forked child has none of them; there the callers run their calls.
struct ThreadBudget::Threads {
  std::condition_variable work{};
  int idle = 0, places_handed = 0;
  bool must_end = false;
  unsigned forks = fork_count();
  std::vector<std::thread> all{};
};

ThreadBudget::ThreadBudget(int places) : places_(places) {}

ThreadBudget::~ThreadBudget() {
  // In a child, the copies of objects that the parent's threads wait on cannot be destroyed.
  if (threads_ == nullptr || threads_->forks != fork_count()) return;
  {
    const std::lock_guard lock(mutex_);
    threads_->must_end = true;
    threads_->work.notify_all();
  }
  for (std::thread& thread : threads_->all) thread.join();
  delete threads_;
}

ThreadBudget& ThreadBudget::of_process() {
  static ThreadBudget& budget = *new ThreadBudget(available_cores());  // predictors of static objects use it
  return budget;
}

std::size_t ThreadBudget::calls() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(running_) + waiting_;
}

bool ThreadBudget::are_many() const noexcept {
  return places_ > 1 && running_ + static_cast<int>(waiting_) >= places_;
}

void ThreadBudget::run_here(Body body, Scheduling scheduling, bool is_one_of_many) {
  CallContext context = call_context();
  context.admitted = true;
  const CallScope scope(context);
  std::optional<SerialScope> serial;
  if (scheduling == Scheduling::throughput || (scheduling == Scheduling::automatic && is_one_of_many))
    serial.emplace();
  body();
}

void ThreadBudget::run(Body body, Scheduling scheduling, bool is_brief) {
  if (call_context().admitted) return body();
  if (places_ == 0) return run_here(body, scheduling, false);
  Lock lock(mutex_);
  if (running_ >= places_ || waiting_ > 0) {
    if (is_brief) {
      lock.unlock();
      return run_here(body, scheduling, true);
    }
    Waiter waiter{body, scheduling, call_context()};
    return run_when_there_is_room(waiter, lock);
  }
  ++running_;
  const bool many = are_many();
  lock.unlock();
  run_in_place(body, scheduling, many);
}

void ThreadBudget::run_in_place(Body body, Scheduling scheduling, bool is_one_of_many) {
  struct GivesBack {
    ThreadBudget& budget;
    ~GivesBack() {
      const std::lock_guard lock(budget.mutex_);
      budget.leave();
    }
  };
  const GivesBack place{*this};
  run_here(body, scheduling, is_one_of_many);
}

void ThreadBudget::run_when_there_is_room(Waiter& waiter, Lock& lock) {
  // A cancellable call checks for cancellation regularly.
  constexpr std::chrono::milliseconds kLook{2};
  using State = Waiter::State;
  *end_ = &waiter;
  end_ = &waiter.next;
  ++waiting_;
  while (waiter.state == State::waiting || waiter.state == State::running) {
    if (waiter.context.cancelled == nullptr || waiter.state == State::running) {
      waiter.changed.wait(lock);
      continue;
    }
    waiter.changed.wait_for(lock, kLook);
    if (is_cancelled() && waiter.state == State::waiting) {
      drop(waiter);
      throw_if_cancelled();
    }
  }
  const bool has_place = waiter.state == State::may_run;
  lock.unlock();
  if (has_place) run_in_place(waiter.body, waiter.scheduling, waiter.is_one_of_many);
  if (waiter.error) std::rethrow_exception(waiter.error);
}

void ThreadBudget::leave() noexcept {
  if (first_ == nullptr) {
    --running_;
  } else if (!hand_to_thread()) {
    Waiter& next = take_first();
    next.is_one_of_many = are_many();
    next.state = Waiter::State::may_run;
    next.changed.notify_one();
  }
}

bool ThreadBudget::hand_to_thread() noexcept {
  try {
    if (threads_ == nullptr) {
      auto made = std::make_unique<Threads>();
      made->all.reserve(static_cast<std::size_t>(places_));
      threads_ = made.release();
    }
    if (threads_->forks != fork_count()) return false;
    if (threads_->idle <= threads_->places_handed && threads_->all.size() < static_cast<std::size_t>(places_))
      threads_->all.emplace_back([this] { work(); });
  } catch (const std::bad_alloc&) {
  } catch (const std::system_error&) {  // the system has no more threads
  }
  if (threads_ == nullptr || threads_->all.empty()) return false;
  ++threads_->places_handed;
  threads_->work.notify_one();
  return true;
}

void ThreadBudget::work() noexcept {
  Lock lock(mutex_);
  Threads& threads = *threads_;
  for (;;) {
    ++threads.idle;
    threads.work.wait(lock, [&] { return threads.places_handed > 0 || threads.must_end; });
    --threads.idle;
    if (threads.places_handed == 0) return;
    --threads.places_handed;
    while (first_ != nullptr) {
      Waiter& waiter = take_first();
      waiter.state = Waiter::State::running;
      const bool many = are_many();
      lock.unlock();
      try {
        const CallScope scope(waiter.context);
        run_here(waiter.body, waiter.scheduling, many);
      } catch (...) {
        waiter.error = std::current_exception();
      }
      lock.lock();
      waiter.state = Waiter::State::ended;
      waiter.changed.notify_one();
    }
    --running_;
  }
}

ThreadBudget::Waiter& ThreadBudget::take_first() noexcept {
  Waiter& next = *first_;
  drop(next);
  return next;
}

void ThreadBudget::drop(const Waiter& waiter) noexcept {
  Waiter** at = &first_;
  while (*at != &waiter) at = &(*at)->next;
  *at = waiter.next;
  if (end_ == &waiter.next) end_ = at;
  --waiting_;
}

}  // namespace mxinfer::runtime
