#include "ops/tensor/indexing/lookup_values.h"

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/fail.h"
#include "base/utf8.h"

namespace mxinfer::ops {
namespace {

using nlohmann::json;

/// float32 has every position below it exactly.
constexpr std::size_t kMostValues = std::size_t{1} << 24;

std::string as_text(const json& value, std::size_t position) {
  if (!value.is_string()) {
    fail(ErrorCode::malformed, "values[", position, "] is ", value.type_name(), "; expected a text");
  }
  return value.get<std::string>();
}

void check_values(const std::vector<std::string>& values) {
  if (values.empty() || values.size() > kMostValues) {
    fail(ErrorCode::malformed, "there are ", values.size(), " values; expected 1 to ", kMostValues);
  }
  std::unordered_set<std::string_view> known;
  for (const std::string& value : values) {
    if (value.find('\0') != std::string::npos) {
      fail(ErrorCode::malformed, "value '", printable(value),
           "' holds a zero byte, which a text cannot have");
    }
    if (known.insert(value).second) continue;
    fail(ErrorCode::malformed, "value '", printable(value), "' appears twice, so its position is ambiguous");
  }
}

}  // namespace

std::vector<std::string> parse_lookup_values(std::string_view text) {
  const json list = json::parse(text.begin(), text.end(), nullptr, false);
  if (!list.is_array()) {
    fail(ErrorCode::malformed, "values is ", printable(text),
         R"(; expected a list of texts, ["clerk", "nurse"])");
  }
  std::vector<std::string> values;
  for (const json& value : list) values.push_back(as_text(value, values.size()));
  check_values(values);
  return values;
}

std::string lookup_values_text(const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (!is_utf8(value)) fail(ErrorCode::invalid_argument, "value '", printable(value), "' is not UTF-8");
  }
  return json(values).dump();
}

}  // namespace mxinfer::ops
