// The layout of packed weights (kernels/conv/int8/int8_tile.h): the panels of all groups, then what their
// sums start from if the tile shifts signed rows, then the same for unsigned ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/common/divide.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/int8/int8_tile.h"

namespace mxinfer::kernels::int8 {

inline constexpr std::int64_t kWordBytes = 4;

/// Groups whose filters fill one panel together: their weights, with zeros for the channels of the others,
/// take as long as those of one of them would.
inline std::int64_t merged_groups(const ConvProblem& s) {
  std::int64_t merged = 1;
  for (std::int64_t count = 2; count * s.group_filters() <= kInt8PanelColumns; ++count) {
    if (s.groups % count == 0) merged = count;
  }
  return merged;
}

inline ConvProblem with_merged_groups(ConvProblem s) {
  s.groups /= merged_groups(s);
  return s;
}

// Of a problem with merged groups:

/// Elements of a word of rows and panels.
inline std::int64_t word_elements(const Int8Tile& tile) {
  return tile.widen != nullptr ? 2 : 4;
}
inline std::int64_t words_of(const ConvProblem& s, const Int8Tile& tile) {
  return ceil_div(s.depth(), word_elements(tile));
}
inline std::int64_t padded_words(const ConvProblem& s, const Int8Tile& tile) {
  return round_up(words_of(s, tile), kInt8DepthWords);
}
/// Columns of all panels of a group.
inline std::int64_t packed_columns(const ConvProblem& s) {
  return round_up(s.group_filters(), kInt8ColumnStep);
}
/// Columns of the panel that begins at filter `first` of a group.
inline std::int64_t width_at(const ConvProblem& s, std::int64_t first) {
  return std::min(kInt8PanelColumns, packed_columns(s) - first);
}
/// Words of the panels of a group.
inline std::int64_t group_words(const ConvProblem& s, const Int8Tile& tile) {
  return packed_columns(s) * padded_words(s, tile);
}
/// What sums start from, those of all groups' panels one behind the other. `packed`: all weights.
inline const std::int32_t* starts(const ConvProblem& s, const Int8Tile& tile, const void* packed,
                                  bool of_signed) {
  const std::int64_t panels = s.groups * group_words(s, tile), columns = s.groups * packed_columns(s);
  return typed<std::int32_t>(packed) + panels + (of_signed ? 0 : columns);
}

// Of any problem:

/// Identifies the layout.
const char* packing(const Int8Tile& tile);
std::size_t packed_bytes(const Int8Tile& tile, const ConvProblem& s);
void pack(const Int8Tile& tile, const ConvProblem& s, const std::int8_t* weight, std::byte* packed);

}  // namespace mxinfer::kernels::int8
