// Padding: each element of dst is src at its index minus `before`, with indices outside mapped by the mode:
//
//   constant  `value`
//   edge      the nearest element
//   reflect   mirrored at the first and last element, which are not repeated: d c b | a b c d | c b a
//   symmetric mirrored behind them: c b a | a b c d | d c b
//
// Mirrors reach any distance: the mirrored elements are mirrored again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

inline constexpr int kPadMaxRank = 16;

enum class PadMode : std::uint8_t { constant, edge, reflect, symmetric };

struct PadArgs {
  int rank = 0;  ///< at least 1
  std::int64_t in[kPadMaxRank] = {};
  std::int64_t out[kPadMaxRank] = {};
  std::int64_t before[kPadMaxRank] = {};  ///< negative: crops
  PadMode mode = PadMode::constant;
  unsigned char value[8] = {};  ///< the bytes of one element
};

/// Computes rows [begin, end) of dst, a row being its last dimension. Precondition: no padded dimension of
/// the input is empty, except for constant.
using PadFn = void (*)(const PadArgs& args, const std::byte* src, std::byte* dst, std::int64_t begin,
                       std::int64_t end);

/// For elements of 1, 2, 4 or 8 bytes.
PadFn select_pad(std::size_t element_bytes);

}  // namespace mxinfer::kernels
