#include "compose/steps_json.h"

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "compose/number_text.h"
#include "formats/json_fields.h"

namespace mxinfer::api {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostSteps = 1000;

std::string scalar_text(const json& value, const std::string& key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_number_float()) return number_text(value.get<double>());
  if (value.is_number()) return value.dump();
  if (value.is_null()) return "None";
  formats::reject_json(concat("\"", printable(key), "\""), value,
                       "a number, a text, true or false, or a list of those");
}

// Lists of texts stay JSON, because a text may contain parentheses and commas.
bool is_json(const std::string& op, const std::string& key) {
  return (op == "lookup" && key == "values") || key == "vocabulary";
}

// As a node's attribute; a vocabulary may also be the path of one.
std::string json_text_of(const std::string& key, const json& value) {
  return key == "vocabulary" && value.is_string() ? value.get<std::string>() : value.dump();
}

// In Python's form of a tuple, which MXNet reads.
std::string attribute_text(const json& value, const std::string& key) {
  if (!value.is_array()) return scalar_text(value, key);
  std::string text = "(";
  for (const json& element : value) text += (text.size() > 1 ? ", " : "") + scalar_text(element, key);
  return text + (value.size() == 1 ? ",)" : ")");
}

Transform read_step(const json& source) {
  if (source.is_string()) return {source.get<std::string>()};
  if (!source.is_object()) {
    formats::reject_json("it", source, R"(an object such as {"op": "to_tensor"})");
  }
  Transform step;
  if (const auto op = source.find("op"); op != source.end()) step.op = formats::json_text("\"op\"", *op);
  if (step.op.empty()) fail(ErrorCode::malformed, "\"op\", the name of the step, is missing");
  for (const auto& [key, value] : source.items()) {
    if (key != "op")
      step.attrs[key] = is_json(step.op, key) ? json_text_of(key, value) : attribute_text(value, key);
  }
  return step;
}

// Converts text that MXNet would read as a number, flag or tuple to that type in JSON.
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

std::vector<Transform> read_steps(const json& source) {
  if (!source.is_array()) {
    formats::reject_json("it", source, R"(a list of steps such as [{"op": "resize", "size": [224, 224]}])");
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

}  // namespace mxinfer::api
