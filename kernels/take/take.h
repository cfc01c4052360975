// Reads rows by index: take (and Embedding), pick, gather_nd, one_hot. Elements are opaque bytes; indices are
// int64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

/// What an index outside [0, size) means.
enum class IndexMode : std::uint8_t {
  clip,  ///< the nearest one inside
  wrap   ///< modulo size
};

/// Precondition: size >= 1.
constexpr std::int64_t resolve_index(std::int64_t index, std::int64_t size, IndexMode mode) {
  if (index >= 0 && index < size) return index;
  if (mode == IndexMode::clip) return index < 0 ? 0 : size - 1;
  const std::int64_t rest = index % size;
  return rest < 0 ? rest + size : rest;
}

/// dst[o][k] = src[o][indices[k]], rows of `row_bytes`: src is [outer][size][row], dst [outer][count][row].
struct TakeArgs {
  std::int64_t size = 0;
  std::int64_t count = 0;
  std::size_t row_bytes = 0;
  IndexMode mode = IndexMode::clip;
};
/// Computes rows [begin, end) of dst.
void take_rows(const TakeArgs& args, const std::int64_t* indices, const std::byte* src, std::byte* dst,
               std::int64_t begin, std::int64_t end);

/// dst[o][m] = src[o][indices[o][m]][m], rows of `row_bytes`: src is [outer][size][mid][row], dst
/// [outer][mid][row].
struct PickArgs {
  std::int64_t size = 0;
  std::int64_t mid = 1;
  std::size_t row_bytes = 0;
  IndexMode mode = IndexMode::clip;
};
/// Computes rows [begin, end) of dst.
void pick_rows(const PickArgs& args, const std::int64_t* indices, const std::byte* src, std::byte* dst,
               std::int64_t begin, std::int64_t end);

inline constexpr int kGatherMaxRank = 16;

/// dst[k] = src[indices[0][k], ..., indices[rank - 1][k]], rows of `row_bytes`. Negative indices count from
/// the back.
struct GatherArgs {
  int rank = 0;
  std::int64_t count = 0;
  std::int64_t size[kGatherMaxRank] = {};
  std::int64_t stride[kGatherMaxRank] = {};  ///< in rows
  std::size_t row_bytes = 0;
};
/// Whether every index is in range; *bad is the position of the first that is not.
bool gather_fits(const GatherArgs& args, const std::int64_t* indices, std::int64_t* bad);
/// Computes rows [begin, end) of dst. Precondition: gather_fits.
void gather_rows(const GatherArgs& args, const std::int64_t* indices, const std::byte* src, std::byte* dst,
                 std::int64_t begin, std::int64_t end);

/// dst[k][d] = d == indices[k] ? on : off.
struct OneHotArgs {
  std::int64_t depth = 0;
  std::size_t element_bytes = 0;  ///< 1, 2, 4 or 8
  unsigned char on[8] = {};
  unsigned char off[8] = {};
};
/// Computes rows [begin, end) of dst.
void one_hot_rows(const OneHotArgs& args, const std::int64_t* indices, std::byte* dst, std::int64_t begin,
                  std::int64_t end);

}  // namespace mxinfer::kernels
