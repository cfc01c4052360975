// Parses the format strings of the Arrow C Data Interface.
//
//   const ArrowType type = arrow_type(schema);      // "+w:4" over "f": a fixed-size list
//   arrow_type_name(schema);                        // "fixed_size_list<float>[4]", for messages
#pragma once

#include <mxinfer/dtype.h>
#include <mxinfer/table/arrow.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mxinfer::table {

enum class CellKind { null, boolean, number, text, binary, list, fixed_list, structure, other };

struct ArrowType {
  CellKind kind = CellKind::other;
  DType dtype = DType::float32;  ///< of numbers and booleans
  bool has_wide_offsets = false;
  bool is_view = false;   ///< text and binary in the layout of views
  std::int64_t size = 0;  ///< of fixed lists, and of binary of a fixed size; else 0
};

/// For a dictionary, the type of its values. Throws Error(invalid_argument) for a released or invalid schema.
ArrowType arrow_type(const ArrowSchema& schema);

/// The format of a primitive column of this dtype, for booleans that of uint8; 0 if Arrow has none.
char arrow_format(DType dtype) noexcept;
/// The bytes of a number of a primitive format, a bool being one; 0 for any other format.
std::size_t bytes_of_format(char format) noexcept;

/// The type's name for messages.
std::string arrow_type_name(const ArrowSchema& schema);

/// The name of a column, "" if it has none.
std::string column_name(const ArrowSchema& schema);

}  // namespace mxinfer::table
