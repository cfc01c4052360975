#include "kernels/conv/int8/int8_panels.h"

#include <cstring>
#include <vector>

namespace mxinfer::kernels::int8 {
namespace {

/// The weights of with_merged_groups(s).
std::vector<std::int8_t> with_zeros(const ConvProblem& s, const std::int8_t* weight) {
  const std::int64_t merged = merged_groups(s), depth = s.depth();
  std::vector<std::int8_t> wide(static_cast<std::size_t>(s.filters * depth * merged));
  for (std::int64_t m = 0; m < s.filters; ++m) {
    const std::int64_t group = m / s.group_filters() % merged;
    std::copy_n(weight + m * depth, depth, wide.data() + (m * merged + group) * depth);
  }
  return wide;
}

/// The weight of tap and channel k of a filter, in the order of a row.
std::int8_t weight_at(const ConvProblem& s, const std::int8_t* filter, std::int64_t k) {
  const std::int64_t channels = s.group_channels(), taps = volume(s.kernel);
  return filter[k % channels * taps + k / channels];
}

/// Where a panel is packed to, and what its sums start from if the tile shifts signed rows, or unsigned ones.
struct PackedPanel {
  std::byte* words;
  std::int64_t width;
  std::int32_t *of_signed, *of_unsigned;
};

/// The panel of `count` filters.
template <class Element>
void pack_panel(const ConvProblem& s, const std::int8_t* filters, std::int64_t count, const PackedPanel& to) {
  constexpr std::int64_t kElements = kWordBytes / sizeof(Element);
  auto* panel = reinterpret_cast<Element*>(to.words);
  for (std::int64_t x = 0; x < count; ++x) {
    const std::int8_t* filter = filters + x * s.depth();
    std::int32_t sum = 0;
    for (std::int64_t k = 0; k < s.depth(); ++k) {
      const std::int8_t weight = weight_at(s, filter, k);
      panel[(k / kElements * to.width + x) * kElements + k % kElements] = weight;
      sum += weight;
    }
    to.of_signed[x] = -128 * sum;
    to.of_unsigned[x] = 128 * sum;
  }
}

}  // namespace

const char* packing(const Int8Tile& tile) {
  return tile.widen != nullptr ? "int16 pairs, panels of 32 filters" : "int8 quads, panels of 32 filters";
}

std::size_t packed_bytes(const Int8Tile& tile, const ConvProblem& given) {
  const ConvProblem s = with_merged_groups(given);
  return static_cast<std::size_t>(s.groups * (group_words(s, tile) + 2 * packed_columns(s))) * kWordBytes;
}

void pack(const Int8Tile& tile, const ConvProblem& given, const std::int8_t* weight, std::byte* packed) {
  std::memset(packed, 0, packed_bytes(tile, given));
  const ConvProblem s = with_merged_groups(given);
  const std::vector<std::int8_t> wide =
      s.groups < given.groups ? with_zeros(given, weight) : std::vector<std::int8_t>();
  if (!wide.empty()) weight = wide.data();
  auto* start = reinterpret_cast<std::int32_t*>(packed + s.groups * group_words(s, tile) * kWordBytes);
  const std::int64_t filters = s.group_filters();
  for (std::int64_t g = 0; g < s.groups; ++g) {
    for (std::int64_t first = 0; first < filters; first += kInt8PanelColumns) {
      const PackedPanel panel{packed, width_at(s, first), start + g * packed_columns(s) + first,
                              start + (s.groups + g) * packed_columns(s) + first};
      const std::int8_t* of_panel = weight + (g * filters + first) * s.depth();
      const std::int64_t count = std::min(panel.width, filters - first);
      tile.widen != nullptr ? pack_panel<std::int16_t>(s, of_panel, count, panel)
                            : pack_panel<std::int8_t>(s, of_panel, count, panel);
      packed += padded_words(s, tile) * panel.width * kWordBytes;
    }
  }
}

}  // namespace mxinfer::kernels::int8
