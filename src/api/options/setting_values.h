// The values of settings: text to numbers, truths, names and lists. Errors are "expects true or false, got
// 'x'"; callers prefix the name of the setting or option.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text/suggest.h"

namespace mxinfer::api {

template <typename Value>
using NamedValues = std::vector<std::pair<std::string, Value>>;

template <typename Value>
std::vector<std::string> names_of(const NamedValues<Value>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

/// '-' and '_' are equivalent.
std::string with_underscores(std::string_view text);

template <typename Value>
Value parse_named(const NamedValues<Value>& values, std::string_view text) {
  const std::string wanted = with_underscores(text);
  for (const auto& [name, value] : values) {
    if (name == wanted) return value;
  }
  const std::vector<std::string> names = names_of(values);
  fail(ErrorCode::invalid_argument, "expects ", listed(names), ", got '", printable(text), "'",
       did_you_mean(wanted, names));
}

bool parse_truth(std::string_view text);
std::int64_t parse_whole(std::string_view text, std::int64_t least, std::int64_t most);
std::uint64_t parse_count(std::string_view text);
/// Finite: "0.5", "1e-3", or a fraction such as "1/255".
float parse_number(std::string_view text);
/// One number for all channels, or three separated by commas; with or without brackets.
std::array<float, 3> parse_channels(std::string_view text);
/// The shortest text that parse_number() reads as the same number.
std::string print_number(float value);
/// One number if all are equal.
std::string print_channels(const std::array<float, 3>& values);
/// A JSON array of texts, or one text as it is.
std::vector<std::string> parse_texts(std::string_view text);

/// The same text, which lives as long as the process.
const char* stored(const std::string& text);

}  // namespace mxinfer::api
