// in_background: runs a function on its own thread, for work that blocks.
//
//   std::future<Bytes> labels = in_background([&] { return fetch("synset.txt"); });
//   ...
//   use(labels.get());        // waits; throws what the function threw
#pragma once

#include <pthread.h>
#include <signal.h>

#include <future>
#include <system_error>
#include <utility>

namespace mxinfer {

/// While it lives, new threads block all signals, which are for the threads of the program.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

/// If the system refuses a thread, the function runs when the result is requested.
template <typename Function>
auto in_background(Function function) -> std::future<decltype(function())> {
  const BlockedSignals blocked;
  try {
    return std::async(std::launch::async, function);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, function);
  }
}

}  // namespace mxinfer
