#include "simt/host/runner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "simt/async_copies.h"
#include "simt/group_products.h"
#include "simt/host/observer.h"
#include "simt/shared_memory.h"

namespace mxinfer::simt {

constinit thread_local Thread* self = nullptr;

Runner::Runner()
    : threads_(kMostThreads),
      warps_(kMostThreads / 32),
      copies_(kMostThreads),
      products_(kMostThreads),
      ready_(kMostThreads) {}

Runner::~Runner() {
  std::free(shared_);
}

void Runner::fill_shared() {
  if (shared_bytes_ != launch->shared_bytes) {
    std::free(shared_);
    void* memory = nullptr;
    if (launch->shared_bytes > 0 && posix_memalign(&memory, kSharedAlignment, launch->shared_bytes) != 0)
      std::abort();
    shared_ = static_cast<std::byte*>(memory);
    shared_bytes_ = launch->shared_bytes;
  }
  if (shared_bytes_ > 0) std::memset(shared_, 0xff, shared_bytes_);
  block.shared = shared_;
  block.shared_bytes = shared_bytes_;
}

void Runner::prepare(const Launch& of, const Options& with, std::uint64_t block_number) {
  launch = &of;
  options = with;
  random_ = Random(with.seed + 0x10001u * block_number);
  const dim3 grid = of.grid.size, size = of.block;
  block = Block{};
  block.runner = this;
  block.number = block_number;
  block.index = {static_cast<unsigned>(block_number % grid.x),
                 static_cast<unsigned>(block_number / grid.x % grid.y),
                 static_cast<unsigned>(block_number / grid.x / grid.y)};
  block.size = size;
  block.grid = grid;
  block.threads = size.x * size.y * size.z;
  for (unsigned i = 0; i < block.threads; ++i) {
    copies_[i].pending.clear();
    copies_[i].group = 0;
    products_[i].clear();
    threads_[i] = Thread{};
    threads_[i].index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
    threads_[i].number = i;
    threads_[i].lane = i % 32;
    threads_[i].block = &block;
    threads_[i].warp = &warps_[i / 32];
    threads_[i].copies = &copies_[i];
    threads_[i].products = &products_[i];
  }
  for (unsigned i = 0; i < block.threads; i += 32)
    warps_[i / 32] = Warp{&threads_[i], block.threads - i < 32 ? block.threads - i : 32};
  fill_shared();
  if (observer != nullptr) observer->begin_block(block);
  stacks_.reset();
  first_ready_ = ready_count_ = 0;
  waiters_.clear();
  make_ready(threads_.data(), block.threads);
}

void Runner::make_ready(Thread* threads, unsigned count, unsigned mask) {
  const unsigned begin = ready_count_;
  const auto slot = [&](unsigned i) -> Thread*& { return ready_[(first_ready_ + i) % kMostThreads]; };
  for (unsigned i = 0; i < count; ++i) {
    Thread& thread = threads[options.order == Order::reverse ? count - 1 - i : i];
    if ((mask >> thread.lane & 1u) != 0) slot(ready_count_++) = &thread;
  }
  if (options.order != Order::random) return;
  for (unsigned i = ready_count_; i > begin + 1; --i)
    std::swap(slot(i - 1), slot(begin + random_.below(i - begin)));
}

// Goes on with `next`, from the context of a thread that blocks, or from outside.
void Runner::start_or_continue(Thread* next, Context& from, bool abandoned) {
  if (next->context == nullptr) next->context = &stacks_.take(&Runner::enter);
  self = next;
  switch_context(from, *next->context, abandoned);
}

void Runner::block_self() {
  Thread* const own = self;
  if (ready_count_ == 0 && !waiters_.empty()) {
    self = nullptr;
    switch_context(*own->context, outside_, false);
    return;  // go_on() has chosen this thread
  }
  if (ready_count_ == 0) stop(nothing_runs());
  Thread* const next = ready_[first_ready_];
  first_ready_ = (first_ready_ + 1) % kMostThreads;
  --ready_count_;
  if (next == own) return;
  start_or_continue(next, *own->context, false);
}

void Runner::wait_for(const unsigned* counter, unsigned count) {
  const Waiter waiter{self, counter, count};
  if (waiter.is_served() || (observer != nullptr && !observer->runs_all())) return;
  waiters_.push_back(waiter);
  block_self();
}

void Runner::stop(std::string&& message) {
  message_ = std::move(message);
  Context& here = *self->context;
  self = nullptr;
  switch_context(here, outside_, true);
  std::abort();
}

void Runner::enter() {
  Runner& here = runner();
  arrive(*self->context, here.outside_.bottom == nullptr ? &here.outside_ : nullptr);
  here.main_of_context();
}

// Runs threads from their start on one stack, one after another, until one is next that has its own.
void Runner::main_of_context() {
  for (;;) {
    launch->call(launch->kernel, launch->arguments.get());
    end_thread();
    Context& here = *self->context;
    if (ready_count_ == 0) {
      if (block.exited < block.threads && waiters_.empty()) stop(nothing_runs());
      stacks_.give_back(here);
      self = nullptr;
      switch_context(here, outside_, true);
    }
    Thread* const next = ready_[first_ready_];
    first_ready_ = (first_ready_ + 1) % kMostThreads;
    --ready_count_;
    if (next->context == nullptr) {
      next->context = &here;
      self = next;
    } else {
      stacks_.give_back(here);
      start_or_continue(next, here, true);
    }
  }
}

void Runner::end_thread() {
  if (!self->copies->pending.empty()) {
    fail([] {
      return name_of(*self) + " ends, and has not waited for its " +
             describe(self->copies->pending[0].place) + "; call cp_async_commit() and cp_async_wait()";
    });
  }
  if (!self->products->pending.empty()) {
    fail([] {
      return name_of(*self) + " ends, and has not waited for its " +
             describe(self->products->pending[0].place) + "; call group_commit() and group_wait()";
    });
  }
  if (block.at_barrier > 0) {
    fail([this] {
      return name_of(*self) + " ends, and " + describe(*block.first_there) +
             "; all threads of a block must reach the barrier";
    });
  }
  self->exited = true;
  self->warp->exited |= 1u << self->lane;
  ++block.exited;
}

bool Runner::is_own(const void* address) const {
  const auto within = [at = static_cast<const std::byte*>(address)](const void* start, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(start);
    return at >= first && at < first + bytes;
  };
  return within(this, sizeof *this) || within(threads_.data(), threads_.size() * sizeof(Thread)) ||
         within(launch->arguments.get(), launch->argument_bytes) || within(&self, sizeof self);
}

std::string Runner::nothing_runs() const {
  std::string message = "no thread can go on: ";
  unsigned named = 0, blocked = 0;
  for (unsigned i = 0; i < block.threads; ++i) {
    if (threads_[i].exited) continue;
    ++blocked;
    if (named++ < 4) message += (named > 1 ? ", " : "") + describe(threads_[i]);
  }
  if (blocked > 4) message += ", and " + std::to_string(blocked - 4) + " more wait";
  return message;
}

void Runner::begin(const Launch& of, const Options& with, std::uint64_t block_number) {
  prepare(of, with, block_number);
  std::string().swap(message_);  // so that stop() leaves nothing in the string that it moves from
  outside_ = Context{};
}

bool Runner::can_go_on() const {
  return ready_count_ > 0 ||
         std::any_of(waiters_.begin(), waiters_.end(), [](const Waiter& w) { return w.is_served(); });
}

std::string Runner::go_on() {
  const auto served = std::stable_partition(waiters_.begin(), waiters_.end(),
                                            [](const Waiter& waiter) { return !waiter.is_served(); });
  for (auto waiter = served; waiter != waiters_.end(); ++waiter) make_ready(waiter->thread, 1);
  waiters_.erase(served, waiters_.end());
  Thread* const outer = self;
  Thread* const next = ready_[first_ready_];
  first_ready_ = (first_ready_ + 1) % kMostThreads;
  --ready_count_;
  start_or_continue(next, outside_, false);
  self = outer;
  if (observer != nullptr && (has_ended() || !message_.empty())) observer->end_block(block);
  return message_;
}

std::string Runner::run(const Launch& of, const Options& with, std::uint64_t block_number) {
  begin(of, with, block_number);
  return go_on();
}

}  // namespace mxinfer::simt
