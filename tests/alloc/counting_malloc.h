// A malloc in front of glibc's, which operator new, oneTBB and the C library all go through: it counts, and
// refuses memory when it is told to. Sanitizers bring a malloc of their own; there it is left out.
#pragma once

#include <atomic>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MXINFER_COUNTS_ALLOCATIONS 0
#else
#define MXINFER_COUNTS_ALLOCATIONS 1
#endif

namespace mxinfer::test {

/// How many allocations all threads have made.
extern std::atomic<long> allocations;

/// Refuses this thread's n-th allocation from now on, from 0; negative: none.
void refuse_allocation(long n);
/// Whether that allocation was asked for.
bool was_refused();

}  // namespace mxinfer::test
