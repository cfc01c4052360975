#include "compose/transforms_json.h"

#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "compose/steps_json.h"
#include "compose/texts/texts_json.h"
#include "formats/json/signature_json.h"
#include "formats/json_fields.h"
#include "sources/source.h"
#include "tensor/names.h"

namespace mxinfer {
namespace api {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// A vocabulary may stand in it.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostColumns = 4096;
constexpr std::int64_t kMostNumbers = 1 << 20;  // of a row of one column
constexpr const char* kText = "string";         // the dtype of a column of text

void set_dtype(const std::string& name, ColumnTransform& column) {
  column.is_text = name == kText;
  const auto dtype = column.is_text ? DType::uint8 : dtype_named(name);
  if (!dtype) {
    fail(ErrorCode::malformed, "\"dtype\" is \"", printable(name), "\"; expected \"", kText,
         "\", or a dtype of numbers such as \"float32\" or \"int64\"");
  }
  column.dtype = *dtype;
}

std::int64_t size_of(const json& value) {
  const bool is_whole = value.is_number_integer();
  const std::int64_t size = is_whole ? value.get<std::int64_t>() : 0;
  if (size < 1 || size > kMostNumbers) {
    formats::reject_json("\"size\"", value,
                         concat("how many numbers a row has, 1 to ", kMostNumbers).c_str());
  }
  return size;
}

ColumnTransform read_column(const json& source) {
  ColumnTransform column;
  for (const auto& [key, value] : source.items()) {
    if (key == "name") {
      column.name = formats::json_text("\"name\"", value);
    } else if (key == "dtype") {
      set_dtype(formats::json_text("\"dtype\"", value), column);
    } else if (key == "size") {
      column.size = size_of(value);
    } else if (key == "steps") {
      column.steps = read_steps(value);
    } else {
      fail(ErrorCode::malformed, "it has a key \"", printable(key),
           "\"; a column has \"name\", \"dtype\", \"size\" and \"steps\"");
    }
  }
  if (column.name.empty()) fail(ErrorCode::malformed, "\"name\", the name of the column, is missing");
  return column;
}

std::string place_of(const json& column, std::size_t number) {
  const json* name = nullptr;
  if (column.is_object() && column.contains("name")) name = &column.at("name");
  const std::string place = concat("column ", number);
  return name == nullptr || !name->is_string()
             ? place
             : concat(place, " '", printable(name->get<std::string>()), "'");
}

std::vector<ColumnTransform> read_columns(const json& source) {
  const bool is_alone = source.size() == 1 && source.contains("columns");
  if (!is_alone || !source.at("columns").is_array()) {
    formats::reject_json("it", source,
                         R"(a list of steps, or {"columns": [{"name": "age", "steps": [...]}]})");
  }
  const json& list = source.at("columns");
  if (list.empty() || list.size() > kMostColumns) {
    fail(ErrorCode::malformed, "there are ", list.size(), " columns; expected 1 to ", kMostColumns);
  }
  std::vector<ColumnTransform> columns;
  for (const json& column : list) {
    in_context([&] { return place_of(column, columns.size() + 1); },
               [&] {
                 if (!column.is_object()) {
                   formats::reject_json(
                       "it", column, R"(an object such as {"name": "age", "dtype": "float32", "steps": []})");
                 }
                 columns.push_back(read_column(column));
               });
  }
  return columns;
}

ordered_json columns_json(const std::vector<ColumnTransform>& columns) {
  ordered_json list = ordered_json::array();
  for (const ColumnTransform& column : columns) {
    ordered_json out = {{"name", column.name}, {"dtype", column.is_text ? kText : to_string(column.dtype)}};
    if (column.size > 0) out["size"] = column.size;
    out["steps"] = steps_json(column.steps);
    list.push_back(std::move(out));
  }
  return {{"columns", std::move(list)}};
}

}  // namespace

TransformLists parse_transform_lists(std::string_view text, const std::string& folder) {
  if (text.size() > kMostBytes) {
    fail(ErrorCode::malformed, "the list of transforms has ", text.size(), " bytes; at most ", kMostBytes,
         " are read");
  }
  const json root = parse_strict_json(text);
  TransformLists lists;
  if (!root.is_object()) {
    lists.all = read_steps(root);
    return lists;
  }
  for (const auto& [name, list] : root.items()) {
    in_context([&name = name] { return "'" + printable(name) + "'"; },
               [&, &name = name, &list = list] {
                 if (are_texts(name, list)) {
                   lists.texts = read_texts(list, folder);
                 } else if (list.is_object()) {
                   lists.columns[name] = read_columns(list);
                 } else {
                   lists.named[name] = read_steps(list);
                 }
               });
  }
  return lists;
}

std::string to_json(const std::vector<Transform>& steps) {
  return steps_json(steps).dump();
}

std::string to_json(const std::map<std::string, std::vector<Transform>>& lists,
                    const std::map<std::string, std::vector<ColumnTransform>>& columns,
                    const std::vector<TextTransform>& texts) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, steps] : lists) object[name] = steps_json(steps);
  for (const auto& [name, list] : columns) object[name] = columns_json(list);
  if (!texts.empty()) object[kTexts] = texts_json(texts);
  return object.dump();
}

}  // namespace api

namespace {

/// Up to the last slash, of a path or an address.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

}  // namespace

TransformLists MXINFER_ABI::parse_transforms(ByteSpan json) try {
  return in_context([] { return std::string("transforms"); },
                    [&] {
                      return api::parse_transform_lists({json.as<char>().data(), json.size()});
                    });
} catch (...) {
  throw_as_error();
}

TransformLists MXINFER_ABI::read_transforms(const std::string& path) try {
  const auto source = sources::open_file(path);
  return in_context([&] { return printable(path); },
                    [&] { return api::parse_transform_lists(sources::read_text(*source), folder_of(path)); });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
