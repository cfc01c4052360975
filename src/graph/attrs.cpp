#include "graph/attrs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/fail.h"

namespace mxinfer::graph {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Python 2 wrote long integers as "3L".
std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text.size() > 1 && (text.back() == 'L' || text.back() == 'l')) text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::strtod(std::string(text).c_str(), nullptr);
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<bool> parse_flag(std::string_view text) {
  text = trim(text);
  if (text == "True" || text == "true" || text == "1") return true;
  if (text == "False" || text == "false" || text == "0") return false;
  return std::nullopt;
}

// The elements of "(1, 2)", "[1,2]", "(3,)", "()", or a bare "3". Empty if the brackets do not match.
std::optional<std::vector<std::string_view>> split_tuple(std::string_view text) {
  text = trim(text);
  if (!text.empty() && (text.front() == '(' || text.front() == '[')) {
    const char closing = text.front() == '(' ? ')' : ']';
    if (text.size() < 2 || text.back() != closing) return std::nullopt;
    text = trim(text.substr(1, text.size() - 2));
    if (!text.empty() && text.back() == ',') text = trim(text.substr(0, text.size() - 1));
    if (text.empty()) return std::vector<std::string_view>{};
  }
  std::vector<std::string_view> parts;
  while (true) {
    const auto comma = text.find(',');
    parts.push_back(trim(text.substr(0, comma)));
    if (parts.back().empty()) return std::nullopt;
    if (comma == std::string_view::npos) return parts;
    text = text.substr(comma + 1);
  }
}

std::string expected(const AttrSpec& spec) {
  std::string text;
  switch (spec.kind) {
    case AttrKind::integer:
      text = "an integer";
      break;
    case AttrKind::number:
      text = "a number";
      break;
    case AttrKind::flag:
      text = "True or False";
      break;
    case AttrKind::text:
      text = "text";
      break;
    case AttrKind::int_tuple:
      text = "a tuple of integers such as (3, 3)";
      break;
    case AttrKind::number_tuple:
      text = "a tuple of numbers such as (0.1, 0.2)";
      break;
    case AttrKind::choice:
      text = "one of";
      for (const auto& choice : spec.choices) text += " " + choice;
      break;
  }
  if (std::isfinite(spec.minimum)) text += concat(", at least ", spec.minimum);
  if (std::isfinite(spec.maximum)) text += concat(", at most ", spec.maximum);
  if (spec.nullable) text += ", or None";
  return text;
}

[[noreturn]] void fail_value(const AttrSpec& spec, std::string_view text) {
  fail(ErrorCode::malformed, "attribute ", spec.name, "=\"", printable(text), "\": expected ",
       expected(spec));
}

bool in_range(const AttrSpec& spec, double value) {
  // NaN is never within limits.
  const bool limited = std::isfinite(spec.minimum) || std::isfinite(spec.maximum);
  return std::isnan(value) ? !limited : value >= spec.minimum && value <= spec.maximum;
}

AttrValue parse_int_tuple(const AttrSpec& spec, std::string_view text) {
  const auto parts = split_tuple(text);
  if (!parts) fail_value(spec, text);
  IntTuple tuple;
  for (std::string_view part : *parts) {
    if (part == "None") {
      tuple.emplace_back();
      continue;
    }
    const auto value = parse_integer(part);
    if (!value || !in_range(spec, static_cast<double>(*value))) fail_value(spec, text);
    tuple.emplace_back(*value);
  }
  return tuple;
}

AttrValue parse_number_tuple(const AttrSpec& spec, std::string_view text) {
  const auto parts = split_tuple(text);
  if (!parts) fail_value(spec, text);
  std::vector<double> tuple;
  for (std::string_view part : *parts) {
    const auto value = parse_number(part);
    if (!value || !in_range(spec, *value)) fail_value(spec, text);
    tuple.push_back(*value);
  }
  return tuple;
}

