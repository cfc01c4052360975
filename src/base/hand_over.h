// HandOver: tells the thread sanitizer what oneTBB, whose library it cannot see into, guarantees: what a
// thread did before it started a loop is seen by the pieces of the loop, and what they did by the thread when
// the loop has ended. In other builds it is nothing.
#pragma once

#if defined(MXINFER_THREAD_SANITIZER)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace mxinfer {

class HandOver {
 public:
#if defined(MXINFER_THREAD_SANITIZER)
  void give() {
    __tsan_release(&tag_);
  }
  void take() {
    __tsan_acquire(&tag_);
  }

 private:
  char tag_ = 0;
#else
  void give() {}
  void take() {}
#endif
};

}  // namespace mxinfer
