// The race detector: kernels are compiled with -fsanitize=thread and linked without it, so that each access
// calls a function of tsan_functions.cpp, which tells of it here.
//
// Two accesses of a word, one of them a write, race unless a __syncthreads comes between them, or a
// __syncwarp for threads of one warp. It does not matter in which order they were made. Nothing puts blocks
// in order: atomic operations race with no other. An access of no memory of the device is an error as well,
// and one of a word that cp_async is still filling.
#pragma once

#include <cstddef>

#include "simt/host/observer.h"

namespace mxinfer::simt {

/// Of the thread that runs; nothing outside of kernels. Fails if it races with another access.
void note_access(const void* address, std::size_t bytes, Access kind, const void* code);

}  // namespace mxinfer::simt