AttrSpec make_spec(std::string name, AttrKind kind, const std::optional<std::string>& default_text) {
  AttrSpec spec;
  spec.name = std::move(name);
  spec.kind = kind;
  spec.required = !default_text.has_value();
  spec.default_text = default_text.value_or("");
  spec.nullable = spec.default_text == "None";
  return spec;
}

const std::vector<std::string>& dtype_words() {
  static const std::vector<std::string>& words = *new std::vector<std::string>{
      "float32", "float64", "float16", "uint8",  "int32",    "int8", "int64", "bool",
      "int16",   "uint16",  "uint32",  "uint64", "bfloat16", "0",    "1",     "2",
      "3",       "4",       "5",       "6",      "7",        "12"};
  return words;
}

bool is_annotation(std::string_view name) {
  return name.size() > 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__";
}

}  // namespace

AttrSpec AttrSpec::at_least(double value) && {
  minimum = value;
  return std::move(*this);
}

AttrSpec AttrSpec::at_most(double value) && {
  maximum = value;
  return std::move(*this);
}

AttrSpec AttrSpec::optional_none() && {
  if (required) {
    required = false;
    default_text = "None";
  }
  nullable = true;
  return std::move(*this);
}

AttrSpec AttrSpec::without_effect() && {
  ignored = true;
  return std::move(*this);
}

AttrSpec integer_attr(std::string name) {
  return make_spec(std::move(name), AttrKind::integer, {});
}
AttrSpec integer_attr(std::string name, std::int64_t default_value) {
  return make_spec(std::move(name), AttrKind::integer, std::to_string(default_value));
}
AttrSpec number_attr(std::string name) {
  return make_spec(std::move(name), AttrKind::number, {});
}
AttrSpec number_attr(std::string name, double default_value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, default_value).ptr;
  return make_spec(std::move(name), AttrKind::number, std::string(text, end));
}
AttrSpec flag_attr(std::string name, bool default_value) {
  return make_spec(std::move(name), AttrKind::flag, default_value ? "True" : "False");
}
AttrSpec text_attr(std::string name, std::string default_value) {
  return make_spec(std::move(name), AttrKind::text, std::move(default_value));
}
AttrSpec choice_attr(std::string name, std::vector<std::string> choices) {
  AttrSpec spec = make_spec(std::move(name), AttrKind::choice, {});
  spec.choices = std::move(choices);
  return spec;
}
AttrSpec choice_attr(std::string name, std::vector<std::string> choices, std::string default_value) {
  AttrSpec spec = make_spec(std::move(name), AttrKind::choice, std::move(default_value));
  spec.choices = std::move(choices);
  return spec;
}
AttrSpec tuple_attr(std::string name) {
  return make_spec(std::move(name), AttrKind::int_tuple, {});
}
AttrSpec tuple_attr(std::string name, std::string default_value) {
  return make_spec(std::move(name), AttrKind::int_tuple, std::move(default_value));
}
AttrSpec number_tuple_attr(std::string name) {
  return make_spec(std::move(name), AttrKind::number_tuple, {});
}
AttrSpec number_tuple_attr(std::string name, std::string default_value) {
  return make_spec(std::move(name), AttrKind::number_tuple, std::move(default_value));
}
AttrSpec dtype_attr(std::string name) {
  return choice_attr(std::move(name), dtype_words());
}
AttrSpec dtype_attr(std::string name, std::string default_value) {
  return choice_attr(std::move(name), dtype_words(), std::move(default_value));
}

AttrValue parse_value(const AttrSpec& spec, std::string_view text) {
  if (spec.nullable && trim(text) == "None") return None{};
  switch (spec.kind) {
    case AttrKind::integer: {
      const auto value = parse_integer(text);
      if (!value || !in_range(spec, static_cast<double>(*value))) fail_value(spec, text);
      return *value;
    }
    case AttrKind::number: {
      const auto value = parse_number(text);
      if (!value || !in_range(spec, *value)) fail_value(spec, text);
      return *value;
    }
    case AttrKind::flag: {
      const auto value = parse_flag(text);
      if (!value) fail_value(spec, text);
      return *value;
    }
    case AttrKind::choice:
      if (std::find(spec.choices.begin(), spec.choices.end(), trim(text)) == spec.choices.end()) {
        fail_value(spec, text);
      }
      return std::string(trim(text));
    case AttrKind::text:
      return std::string(text);
    case AttrKind::int_tuple:
      return parse_int_tuple(spec, text);
    case AttrKind::number_tuple:
      return parse_number_tuple(spec, text);
  }
  fail(ErrorCode::internal, "attribute ", spec.name, " is of a kind that is not handled");
}

