// ReadyWeight: a weight that a file has packed. It replaces packing if its checksum is right.
//
//   store.offer(parameter, "panels of 16", {mapping, address, bytes, checksum});
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mxinfer::plan {

struct ReadyWeight {
  std::shared_ptr<const void> keeper;  ///< owns the memory
  std::byte* data = nullptr;           ///< aligned, and may be written to: unread pages of a file
  std::size_t bytes = 0;
  std::uint64_t checksum = 0;  ///< checksum64 of the bytes
};

}  // namespace mxinfer::plan
