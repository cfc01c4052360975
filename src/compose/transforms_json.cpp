#include "compose/transforms_json.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/fail.h"
#include "base/strict_json.h"
#include "compose/steps_json.h"
#include "compose/texts_json.h"
#include "formats/signature_json.h"
#include "sources/source.h"

namespace mxinfer {
namespace api {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// A vocabulary may stand in it.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kMostSteps = 1000;
constexpr std::size_t kMostColumns = 4096;
constexpr std::int64_t kMostNumbers = 1 << 20;  // of a row of one column
constexpr const char* kText = "string";         // the dtype of a column of text

}  // namespace

std::string json_piece(const json& value) {
  return concat(value.type_name(), " ", printable(value.dump(-1, ' ', true, json::error_handler_t::replace)));
}

namespace {

template <typename Number>
std::string shortest(Number value) {
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : std::to_string(value);
}

std::string scalar_text(const json& value, const std::string& key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_number()) return value.dump();
  if (value.is_null()) return "None";
  fail(ErrorCode::malformed, "\"", printable(key), "\" is ", json_piece(value),
       "; expected a number, a text, true or false, or a list of those");
}

// Lists of texts stay JSON: a text may hold what a tuple is made of.
bool is_json(const std::string& op, const std::string& key) {
  return (op == "lookup" && key == "values") || key == "vocabulary";
}

// As a node's attribute; a vocabulary may also be the path of one.
std::string json_text_of(const std::string& key, const json& value) {
  return key == "vocabulary" && value.is_string() ? value.get<std::string>() : value.dump();
}

// As Python prints a tuple, which is what MXNet reads.
std::string attribute_text(const json& value, const std::string& key) {
  if (!value.is_array()) return scalar_text(value, key);
  std::string text = "(";
  for (const json& element : value) text += (text.size() > 1 ? ", " : "") + scalar_text(element, key);
  return text + (value.size() == 1 ? ",)" : ")");
}

std::string text_of(const char* key, const json& value) {
  if (!value.is_string())
    fail(ErrorCode::malformed, "\"", key, "\" is ", json_piece(value), "; expected text");
  return value.get<std::string>();
}

Transform read_step(const json& source) {
  if (source.is_string()) return {source.get<std::string>()};
  if (!source.is_object()) {
    fail(ErrorCode::malformed, "it is ", json_piece(source),
         R"(; expected an object such as {"op": "to_tensor"})");
  }
  Transform step;
  if (const auto op = source.find("op"); op != source.end()) step.op = text_of("op", *op);
  if (step.op.empty()) fail(ErrorCode::malformed, "\"op\", the name of the step, is missing");
  for (const auto& [key, value] : source.items()) {
    if (key != "op")
      step.attrs[key] = is_json(step.op, key) ? json_text_of(key, value) : attribute_text(value, key);
  }
  return step;
}

}  // namespace

std::vector<Transform> read_steps(const json& source) {
  if (!source.is_array()) {
    fail(ErrorCode::malformed, "it is ", json_piece(source),
         R"(; expected a list of steps such as [{"op": "resize", "size": [224, 224]}])");
  }
  if (source.size() > kMostSteps) {
    fail(ErrorCode::malformed, "the list has ", source.size(), " steps; at most ", kMostSteps, " are read");
  }
  std::vector<Transform> steps;
  for (const json& step : source) {
    steps.push_back(
        in_context([&] { return concat("step ", steps.size() + 1); }, [&] { return read_step(step); }));
  }
  return steps;
}

namespace {

void set_dtype(const std::string& name, ColumnTransform& column) {
  column.is_text = name == kText;
  const auto dtype = column.is_text ? DType::uint8 : formats::dtype_named(name);
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
    fail(ErrorCode::malformed, "\"size\" is ", json_piece(value),
         "; expected how many numbers a row has, 1 to ", kMostNumbers);
  }
  return size;
}

ColumnTransform read_column(const json& source) {
  ColumnTransform column;
  for (const auto& [key, value] : source.items()) {
    if (key == "name") {
      column.name = text_of("name", value);
    } else if (key == "dtype") {
      set_dtype(text_of("dtype", value), column);
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
    fail(ErrorCode::malformed, "it is ", json_piece(source),
         R"(; expected a list of steps, or {"columns": [{"name": "age", "steps": [...]}]})");
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
                   fail(ErrorCode::malformed, "it is ", json_piece(column),
                        R"(; expected an object such as {"name": "age", "dtype": "float32", "steps": []})");
                 }
                 columns.push_back(read_column(column));
               });
  }
  return columns;
}

// A text that MXNet would read as a number, flag or tuple, as that in JSON.
ordered_json attribute_json(std::string_view text) {
  if (text == "True" || text == "False") return text == "True";
  if (text == "None") return nullptr;
  std::int64_t integer = 0;
  const char* last = text.data() + text.size();
  if (std::from_chars(text.data(), last, integer).ptr == last && !text.empty()) return integer;
  double number = 0;
  const auto parsed = std::from_chars(text.data(), last, number);
  if (parsed.ec == std::errc() && parsed.ptr == last && number - number == 0) return number;
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::string(text);
  ordered_json list = ordered_json::array();
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    if (!part.empty()) list.push_back(attribute_json(part));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return list;
}

}  // namespace

ordered_json steps_json(const std::vector<Transform>& steps) {
  ordered_json list = ordered_json::array();
  for (const Transform& step : steps) {
    ordered_json out = {{"op", step.op}};
    for (const auto& [key, value] : step.attrs) {
      out[key] = is_json(step.op, key) ? ordered_json::parse(value) : attribute_json(value);
    }
    list.push_back(std::move(out));
  }
  return list;
}

namespace {

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

std::string number_text(double value) {
  return shortest(value);
}
std::string number_text(float value) {
  return shortest(value);
}

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
