// Signals between the blocks of a cooperative launch, by the names of kernels/cuda/dialect_nvcc.h. A block
// that waits lets the others run.
#pragma once

#include "simt/thread.h"
#include "simt/vector_types.h"

namespace mxinfer::simt {

void signal_blocks(unsigned* counter, const Place& place);
void wait_for_blocks(const unsigned* counter, unsigned count, const Place& place);
bool is_last_of_blocks(unsigned* counter, unsigned count);

inline void signal(unsigned* counter, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  signal_blocks(counter, {"signal()", file, line});
}
inline void wait_for(const unsigned* counter, unsigned count, const char* file = __builtin_FILE(),
                     unsigned line = __builtin_LINE()) {
  wait_for_blocks(counter, count, {"wait_for()", file, line});
}

/// Whether all `count` blocks have called it, of any launch.
inline bool is_last_of(unsigned* counter, unsigned count) {
  return is_last_of_blocks(counter, count);
}

/// What another block of the launch has written.
inline uint4 load_from_blocks(const uint4* from) {
  return *from;
}

}  // namespace mxinfer::simt