Attrs parse_attrs(const std::vector<AttrSpec>& specs, const std::map<std::string, std::string>& raw) {
  Attrs attrs;
  for (const AttrSpec& spec : specs) {
    const auto found = raw.find(spec.name);
    if (found != raw.end()) {
      attrs.set(spec.name, parse_value(spec, found->second), true);
    } else if (spec.required) {
      fail(ErrorCode::malformed, "attribute ", spec.name, " is required and missing; expected ",
           expected(spec));
    } else {
      attrs.set(spec.name, parse_value(spec, spec.default_text), false);
    }
  }
  // MXNet ignores all attributes of an operator that declares none, so invalid ones must be accepted too.
  if (specs.empty()) return attrs;
  for (const auto& [name, text] : raw) {
    if (is_annotation(name)) continue;
    const auto known = [&name = name](const AttrSpec& spec) { return spec.name == name; };
    if (std::none_of(specs.begin(), specs.end(), known)) {
      fail(ErrorCode::malformed, "attribute ", printable(name), "=\"", printable(text),
           "\" is not an attribute of this operator");
    }
  }
  return attrs;
}

const AttrValue& Attrs::get(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) fail(ErrorCode::internal, "attribute ", name, " was never declared");
  return found->second.value;
}

bool Attrs::has(std::string_view name) const {
  // Passes ask any operator, also one without the attribute.
  const auto found = values_.find(name);
  return found != values_.end() && !std::holds_alternative<None>(found->second.value);
}

bool Attrs::given(std::string_view name) const {
  const auto found = values_.find(name);
  return found != values_.end() && found->second.given;
}

namespace {

template <typename T>
const T& as(const AttrValue& value, std::string_view name) {
  if (const T* held = std::get_if<T>(&value)) return *held;
  fail(ErrorCode::malformed, "attribute ", name, " has no value; it is needed here");
}

}  // namespace

std::int64_t Attrs::integer(std::string_view name) const {
  return as<std::int64_t>(get(name), name);
}
double Attrs::number(std::string_view name) const {
  return as<double>(get(name), name);
}
bool Attrs::flag(std::string_view name) const {
  return as<bool>(get(name), name);
}
const std::string& Attrs::text(std::string_view name) const {
  return as<std::string>(get(name), name);
}
DType Attrs::dtype(std::string_view name) const {
  const std::string& word = text(name);
  for (std::int32_t number = 0; number <= static_cast<std::int32_t>(DType::bfloat16); ++number) {
    const auto dtype = static_cast<DType>(number);
    if (word == to_string(dtype) || word == std::to_string(number)) return dtype;
  }
  fail(ErrorCode::malformed, "attribute ", name, "=\"", printable(word), "\": expected the name of a dtype");
}

const IntTuple& Attrs::optional_tuple(std::string_view name) const {
  return as<IntTuple>(get(name), name);
}
const std::vector<double>& Attrs::number_tuple(std::string_view name) const {
  return as<std::vector<double>>(get(name), name);
}

std::vector<std::int64_t> Attrs::tuple(std::string_view name) const {
  std::vector<std::int64_t> values;
  for (const OptionalInt& value : optional_tuple(name)) {
    if (!value) fail(ErrorCode::unsupported, "attribute ", name, " holds None where a number is needed");
    values.push_back(*value);
  }
  return values;
}

void Attrs::set(std::string name, AttrValue value, bool given) {
  values_[std::move(name)] = Entry{std::move(value), given};
}

}  // namespace mxinfer::graph
