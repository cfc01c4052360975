// Texts to their positions in a list of values, by a hash table with linear probing.
//
//   dst[row] = the position of the row's text among the values, `missing` if it is not one of them
//
// A row's text ends at its last byte that is not zero.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

struct LookupSlot {
  std::uint32_t hash = 0;      ///< the upper half of the value's
  std::int32_t position = -1;  ///< of the value; -1: the slot is free
};

/// Values and their table. `begins` has one entry more than there are values: value v is the bytes
/// [begins[v], begins[v + 1]). There are mask + 1 slots, a power of 2 and more than there are values.
struct LookupTable {
  const char* bytes = nullptr;
  const std::int64_t* begins = nullptr;
  const LookupSlot* slots = nullptr;
  std::uint64_t mask = 0;
};

/// Puts value `position` of the table's bytes into its slots, which `slots` points at as well. Returns the
/// position of the same value if it is there already, else -1.
std::int32_t insert_value(const LookupTable& table, LookupSlot* slots, std::int32_t position);

struct LookupArgs {
  LookupTable table;
  const char* src = nullptr;
  std::size_t row_bytes = 0;
  std::int32_t missing = 0;
};

/// Computes rows [begin, end).
using LookupFn = void (*)(const LookupArgs& args, void* dst, std::int64_t begin, std::int64_t end);

/// For int32 and float32 positions; null for other types.
LookupFn select_lookup(ElementType type);

/// How many bytes the text at the start of a row of n bytes has.
std::size_t text_bytes(const char* row, std::size_t n);

}  // namespace mxinfer::kernels
