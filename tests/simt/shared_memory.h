// The shared memory of a block: bytes of the heap, just as many as the launch asks for.
#pragma once

#include <cstddef>

namespace mxinfer::simt {

inline constexpr std::size_t kSharedAlignment = 1024;

/// The block's. Ends the launch if it has fewer bytes.
void* shared_bytes(std::size_t bytes);

/// The shared memory of the block, as the struct of the kernel.
template <class S>
S& shared_memory() {
  static_assert(alignof(S) <= kSharedAlignment);
  return *static_cast<S*>(shared_bytes(sizeof(S)));
}

}  // namespace mxinfer::simt
