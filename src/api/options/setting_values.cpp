#include "api/options/setting_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>

#include "base/text/strict_json.h"

namespace mxinfer::api {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<float> read_finite(std::string_view text) {
  const std::optional<float> value = read_number<float>(trimmed(text));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string_view without_brackets(std::string_view text) {
  text = trimmed(text);
  const bool round = text.size() >= 2 && text.front() == '(' && text.back() == ')';
  const bool square = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  return round || square ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::string with_underscores(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

bool parse_truth(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  fail(ErrorCode::invalid_argument, "expects true or false, got '", printable(text), "'");
}

std::int64_t parse_whole(std::string_view text, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> value = read_number<std::int64_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  fail(ErrorCode::invalid_argument, "expects a whole number from ", least, " to ", most, ", got '",
       printable(text), "'");
}

std::uint64_t parse_count(std::string_view text) {
  if (const std::optional<std::uint64_t> value = read_number<std::uint64_t>(text)) return *value;
  fail(ErrorCode::invalid_argument, "expects a whole number from 0 to ",
       std::numeric_limits<std::uint64_t>::max(), ", got '", printable(text), "'");
}

float parse_number(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::optional<float> above = read_finite(text.substr(0, slash));
  const std::optional<float> below =
      slash == std::string_view::npos ? std::optional<float>(1.0F) : read_finite(text.substr(slash + 1));
  if (above && below && *below != 0) return *above / *below;
  fail(ErrorCode::invalid_argument,
       "expects a number such as 0.5 or 1e-3, or a fraction such as 1/255, got '", printable(text), "'");
}

std::array<float, 3> parse_channels(std::string_view text) {
  std::vector<float> values;
  std::string_view rest = without_brackets(text);
  while (values.size() < 3) {
    const std::size_t comma = rest.find(',');
    const std::optional<float> value = read_finite(rest.substr(0, comma));
    if (!value) break;
    values.push_back(*value);
    if (comma == std::string_view::npos) {
      if (values.size() == 1) return {values[0], values[0], values[0]};
      if (values.size() == 3) return {values[0], values[1], values[2]};
      break;
    }
    rest.remove_prefix(comma + 1);
  }
  fail(ErrorCode::invalid_argument,
       "expects one number for all channels, or three separated by commas, got '", printable(text), "'");
}

std::string print_number(float value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

std::string print_channels(const std::array<float, 3>& values) {
  const auto [red, green, blue] = values;
  if (red == green && green == blue) return print_number(red);
  return print_number(red) + "," + print_number(green) + "," + print_number(blue);
}

std::vector<std::string> parse_texts(std::string_view text) {
  if (trimmed(text).substr(0, 1) != "[") return {std::string(text)};
  const nlohmann::json list = parse_strict_json(text);
  std::vector<std::string> texts;
  for (const nlohmann::json& item : list) {
    if (!item.is_string()) {
      fail(ErrorCode::invalid_argument, "expects a list of texts such as [\"a\", \"b\"], got ",
           item.type_name(), " as item ", texts.size());
    }
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

const char* stored(const std::string& text) {
  static std::mutex mutex;
  static auto& texts = *new std::set<std::string>;  // never destroyed
  const std::lock_guard lock(mutex);
  return texts.insert(text).first->c_str();
}

}  // namespace mxinfer::api
