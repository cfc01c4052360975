// The sort of sort.h on a GPU, and the sort of keys that it and other families are made of.
//
// Equal elements keep the order of the input.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/scratch.h"
#include "kernels/cuda/stream.h"
#include "kernels/sort/sort.h"

namespace mxinfer::kernels::cuda {

/// Rows of keys. The upper half of a key is what it is sorted by, the lower half the index of its element, so
/// that equal elements keep their order. kNoKey comes last.
struct KeyRows {
  std::int64_t rows = 0;
  std::int64_t length = 0;         ///< at most kMostKeys
  std::int64_t kept = 0;           ///< 1 .. length: the first keys of each row that are needed
  std::uint64_t* keys = nullptr;   ///< [rows][length]
  std::uint64_t* spare = nullptr;  ///< likewise; null if length is at most kKeyTile
};
inline constexpr std::int64_t kKeyTile = 2048;
inline constexpr std::int64_t kMostKeys = 2147483647;
inline constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

/// Places the keys of so many rows.
inline KeyRows take_key_rows(Scratch& scratch, std::int64_t rows, std::int64_t length, std::int64_t kept) {
  KeyRows key_rows;
  key_rows.rows = rows;
  key_rows.length = length;
  key_rows.kept = kept;
  key_rows.keys = scratch.take<std::uint64_t>(rows * length);
  if (length > kKeyTile) key_rows.spare = scratch.take<std::uint64_t>(rows * length);
  return key_rows;
}

/// Puts the first `kept` keys of each row in ascending order. `sorted` gets where they are, keys or spare,
/// [rows][length] as before. For launchers.
Status sort_keys(const KeyRows& rows, const std::uint64_t** sorted, const Stream& stream);

inline std::size_t sort_elements_scratch(const SortArgs& args, std::int64_t outer) {
  Scratch scratch(nullptr);
  take_key_rows(scratch, outer * args.inner, args.length, args.k);
  return scratch.bytes();
}
/// Sorts all rows of elements of a type: float32, float16, int32, int8 or uint8. `scratch` is
/// sort_elements_scratch() bytes.
Status sort_elements(const SortArgs& args, ElementType type, std::int64_t outer, void* scratch,
                     const Stream& stream);

}  // namespace mxinfer::kernels::cuda
