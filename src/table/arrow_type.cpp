#include "table/arrow_type.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/fail.h"

namespace mxinfer::table {
namespace {

/// Types deeper than in any real table would only exhaust the stack.
constexpr int kMostLevels = 32;

struct Primitive {
  char format;
  DType dtype;
  const char* name;
};

constexpr Primitive kPrimitives[] = {
    {'b', DType::boolean, "bool"},      {'c', DType::int8, "int8"},     {'C', DType::uint8, "uint8"},
    {'s', DType::int16, "int16"},       {'S', DType::uint16, "uint16"}, {'i', DType::int32, "int32"},
    {'I', DType::uint32, "uint32"},     {'l', DType::int64, "int64"},   {'L', DType::uint64, "uint64"},
    {'e', DType::float16, "halffloat"}, {'f', DType::float32, "float"}, {'g', DType::float64, "double"},
};

const Primitive* find_primitive(std::string_view format) {
  if (format.size() != 1) return nullptr;
  for (const Primitive& primitive : kPrimitives) {
    if (primitive.format == format[0]) return &primitive;
  }
  return nullptr;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// The number after a prefix such as "+w:".
std::int64_t size_behind(std::string_view format, std::size_t prefix) {
  std::int64_t size = -1;
  const char* const end = format.data() + format.size();
  const auto read = std::from_chars(format.data() + prefix, end, size);
  if (read.ec != std::errc() || read.ptr != end || size < 0) {
    fail(ErrorCode::invalid_argument, "the format \"", printable(format),
         "\" of an Arrow column has no size after the colon");
  }
  return size;
}

void require_children(const ArrowSchema& schema, std::int64_t count) {
  if (schema.n_children == count && schema.children != nullptr && schema.children[0] != nullptr) return;
  fail(ErrorCode::invalid_argument, "a column of the format \"", printable(schema.format), "\" has ",
       schema.n_children, " children in its Arrow schema; expected ", count);
}

ArrowType type_of(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  ArrowType type;
  if (const Primitive* primitive = find_primitive(format)) {
    type.kind = primitive->dtype == DType::boolean ? CellKind::boolean : CellKind::number;
    type.dtype = primitive->dtype;
  } else if (format == "n") {
    type.kind = CellKind::null;
  } else if (format == "u" || format == "U" || format == "vu") {
    type = {CellKind::text, DType::uint8, format == "U", format == "vu"};
  } else if (format == "z" || format == "Z" || format == "vz") {
    type = {CellKind::binary, DType::uint8, format == "Z", format == "vz"};
  } else if (starts_with(format, "w:")) {
    type = {CellKind::binary, DType::uint8, false, false, size_behind(format, 2)};
    if (type.size == 0) type.kind = CellKind::other;
  } else if (format == "+l" || format == "+L") {
    require_children(schema, 1);
    type = {CellKind::list, DType::uint8, format == "+L"};
  } else if (starts_with(format, "+w:")) {
    require_children(schema, 1);
    type = {CellKind::fixed_list, DType::uint8, false, false, size_behind(format, 3)};
  } else if (format == "+s") {
    type.kind = CellKind::structure;
  }
  return type;
}

std::string name_of(const ArrowSchema& schema, int level) {
  if (schema.release == nullptr || schema.format == nullptr) return "released";
  if (level > kMostLevels) return "...";
  const std::string_view format = schema.format;
  const auto child = [&] {
    return schema.n_children > 0 && schema.children != nullptr ? name_of(*schema.children[0], level + 1)
                                                               : std::string("?");
  };
  if (schema.dictionary != nullptr) return "dictionary<" + name_of(*schema.dictionary, level + 1) + ">";
  if (const Primitive* primitive = find_primitive(format)) return primitive->name;
  if (format == "n") return "null";
  if (format == "u" || format == "vu") return "string";
  if (format == "U") return "large_string";
  if (format == "z" || format == "vz") return "binary";
  if (format == "Z") return "large_binary";
  if (starts_with(format, "w:")) return "fixed_size_binary[" + printable(format.substr(2)) + "]";
  if (format == "+l") return "list<" + child() + ">";
  if (format == "+L") return "large_list<" + child() + ">";
  if (starts_with(format, "+w:"))
    return "fixed_size_list<" + child() + ">[" + printable(format.substr(3)) + "]";
  if (format == "+s") return "struct";
  if (format == "+m") return "map";
  if (starts_with(format, "d:")) return "decimal";
  if (starts_with(format, "td")) return "date";
  if (starts_with(format, "tt")) return "time";
  if (starts_with(format, "ts")) return "timestamp";
  return "the Arrow format \"" + printable(format) + "\"";
}

}  // namespace

char arrow_format(DType dtype) noexcept {
  // One byte each: as a bitmap, a row of booleans would begin in the middle of a byte.
  if (dtype == DType::boolean) dtype = DType::uint8;
  for (const Primitive& primitive : kPrimitives) {
    if (primitive.dtype == dtype) return primitive.format;
  }
  return 0;
}

std::size_t bytes_of_format(char format) noexcept {
  const Primitive* const primitive = find_primitive({&format, 1});
  return primitive == nullptr ? 0 : size_of(primitive->dtype);
}

ArrowType arrow_type(const ArrowSchema& schema) {
  if (schema.release == nullptr || schema.format == nullptr) {
    fail(ErrorCode::invalid_argument,
         "the Arrow schema is already released, or has no format; give one that is not released");
  }
  return schema.dictionary != nullptr ? arrow_type(*schema.dictionary) : type_of(schema);
}

std::string arrow_type_name(const ArrowSchema& schema) {
  return name_of(schema, 0);
}

std::string column_name(const ArrowSchema& schema) {
  return schema.name == nullptr ? std::string() : std::string(schema.name);
}

}  // namespace mxinfer::table
