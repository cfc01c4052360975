#include "table/column.h"

#include <cstring>
#include <string>

#include "base/fail.h"
#include "table/numbers.h"

namespace mxinfer::table {
namespace {

constexpr std::int64_t kViewBytes = 16, kInlineBytes = 12;

[[noreturn]] void refuse(const ArrowSchema& schema, const std::string& what) {
  fail(ErrorCode::invalid_argument, "column '", printable(column_name(schema)), "' of type ",
       arrow_type_name(schema), ": ", what, "; the record batch is not a valid Arrow array of its schema");
}

std::int64_t least_buffers(const ArrowType& type) {
  switch (type.kind) {
    case CellKind::null:
    case CellKind::other:
      return 0;
    case CellKind::structure:
    case CellKind::fixed_list:
      return 1;
    case CellKind::text:
    case CellKind::binary:
      return type.size > 0 ? 2 : 3;
    default:
      return 2;
  }
}

void require_sound(const ArrowSchema& schema, const ArrowArray& array, const ArrowType& type) {
  if (array.length < 0 || array.offset < 0) refuse(schema, "its length or offset is negative");
  if (array.n_buffers < least_buffers(type) || (array.n_buffers > 0 && array.buffers == nullptr))
    refuse(schema,
           concat("it has ", array.n_buffers, " buffers, but ", least_buffers(type), " are expected"));
  if (array.n_children != schema.n_children || (array.n_children > 0 && array.children == nullptr))
    refuse(schema, concat("it has ", array.n_children, " children, but its schema ", schema.n_children));
  // Offsets or values; those of text may be absent if all texts are empty.
  if (array.length > 0 && least_buffers(type) > 1 && array.buffers[1] == nullptr)
    refuse(schema, "its values or offsets are missing");
}

bool is_null_at(const ArrowArray& array, std::int64_t index) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return false;
  return !bit_is_set(array.buffers[0], index + array.offset);
}

/// An offset, or a dictionary's index, of four or eight bytes.
std::int64_t integer_at(const void* buffer, std::int64_t index, bool wide) {
  return wide ? static_cast<const std::int64_t*>(buffer)[index]
              : static_cast<const std::int32_t*>(buffer)[index];
}

std::int64_t dictionary_index(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  const void* const buffer = array.buffers[1];
  const std::int64_t at = index + array.offset;
  switch (schema.format[0]) {
    case 'c':
      return static_cast<const std::int8_t*>(buffer)[at];
    case 'C':
      return static_cast<const std::uint8_t*>(buffer)[at];
    case 's':
      return static_cast<const std::int16_t*>(buffer)[at];
    case 'S':
      return static_cast<const std::uint16_t*>(buffer)[at];
    case 'i':
      return static_cast<const std::int32_t*>(buffer)[at];
    case 'I':
      return static_cast<const std::uint32_t*>(buffer)[at];
    case 'l':
    case 'L':
      return static_cast<const std::int64_t*>(buffer)[at];
    default:
      refuse(schema, "its indices are not integers");
  }
}

/// A value in the layout of views: its length, then its bytes, or a prefix, a buffer and an offset.
ByteSpan view_at(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  const auto* const view =
      static_cast<const std::uint8_t*>(array.buffers[1]) + (index + array.offset) * kViewBytes;
  std::int32_t parts[4];
  std::memcpy(parts, view, sizeof parts);
  if (parts[0] < 0) refuse(schema, "a cell has a negative length");
  if (parts[0] <= kInlineBytes) return {view + sizeof(std::int32_t), static_cast<std::size_t>(parts[0])};
  // The data buffers follow the views, and then a buffer with their sizes.
  const std::int64_t buffer = 2 + std::int64_t{parts[2]};
  if (parts[2] < 0 || parts[3] < 0 || buffer >= array.n_buffers - 1) refuse(schema, "a cell points outside");
  return {static_cast<const std::uint8_t*>(array.buffers[buffer]) + parts[3],
          static_cast<std::size_t>(parts[0])};
}

ByteSpan bytes_at(const ArrowSchema& schema, const ArrowArray& array, const ArrowType& type,
                  std::int64_t index) {
  if (type.size > 0) {
    const auto* const data = static_cast<const std::uint8_t*>(array.buffers[1]);
    return {data + (index + array.offset) * type.size, static_cast<std::size_t>(type.size)};
  }
  if (type.is_view) return view_at(schema, array, index);
  const std::int64_t begin = integer_at(array.buffers[1], index + array.offset, type.has_wide_offsets);
  const std::int64_t end = integer_at(array.buffers[1], index + array.offset + 1, type.has_wide_offsets);
  if (begin < 0 || end < begin) refuse(schema, "the offsets of a cell descend");
  return {static_cast<const std::uint8_t*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
}

bool any_null(const ArrowArray& array, std::int64_t begin, std::int64_t end) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return false;
  for (std::int64_t i = begin; i < end; ++i) {
    if (is_null_at(array, i)) return true;
  }
  return false;
}

}  // namespace

