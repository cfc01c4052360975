// The weights that a bundle has packed: what they were packed for, and where each of them stands.
//
//   const PackedIndex index = parse_packed_index(text, member_bytes);
//   index.weights[0].packing        // "conv_nhwc panels of 64 filters groups=1"
//
// docs/how-to/bundle.md describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::formats {

/// Raise it if any packing gives other bytes under its old name, if checksum64 gives other sums, or if passes
/// give a parameter other values: older packed weights are then passed over.
inline constexpr int kPackedFormat = 1;

/// What plans packed weights for. Weights that were packed for one key are right for no other.
struct PackedKey {
  std::string library;      ///< its version and compiler, which decides how sums are rounded
  std::string target;       ///< "avx512"
  std::string precision;    ///< "float32"
  std::uint64_t graph = 0;  ///< a checksum of the graphs before they are optimised

  friend bool operator==(const PackedKey& a, const PackedKey& b) {
    return a.library == b.library && a.target == b.target && a.precision == b.precision && a.graph == b.graph;
  }
};

struct PackedEntry {
  std::size_t parameter = 0;  ///< its place among the parameters of the optimised graphs
  std::string name;           ///< and its name there
  std::string packing;        ///< as LowerContext::packed() names it
  std::uint64_t offset = 0;   ///< in the member `data`, a multiple of kAlignment
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;  ///< checksum64 of the bytes
};

struct PackedIndex {
  PackedKey key;
  std::string data;                  ///< the member with the bytes
  std::vector<PackedEntry> weights;  ///< by offset; none overlaps the next
};

/// nullopt for a format that this library does not read. Throws Error(malformed) with the key for anything
/// that is not as above.
std::optional<PackedIndex> parse_packed_index(std::string_view text);

std::string packed_index_text(const PackedIndex& index);

/// Throws Error(malformed) unless all weights lie inside `bytes` bytes.
void check_inside(const PackedIndex& index, std::int64_t bytes);

}  // namespace mxinfer::formats
