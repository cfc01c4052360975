// What a thread has asked cp_async for and not waited for.
#pragma once

#include <vector>

#include "simt/thread.h"

namespace mxinfer::simt {

struct AsyncCopy {
  std::byte* dst;
  const std::byte* src;
  int bytes, size;
  unsigned group;
  Place place;
  const void* code;  ///< the address that asked
};

struct AsyncCopies {
  std::vector<AsyncCopy> pending;  ///< in order
  unsigned group = 0;              ///< of the next copy; how many have been committed
};

}  // namespace mxinfer::simt
