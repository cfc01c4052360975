// Columns of results: their types (ColumnSpec), a builder that fills them row by row (ColumnBuilder), and
// their export through the Arrow C Data Interface.
//
//   ColumnBuilder best({"label", "u"});
//   best.append_text("cat");
//   best.append_null();
//   export_struct(std::move(columns), rows, &array);    // the caller's release callback frees it
#pragma once

#include <mxinfer/table/arrow.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::table {

/// Formats: "u" (text), a primitive, "+l" (a list of its child), "+w:N" (of N of its child, a primitive),
/// "+s" (a struct of its children).
struct ColumnSpec {
  std::string name;
  std::string format;
  std::vector<ColumnSpec> children{};
};

/// The buffers of a column: its validity, and those of its format.
struct ColumnData {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::vector<std::vector<std::uint8_t>> buffers{};
  std::vector<ColumnData> children{};
};

class ColumnBuilder {
 public:
  explicit ColumnBuilder(const ColumnSpec& spec);

  void append_null();
  /// Precondition: "u".
  void append_text(std::string_view text);
  /// One number of a primitive, or those of a row of "+w:N", as they lie in memory.
  void append_numbers(const void* numbers);
  template <typename T>
  void append(T number) {
    append_numbers(&number);
  }
  /// Ends a row of "+l", made of everything appended to child(0) since the last row, or of "+s".
  void end_row();
  /// Ends a row of "+l" over a primitive with so many numbers.
  void append_list(const void* numbers, std::int64_t count);
  ColumnBuilder& child(std::size_t index) { return children_[index]; }

  /// Leaves nothing behind.
  ColumnData take();

 private:
  void mark(bool is_valid);
  void append_offset();
  std::vector<std::uint8_t>& values() { return data_.buffers[1]; }

  enum class Kind { text, primitive, list, fixed_list, structure };
  Kind kind_;
  std::size_t bytes_ = 0;  ///< of a row of a primitive, or of a fixed list
  std::int64_t size_ = 0;  ///< numbers of a row of a fixed list
  ColumnData data_;
  std::vector<ColumnBuilder> children_;
};

/// A struct of these columns. Both fill their output completely or throw.
void export_schema(const std::vector<ColumnSpec>& columns, ArrowSchema* to);
void export_struct(std::vector<ColumnData> columns, std::int64_t rows, ArrowArray* to);

}  // namespace mxinfer::table
