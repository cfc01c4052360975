// Record batches of the Arrow C Data Interface, made by hand so that nothing of the library's own code is in
// them.
//
//   ArrowTable table;
//   table.add("id", arrow_numbers<std::int64_t>("l", {1, 2, 3}));
//   table.add("photo", arrow_bytes("z", {"...", std::nullopt, ""}));
//   predictor.predict(table.schema(), table.array(), &result);
#pragma once

#include <mxinfer/table/arrow.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::test {

/// A column with what it owns. It may be put into another (list, struct).
struct ArrowColumn {
  std::string format;
  std::int64_t length = 0;
  std::int64_t nulls = 0;
  std::int64_t offset = 0;
  std::vector<std::vector<std::uint8_t>> buffers{};
  std::vector<std::pair<std::string, ArrowColumn>> children{};
  std::shared_ptr<ArrowColumn> dictionary{};
};

inline std::vector<std::uint8_t> arrow_bits(const std::vector<bool>& bits) {
  std::vector<std::uint8_t> bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | 1 << (i % 8));
  }
  return bytes;
}

template <typename T>
std::vector<std::uint8_t> arrow_buffer(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// `valid` is empty where nothing is null.
inline void set_valid(ArrowColumn& column, const std::vector<bool>& valid) {
  if (column.buffers.empty()) column.buffers.emplace_back();
  if (valid.empty()) return;
  column.buffers[0] = arrow_bits(valid);
  for (const bool is_valid : valid) column.nulls += is_valid ? 0 : 1;
}

template <typename T>
ArrowColumn arrow_numbers(const std::string& format, const std::vector<T>& values,
                          const std::vector<bool>& valid = {}) {
  ArrowColumn column{format, static_cast<std::int64_t>(values.size())};
  set_valid(column, valid);
  column.buffers.push_back(arrow_buffer(values));
  return column;
}

inline ArrowColumn arrow_bools(const std::vector<bool>& values) {
  ArrowColumn column{"b", static_cast<std::int64_t>(values.size())};
  set_valid(column, {});
  column.buffers.push_back(arrow_bits(values));
  return column;
}

/// "u", "U", "z" or "Z".
inline ArrowColumn arrow_bytes(const std::string& format,
                               const std::vector<std::optional<std::string>>& values) {
  ArrowColumn column{format, static_cast<std::int64_t>(values.size())};
  std::vector<bool> valid;
  std::vector<std::int64_t> offsets{0};
  std::string data;
  for (const auto& value : values) {
    valid.push_back(value.has_value());
    if (value) data += *value;
    offsets.push_back(static_cast<std::int64_t>(data.size()));
  }
  set_valid(column, valid);
  const bool is_large = format == "U" || format == "Z";
  column.buffers.push_back(is_large
                               ? arrow_buffer(offsets)
                               : arrow_buffer(std::vector<std::int32_t>(offsets.begin(), offsets.end())));
  column.buffers.push_back(arrow_buffer(std::vector<char>(data.begin(), data.end())));
  return column;
}

inline ArrowColumn arrow_fixed_list(std::int64_t size, ArrowColumn items,
                                    const std::vector<bool>& valid = {}) {
  ArrowColumn column{"+w:" + std::to_string(size), items.length / size};
  set_valid(column, valid);
  column.children.emplace_back("item", std::move(items));
  return column;
}

inline ArrowColumn arrow_list(const std::vector<std::int32_t>& offsets, ArrowColumn items,
                              const std::vector<bool>& valid = {}) {
  ArrowColumn column{"+l", static_cast<std::int64_t>(offsets.size()) - 1};
  set_valid(column, valid);
  column.buffers.push_back(arrow_buffer(offsets));
  column.children.emplace_back("item", std::move(items));
  return column;
}

inline ArrowColumn arrow_struct(std::vector<std::pair<std::string, ArrowColumn>> members) {
  ArrowColumn column{"+s", members.empty() ? 0 : members[0].second.length};
  set_valid(column, {});
  column.children = std::move(members);
  return column;
}

/// Owns its columns, and lends them. A second schema() or array() gives the same.
class ArrowTable {
 public:
  ArrowTable() { root_ = arrow_struct({}); }
  ArrowTable& add(const std::string& name, ArrowColumn column) {
    root_.length = column.length;
    root_.children.emplace_back(name, std::move(column));
    return *this;
  }
  /// Rows [offset, offset + length) of the columns.
  ArrowTable& slice(std::int64_t offset, std::int64_t length) {
    root_.offset = offset;
    root_.length = length;
    return *this;
  }

  const ArrowSchema& schema() {
    if (schemas_.empty()) (void)schema_of("", root_);
    return schemas_.front();
  }
  const ArrowArray& array() {
    if (arrays_.empty()) (void)array_of(root_);
    return arrays_.front();
  }

 private:
  ArrowSchema* schema_of(const std::string& name, const ArrowColumn& column) {
    schemas_.push_back({});
    ArrowSchema& schema = schemas_.back();
    schema.format = keep(column.format);
    schema.name = keep(name);
    schema.flags = ARROW_FLAG_NULLABLE;
    schema.n_children = static_cast<std::int64_t>(column.children.size());
    std::vector<ArrowSchema*> children;
    for (const auto& [child, data] : column.children) children.push_back(schema_of(child, data));
    schema_children_.push_back(std::move(children));
    schema.children = schema_children_.back().data();
    if (column.dictionary) schema.dictionary = schema_of("", *column.dictionary);
    schema.release = [](ArrowSchema* released) { released->release = nullptr; };
    return &schema;
  }

  ArrowArray* array_of(const ArrowColumn& column) {
    arrays_.push_back({});
    ArrowArray& array = arrays_.back();
    array.length = column.length;
    array.null_count = column.nulls;
    array.offset = column.offset;
    std::vector<const void*> buffers;
    for (std::size_t i = 0; i < column.buffers.size(); ++i) {
      const bool is_absent = i == 0 && column.buffers[i].empty();
      buffers.push_back(is_absent ? nullptr : column.buffers[i].data());
    }
    buffers_.push_back(std::move(buffers));
    array.n_buffers = static_cast<std::int64_t>(column.buffers.size());
    array.buffers = buffers_.back().data();
    std::vector<ArrowArray*> children;
    for (const auto& child : column.children) children.push_back(array_of(child.second));
    array.n_children = static_cast<std::int64_t>(children.size());
    array_children_.push_back(std::move(children));
    array.children = array_children_.back().data();
    if (column.dictionary) array.dictionary = array_of(*column.dictionary);
    array.release = [](ArrowArray* released) { released->release = nullptr; };
    return &array;
  }

  const char* keep(const std::string& text) {
    texts_.push_back(text);
    return texts_.back().c_str();
  }

  ArrowColumn root_;
  std::deque<std::string> texts_;
  std::deque<ArrowSchema> schemas_;
  std::deque<std::vector<ArrowSchema*>> schema_children_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::vector<ArrowArray*>> array_children_;
  std::deque<std::vector<const void*>> buffers_;
};

/// What came out, read as the interface says; released at the end.
class ArrowResult {
 public:
  ~ArrowResult() {
    if (array.release != nullptr) array.release(&array);
    if (schema.release != nullptr) schema.release(&schema);
  }
  ArrowResult() = default;
  ArrowResult(const ArrowResult&) = delete;
  ArrowResult& operator=(const ArrowResult&) = delete;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < schema.n_children; ++i)
      all.push_back(std::string(schema.children[i]->name) + ":" + schema.children[i]->format);
    return all;
  }
  static bool is_null(const ArrowArray& column, std::int64_t row) {
    if (column.buffers[0] == nullptr) return false;
    return (static_cast<const std::uint8_t*>(column.buffers[0])[row / 8] >> (row % 8) & 1) == 0;
  }
  const ArrowArray& column(std::int64_t index) const { return *array.children[index]; }
  bool is_null(std::int64_t index, std::int64_t row) const { return is_null(column(index), row); }
  template <typename T>
  static T number(const ArrowArray& column, std::int64_t row) {
    return static_cast<const T*>(column.buffers[1])[row];
  }
  static std::string text(const ArrowArray& column, std::int64_t row) {
    const auto* const offsets = static_cast<const std::int32_t*>(column.buffers[1]);
    return {static_cast<const char*>(column.buffers[2]) + offsets[row],
            static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
  }
  std::string text(std::int64_t index, std::int64_t row) const { return text(column(index), row); }

  ArrowSchema schema{};
  ArrowArray array{};
};

}  // namespace mxinfer::test