Column::Column(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first, std::int64_t rows)
    : schema_(&schema), array_(&array), first_(first), rows_(rows), type_(arrow_type(schema)) {
  if (schema.dictionary == nullptr) {
    require_sound(schema, array, type_);
  } else {
    if (array.n_buffers < 2 || array.buffers == nullptr || array.dictionary == nullptr)
      refuse(schema, "it has no indices, or no dictionary");
    require_sound(*schema.dictionary, *array.dictionary, type_);
  }
  if (array.length < first || array.length - first < rows)
    refuse(schema, concat("it has ", array.length - first, " rows, but the batch ", rows));
  if (schema.dictionary == nullptr) find_levels();
}

bool Column::is_null(std::int64_t row) const {
  if (type_.kind == CellKind::null) return true;
  if (is_null_at(*array_, first_ + row)) return true;
  if (schema_->dictionary == nullptr) return false;
  const std::int64_t index = dictionary_index(*schema_, *array_, first_ + row);
  if (index < 0 || index >= array_->dictionary->length)
    refuse(*schema_, "an index is outside its dictionary");
  return is_null_at(*array_->dictionary, index);
}

ByteSpan Column::bytes(std::int64_t row) const {
  if (schema_->dictionary == nullptr) return bytes_at(*schema_, *array_, type_, first_ + row);
  const std::int64_t index = dictionary_index(*schema_, *array_, first_ + row);
  if (index < 0 || index >= array_->dictionary->length)
    refuse(*schema_, "an index is outside its dictionary");
  return bytes_at(*schema_->dictionary, *array_->dictionary, type_, index);
}

void Column::find_levels() {
  const ArrowSchema* schema = schema_;
  const ArrowArray* array = array_;
  levels_.push_back({array, type_});
  while (levels_.back().type.kind == CellKind::list || levels_.back().type.kind == CellKind::fixed_list) {
    schema = schema->children[0];
    array = array->children[0];
    const ArrowType type = arrow_type(*schema);
    require_sound(*schema, *array, type);
    levels_.push_back({array, type});
  }
}

Elements Column::elements(Rows rows) const {
  std::int64_t begin = first_ + rows.begin, end = first_ + rows.end;
  Elements elements;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const auto& [array, type] = levels_[i];
    if (i > 0 && end > array->length) refuse(*schema_, "its lists point outside");
    // The caller checks for null cells.
    const bool has_nulls = i > 0 && any_null(*array, begin, end);
    (i + 1 == levels_.size() ? elements.has_nulls : elements.has_null_lists) |= has_nulls;
    if (type.kind == CellKind::fixed_list) {
      begin = (begin + array->offset) * type.size;
      end = (end + array->offset) * type.size;
    } else if (type.kind == CellKind::list && begin == end) {
      begin = end = 0;  // an array without rows may be without offsets
    } else if (type.kind == CellKind::list) {
      const std::int64_t from = integer_at(array->buffers[1], begin + array->offset, type.has_wide_offsets);
      const std::int64_t to = integer_at(array->buffers[1], end + array->offset, type.has_wide_offsets);
      if (from < 0 || to < from) refuse(*schema_, "the offsets of a list descend");
      begin = from;
      end = to;
    }
  }
  const auto& [array, type] = levels_.back();
  elements.dtype = type.dtype;
  elements.buffer = array->buffers[1];
  elements.begin = begin + array->offset;
  elements.count = end - begin;
  return elements;
}

bool Column::has_null(Rows rows) const {
  if (type_.kind == CellKind::null) return rows.count() > 0;
  if (schema_->dictionary == nullptr) return any_null(*array_, first_ + rows.begin, first_ + rows.end);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    if (is_null(row)) return true;
  }
  return false;
}

void Column::write_null_elements(Rows rows, DType dtype, void* numbers) const {
  const Elements all = elements(rows);
  const ArrowArray& leaf = *levels_.back().array;
  const std::int64_t begin = all.begin - leaf.offset;
  for (std::int64_t i = 0; i < all.count; ++i) {
    if (!is_null_at(leaf, begin + i)) continue;
    write_nans(dtype, static_cast<std::byte*>(numbers) + static_cast<std::size_t>(i) * size_of(dtype), 1);
  }
}

Column Column::member(std::int64_t index) const {
  return {*schema_->children[index], *array_->children[index], first_ + array_->offset, rows_};
}

}  // namespace mxinfer::table
