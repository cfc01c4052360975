#include "simt/warpgroup.h"

#include "simt/host/runner.h"

namespace mxinfer::simt {

void check_group(const std::uint32_t* first_row, const Place& place) {
  constexpr std::uintptr_t kEightRows = 1024;
  if (runner().options.major != 9)
    fail([&] { return name_of(*self) + ": " + describe(place) + " is only there in architecture 9.0"; });
  if (self->block->threads % 128 != 0)
    fail(
        [&] { return name_of(*self) + ": " + describe(place) + " is of 4 warps, and the block has others"; });
  if (reinterpret_cast<std::uintptr_t>(first_row) % kEightRows != 0)
    fail([&] {
      return name_of(*self) + ": the rows of " + describe(place) + " begin at no multiple of 1024 bytes";
    });
}

}  // namespace mxinfer::simt
