// One array of a .params file, in any of the variants MXNet has written. Internal to this folder.
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>

#include "formats/byte_cursor.h"

namespace mxinfer::formats {

struct ArrayRecord {
  Tensor tensor;
  /// A record of version 1 or 2 without dimensions: it ends there, but some versions of MXNet wrote elements
  /// behind it, and then everything that follows is misread.
  bool without_dimensions = false;
};

/// Reads the record at the cursor. `unpacked_left` is what sparse arrays may still unpack to, and is reduced.
ArrayRecord read_array_record(ByteCursor& cursor, std::int64_t& unpacked_left);

}  // namespace mxinfer::formats
