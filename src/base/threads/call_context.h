// CallContext: the ambient state of one call: whether the caller has cancelled it, whether it has its place
// in a thread budget, and which device it must run on. The call's loops pass it on to their threads.
//
//   std::atomic<bool> cancelled{false};
//   CallContext context = call_context();
//   context.cancelled = &cancelled;
//   const CallScope scope(context);
//   predictor.predict(inputs);               // Error(cancelled) soon after `cancelled` has become true
#pragma once

#include <atomic>

namespace mxinfer {

struct CallContext {
  const std::atomic<bool>* cancelled = nullptr;  ///< null: it cannot be cancelled
  bool admitted = false;                         ///< has its place in a ThreadBudget
  const void* counters = nullptr;                ///< where the call is already counted
  int device = -1;  ///< which of its predictor's devices it runs on; -1: the least busy
};

/// The context of the call that this thread runs; an empty one outside any call.
const CallContext& call_context() noexcept;

/// Sets the context of this thread while it lives.
class CallScope {
 public:
  explicit CallScope(const CallContext& context) noexcept;
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  CallContext before_;
};

/// Throws Error(cancelled) if the call that this thread runs was cancelled.
void throw_if_cancelled();

inline bool is_cancelled() noexcept {
  const std::atomic<bool>* cancelled = call_context().cancelled;
  return cancelled != nullptr && cancelled->load(std::memory_order_relaxed);
}

}  // namespace mxinfer
