// Properties of descriptors, for columns.
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>

#include "table/numbers.h"

namespace mxinfer::table {

/// Rows of UTF-8, each padded with zero bytes to the longest.
inline bool is_text(const DataDesc& input) {
  return input.meaning == Meaning::text;
}

/// A null becomes NaN or the empty text; integers have no value for it.
inline bool takes_nulls(const DataDesc& input) {
  return input.is_nullable && (is_text(input) || is_float(input.dtype));
}

/// The numbers of a sample, or of a row of an output; -1 if the signature does not state it or only guesses
/// it.
inline std::int64_t sample_count(const DataDesc& desc) {
  if (desc.shape.rank() == 0 || desc.is_guess) return -1;
  std::int64_t count = 1;
  for (std::size_t i = 1; i < desc.shape.rank(); ++i) {
    if (desc.shape[i] < 0) return -1;
    count *= desc.shape[i];
  }
  return count;
}

}  // namespace mxinfer::table
