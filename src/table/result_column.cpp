#include "table/result_column.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "base/fail.h"
#include "table/arrow_type.h"

namespace mxinfer::table {
namespace {

void append_bytes(std::vector<std::uint8_t>& to, const void* from, std::size_t bytes) {
  const auto* const first = static_cast<const std::uint8_t*>(from);
  to.insert(to.end(), first, first + bytes);
}

void append_bit(std::vector<std::uint8_t>& bits, std::int64_t index, bool is_set) {
  if (index % 8 == 0) bits.push_back(0);
  if (is_set) bits.back() = static_cast<std::uint8_t>(bits.back() | 1 << (index % 8));
}

}  // namespace

ColumnBuilder::ColumnBuilder(const ColumnSpec& spec) {
  const std::string& format = spec.format;
  if (format == "u") {
    kind_ = Kind::text;
    data_.buffers.resize(3);
  } else if (format == "+l") {
    kind_ = Kind::list;
    data_.buffers.resize(2);
  } else if (format == "+s") {
    kind_ = Kind::structure;
    data_.buffers.resize(1);
  } else if (format[0] == '+') {
    kind_ = Kind::fixed_list;
    data_.buffers.resize(1);
    size_ = std::strtoll(format.c_str() + 3, nullptr, 10);
    bytes_ = static_cast<std::size_t>(size_) * bytes_of_format(spec.children[0].format[0]);
  } else {
    kind_ = Kind::primitive;
    data_.buffers.resize(2);
    bytes_ = bytes_of_format(format[0]);
  }
  for (const ColumnSpec& each : spec.children) children_.emplace_back(each);
  if (kind_ == Kind::text || kind_ == Kind::list) append_offset();
}

void ColumnBuilder::mark(bool is_valid) {
  append_bit(data_.buffers[0], data_.length, is_valid);
  ++data_.length;
  if (!is_valid) ++data_.null_count;
}

void ColumnBuilder::append_offset() {
  const std::size_t end =
      kind_ == Kind::text ? data_.buffers[2].size() : static_cast<std::size_t>(children_[0].data_.length);
  if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    fail(ErrorCode::invalid_argument, "a result column of ", data_.length,
         " rows would have more than 2 billion elements; give fewer rows at a time");
  }
  const auto offset = static_cast<std::int32_t>(end);
  append_bytes(values(), &offset, sizeof offset);
}

void ColumnBuilder::append_null() {
  mark(false);
  if (kind_ == Kind::text || kind_ == Kind::list) return append_offset();
  if (kind_ == Kind::structure) {
    for (ColumnBuilder& each : children_) each.append_null();
    return;
  }
  if (kind_ == Kind::primitive) {
    values().resize(values().size() + bytes_);
    return;
  }
  for (std::int64_t i = 0; i < size_; ++i) children_[0].append_null();
}

void ColumnBuilder::append_text(std::string_view text) {
  append_bytes(data_.buffers[2], text.data(), text.size());
  mark(true);
  append_offset();
}

void ColumnBuilder::append_numbers(const void* numbers) {
  mark(true);
  if (kind_ == Kind::primitive) return append_bytes(values(), numbers, bytes_);
  ColumnBuilder& leaf = children_[0];
  append_bytes(leaf.values(), numbers, bytes_);
  for (std::int64_t i = 0; i < size_; ++i) leaf.mark(true);
}

void ColumnBuilder::end_row() {
  mark(true);
  if (kind_ == Kind::list) append_offset();
}

void ColumnBuilder::append_list(const void* numbers, std::int64_t count) {
  ColumnBuilder& leaf = children_[0];
  append_bytes(leaf.values(), numbers, static_cast<std::size_t>(count) * leaf.bytes_);
  for (std::int64_t i = 0; i < count; ++i) leaf.mark(true);
  end_row();
}

ColumnData ColumnBuilder::take() {
  for (ColumnBuilder& each : children_) data_.children.push_back(each.take());
  return std::exchange(data_, {});
}

namespace {

/// The data owned by an exported schema.
struct OwnedSchema {
  std::string format, name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

void release_schema(ArrowSchema* schema) {
  const std::unique_ptr<OwnedSchema> owned(static_cast<OwnedSchema*>(schema->private_data));
  for (ArrowSchema& child : owned->children) {
    if (child.release != nullptr) child.release(&child);
  }
  schema->release = nullptr;
}

void export_spec(const ColumnSpec& spec, ArrowSchema* to) {
  auto owned = std::make_unique<OwnedSchema>();
  owned->format = spec.format;
  owned->name = spec.name;
  owned->children.resize(spec.children.size());
  owned->pointers.reserve(spec.children.size());
  for (ArrowSchema& child : owned->children) owned->pointers.push_back(&child);
  *to = {};
  to->format = owned->format.c_str();
  to->name = owned->name.c_str();
  to->flags = ARROW_FLAG_NULLABLE;
  to->n_children = static_cast<std::int64_t>(owned->children.size());
  to->children = owned->pointers.data();
  to->release = release_schema;
  OwnedSchema* const mine = owned.release();
  to->private_data = mine;
  try {
    for (std::size_t i = 0; i < spec.children.size(); ++i) export_spec(spec.children[i], &mine->children[i]);
  } catch (...) {
    release_schema(to);
    throw;
  }
}

struct OwnedArray {
  ColumnData data;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

void release_array(ArrowArray* array) {
  const std::unique_ptr<OwnedArray> owned(static_cast<OwnedArray*>(array->private_data));
  for (ArrowArray& child : owned->children) {
    if (child.release != nullptr) child.release(&child);
  }
  array->release = nullptr;
}

void export_data(ColumnData data, ArrowArray* to) {
  auto owned = std::make_unique<OwnedArray>();
  owned->data = std::move(data);
  owned->children.resize(owned->data.children.size());
  owned->pointers.reserve(owned->children.size());
  for (ArrowArray& child : owned->children) owned->pointers.push_back(&child);
  for (std::size_t i = 0; i < owned->data.buffers.size(); ++i) {
    const std::vector<std::uint8_t>& buffer = owned->data.buffers[i];
    static constexpr std::int64_t kNothing = 0;
    const bool is_needless = i == 0 && owned->data.null_count == 0;
    owned->buffers.push_back(
        is_needless ? nullptr : (buffer.empty() ? static_cast<const void*>(&kNothing) : buffer.data()));
  }
  *to = {};
  to->length = owned->data.length;
  to->null_count = owned->data.null_count;
  to->n_buffers = static_cast<std::int64_t>(owned->buffers.size());
  to->n_children = static_cast<std::int64_t>(owned->children.size());
  to->buffers = owned->buffers.data();
  to->children = owned->pointers.data();
  to->release = release_array;
  OwnedArray* const mine = owned.release();
  to->private_data = mine;
  try {
    for (std::size_t i = 0; i < mine->children.size(); ++i)
      export_data(std::move(mine->data.children[i]), &mine->children[i]);
  } catch (...) {
    release_array(to);
    throw;
  }
}

}  // namespace

void export_schema(const std::vector<ColumnSpec>& columns, ArrowSchema* to) {
  export_spec({"", "+s", columns}, to);
  to->flags = 0;
}

void export_struct(std::vector<ColumnData> columns, std::int64_t rows, ArrowArray* to) {
  ColumnData data;
  data.length = rows;
  data.buffers.resize(1);
  data.children = std::move(columns);
  export_data(std::move(data), to);
}

}  // namespace mxinfer::table
