// Context: a stack, and what the processor keeps while another one runs. On x86-64 a switch is a dozen
// instructions, elsewhere it is that of ucontext.
#pragma once

#include <cstddef>

#if !defined(__x86_64__) || defined(MXINFER_SIMT_UCONTEXT)
#define MXINFER_SIMT_HAS_UCONTEXT
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define MXINFER_SIMT_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MXINFER_SIMT_ASAN
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define MXINFER_SIMT_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MXINFER_SIMT_TSAN
#endif
#endif

namespace mxinfer::simt {

struct Context {
#ifdef MXINFER_SIMT_HAS_UCONTEXT
  ucontext_t state{};
#else
  void* stack_pointer = nullptr;
#endif
  // For the sanitizers.
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake_stack = nullptr;
  void* tsan_fiber = nullptr;
};

/// The stack of `context` is to run `entry` from its top, which must call arrive() first and never return.
void prepare(Context& context, void (*entry)());

/// Goes on where `to` was. Returns when another one comes back; never, if `from` is abandoned.
void switch_context(Context& from, Context& to, bool abandoned);

/// After a switch to a context that starts: the context that has left is `from`, if its bounds are asked for.
void arrive(Context& context, Context* from);

/// The stacks of one runner, made when they are asked for. One that is too deep ends in a page without
/// access.
class Stacks {
 public:
  Stacks() = default;
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  /// A context with a stack, prepared to run `entry`.
  Context& take(void (*entry)());
  void give_back(Context& context) { free_[free_count_++] = &context; }
  /// All are free, whatever they were at.
  void reset();

 private:
  void add();

  static constexpr std::size_t kMost = 1025;
  Context contexts_[kMost];
  Context* free_[kMost] = {};
  std::size_t count_ = 0, free_count_ = 0;
};

}  // namespace mxinfer::simt
