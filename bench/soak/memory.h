// The memory of this process, as the system and as malloc see it.
#pragma once

#include <cstdint>

#include "soak/heap.h"

namespace mxinfer::soak {

struct Memory {
  std::int64_t resident = 0;   ///< bytes of all pages that are in memory
  std::int64_t anonymous = 0;  ///< of these, those of no file: heap, stacks
  std::int64_t idle = 0;       ///< free bytes in malloc's arenas, whether their pages are in memory or not
  Heap heap{};
};

/// Whether its numbers mean anything: a sanitizer keeps what is freed, and shadows of it.
inline constexpr bool kMemoryIsTelling = MXINFER_SOAK_COUNTS_HEAP != 0;

/// Now. It allocates nothing. Throws std::runtime_error if the system does not tell.
[[nodiscard]] Memory memory_now();

}  // namespace mxinfer::soak
