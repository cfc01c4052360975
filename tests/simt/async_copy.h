// Copies from global to shared memory that a thread waits for later. Options::async_late says when they are
// made: late, when it waits, shows a wait that is missing; early, when it asks, shows memory that is
// overwritten while others still read it.
#pragma once

namespace mxinfer::simt {

void cp_async(void* dst, const void* src, int bytes, int size, const char* file, unsigned line);

/// Copies 16 bytes: `bytes` (0 to 16) from src, the rest zero. Both are multiples of 16.
inline void cp_async16(void* dst, const void* src, int bytes, const char* file = __builtin_FILE(),
                       unsigned line = __builtin_LINE()) {
  cp_async(dst, src, bytes, 16, file, line);
}
/// The same of all 16 bytes, or of none.
inline void cp_async16_if(bool is_there, void* dst, const void* src, const char* file = __builtin_FILE(),
                          unsigned line = __builtin_LINE()) {
  cp_async(dst, src, is_there ? 16 : 0, 16, file, line);
}
/// The same of 4 bytes, 0 or 4 of them from src.
inline void cp_async4(void* dst, const void* src, int bytes, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE()) {
  cp_async(dst, src, bytes, 4, file, line);
}
/// Ends a group of copies.
void cp_async_commit();
/// Returns when at most `groups` of this thread's groups are not done.
void cp_async_wait_for(unsigned groups);
template <int N>
void cp_async_wait() {
  static_assert(N >= 0);
  cp_async_wait_for(N);
}

}  // namespace mxinfer::simt
