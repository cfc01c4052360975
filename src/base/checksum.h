// A checksum of large blocks that costs about as much as reading them. It detects damage, not tampering.
//
//   checksum64(weights.data(), weights.size()) == stated
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer {

/// The same on every machine. Files hold it: change kPackedFormat (formats/archive/packed_index.h) with it.
std::uint64_t checksum64(const void* data, std::size_t bytes);

}  // namespace mxinfer
