#include "soak/malloc_settings.h"

#include <malloc.h>

namespace mxinfer::soak {

void set_malloc() noexcept {
  constexpr int kLarge = 16 * 1024;  // below what glibc begins with; to set it keeps it there
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
  ::mallopt(M_TRIM_THRESHOLD, kLarge);
  ::mallopt(M_ARENA_MAX, 1);
}

}  // namespace mxinfer::soak
