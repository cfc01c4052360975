#include "base/threads/fork_count.h"

#include <pthread.h>

#include <atomic>

namespace mxinfer {
namespace {

std::atomic<unsigned> forks{0};

bool watch_forks() noexcept {
  return ::pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); }) == 0;
}

}  // namespace

unsigned fork_count() noexcept {
  static const bool watched = watch_forks();
  (void)watched;
  return forks.load(std::memory_order_relaxed);
}

}  // namespace mxinfer
