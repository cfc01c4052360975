// Column: the cells of one column of a record batch, read in place.
//
//   const Column column(schema, array, rows);
//   if (!column.is_null(7)) decode(column.bytes(7));
//   const Elements numbers = column.elements({0, rows});   // of all rows, where they lie side by side
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/dtype.h>
#include <mxinfer/table/arrow.h>

#include <cstdint>
#include <vector>

#include "table/arrow_type.h"

namespace mxinfer::table {

/// Whether bit `index` of a bitmap is set: Arrow counts from the lowest bit of each byte.
inline bool bit_is_set(const void* bits, std::int64_t index) {
  return (static_cast<const std::uint8_t*>(bits)[index / 8] >> (index % 8) & 1) != 0;
}

/// Rows [begin, end) of a batch.
struct Rows {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t count() const { return end - begin; }
};

/// Contiguous numbers: elements [begin, begin + count) of a buffer of `dtype`; bits for booleans.
struct Elements {
  DType dtype = DType::float32;
  const void* buffer = nullptr;
  std::int64_t begin = 0;
  std::int64_t count = 0;
  bool has_nulls = false;       ///< an element is null
  bool has_null_lists = false;  ///< a list between them and the cell is null
};

class Column {
 public:
  /// `first` is the position in `array` of row 0. Borrows both. Throws Error(invalid_argument) for an array
  /// that does not match the schema or has fewer than `rows` rows.
  Column(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first, std::int64_t rows);

  [[nodiscard]] const ArrowType& type() const { return type_; }
  [[nodiscard]] bool is_null(std::int64_t row) const;
  /// Precondition: the column is text or binary, and the cell is not null.
  [[nodiscard]] ByteSpan bytes(std::int64_t row) const;
  /// The numbers of rows, through all lists. Precondition: the column has numbers or booleans, or lists of
  /// them.
  [[nodiscard]] Elements elements(Rows rows) const;
  /// Whether a cell of the rows is null.
  [[nodiscard]] bool has_null(Rows rows) const;
  /// Writes NaN for each null among the numbers of rows, in the order of elements(). Precondition: `dtype` is
  /// a float.
  void write_null_elements(Rows rows, DType dtype, void* numbers) const;
  /// The member of a struct, with the same rows.
  [[nodiscard]] Column member(std::int64_t index) const;

 private:
  void find_levels();

  const ArrowSchema* schema_;
  const ArrowArray* array_;
  std::int64_t first_;
  std::int64_t rows_;
  ArrowType type_;

  /// The lists between a cell and its numbers, and last the numbers.
  struct Level {
    const ArrowArray* array;
    ArrowType type;
  };
  std::vector<Level> levels_{};
};

}  // namespace mxinfer::table
