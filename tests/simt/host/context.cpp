#include "simt/host/context.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#ifdef MXINFER_SIMT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef MXINFER_SIMT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#ifndef MXINFER_SIMT_HAS_UCONTEXT
extern "C" void mxinfer_simt_switch(void** from, void* to);

// Keeps what a function must keep, and the stack. The address to go on at is taken off the stack, so that the
// first switch to a context enters a function as a call would.
asm(R"(
.text
.p2align 4
.globl mxinfer_simt_switch
.hidden mxinfer_simt_switch
.type mxinfer_simt_switch, @function
mxinfer_simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size mxinfer_simt_switch, .-mxinfer_simt_switch
)");
#endif

namespace mxinfer::simt {
namespace {

#if defined(MXINFER_SIMT_ASAN) || defined(MXINFER_SIMT_TSAN)
constexpr std::size_t kStack = std::size_t{256} << 10;
#else
constexpr std::size_t kStack = std::size_t{64} << 10;
#endif

std::size_t page_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void announce_switch([[maybe_unused]] Context& from, [[maybe_unused]] Context& to,
                     [[maybe_unused]] bool abandoned) {
#ifdef MXINFER_SIMT_ASAN
  __sanitizer_start_switch_fiber(abandoned ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#ifdef MXINFER_SIMT_TSAN
  if (from.tsan_fiber == nullptr) from.tsan_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
}

}  // namespace

void prepare(Context& context, void (*entry)()) {
  // Both of clang 14's own: the array's end is the top of the stack.
  auto* top = static_cast<std::byte*>(const_cast<void*>(context.bottom)) + context.size;
#ifdef MXINFER_SIMT_ASAN
  __asan_unpoison_memory_region(context.bottom, context.size);
#endif
  context.fake_stack = nullptr;
#ifdef MXINFER_SIMT_HAS_UCONTEXT
  getcontext(&context.state);
  context.state.uc_stack.ss_sp = top - context.size;
  context.state.uc_stack.ss_size = context.size;
  context.state.uc_link = nullptr;
  makecontext(&context.state, entry, 0);
#else
  // Six registers, the function, and the address that it would return to.
  auto** slots = reinterpret_cast<void**>(top - 80);
  for (int i = 0; i < 10; ++i) slots[i] = nullptr;
  slots[6] = reinterpret_cast<void*>(entry);
  context.stack_pointer = slots;
#endif
}

void switch_context(Context& from, Context& to, bool abandoned) {
  announce_switch(from, to, abandoned);
#ifdef MXINFER_SIMT_HAS_UCONTEXT
  swapcontext(&from.state, &to.state);
#else
  mxinfer_simt_switch(&from.stack_pointer, to.stack_pointer);
#endif
  arrive(from, nullptr);
}

void arrive([[maybe_unused]] Context& context, [[maybe_unused]] Context* from) {
#ifdef MXINFER_SIMT_ASAN
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(context.fake_stack, &bottom, &size);
  if (from == nullptr) return;
  from->bottom = bottom;
  from->size = size;
#endif
}

void Stacks::add() {
  const std::size_t bytes = page_bytes() + kStack;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (count_ == kMost || memory == MAP_FAILED || mprotect(memory, page_bytes(), PROT_NONE) != 0) {
    std::fprintf(stderr, "SIMT emulator: no memory for the stack of thread %zu\n", count_);
    std::abort();
  }
  Context& context = contexts_[count_++];
  context.bottom = static_cast<std::byte*>(memory) + page_bytes();
  context.size = kStack;
#ifdef MXINFER_SIMT_TSAN
  context.tsan_fiber = __tsan_create_fiber(0);
#endif
  give_back(context);
}

Context& Stacks::take(void (*entry)()) {
  if (free_count_ == 0) add();
  Context& context = *free_[--free_count_];
  prepare(context, entry);
  return context;
}

void Stacks::reset() {
  free_count_ = 0;
  while (free_count_ < count_) free_[free_count_] = &contexts_[free_count_], ++free_count_;
}

Stacks::~Stacks() {
  for (std::size_t i = 0; i < count_; ++i) {
#ifdef MXINFER_SIMT_TSAN
    __tsan_destroy_fiber(contexts_[i].tsan_fiber);
#endif
    auto* bottom = static_cast<std::byte*>(const_cast<void*>(contexts_[i].bottom));
    munmap(bottom - page_bytes(), page_bytes() + kStack);
  }
}

}  // namespace mxinfer::simt
