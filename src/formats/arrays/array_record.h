// One array of a .params file, in any of the variants MXNet has written. Internal to this folder.
#pragma once

#include <cstdint>
#include <memory>

#include "formats/byte_cursor.h"
#include "tensor/parameter.h"

namespace mxinfer::formats {

struct ArrayRecord {
  std::shared_ptr<const Parameter> value;
  /// A record of version 1 or 2 without dimensions: it ends there, but some versions of MXNet wrote elements
  /// behind it, and then everything that follows is misread.
  bool without_dimensions = false;
};

/// The source from which the elements of large dense arrays are read on demand; null: all are read at once.
using Keeper = std::shared_ptr<const sources::Source>;

/// Reads the record at the cursor. `unpacked_left` is the size to which sparse arrays may still unpack; the
/// function reduces it.
ArrayRecord read_array_record(ByteCursor& cursor, std::int64_t& unpacked_left, const Keeper& keeper);

}  // namespace mxinfer::formats
