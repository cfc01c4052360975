#include "cli/options/value_checks.h"

#include <mxinfer/error.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/text/suggest.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

template <typename Value>
std::optional<Value> parse_number(std::string_view text) {
  Value value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// 86400 as "86400", 0.001 as "0.001".
std::string short_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

[[noreturn]] void reject(const CLI::Option& option, const std::string& wanted, const std::string& text,
                         const std::string& advice = "") {
  throw UsageError(invalid_value(option.get_name(), text, wanted) + advice);
}

/// The parser appends a validator's description to the value's name: "NAME:{a,b}". choices_of() reads the
/// names there.
constexpr std::string_view kChoicesBegin = ":{";

std::string description_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "{" : ",") + name;
  return text + "}";
}

}  // namespace

CLI::Option* whole_number(CLI::Option* option, std::uint64_t minimum, std::uint64_t maximum) {
  // The number is written back, so that the parser does not read 010 as octal.
  const auto check = [option, minimum, maximum](std::string& text) {
    const std::optional<std::uint64_t> value = parse_number<std::uint64_t>(text);
    if (value && *value >= minimum && *value <= maximum) {
      text = std::to_string(*value);
      return std::string();
    }
    const bool upper = maximum < kLargestInt || (value && *value > maximum);
    reject(*option,
           "a whole number " + (upper ? "from " + std::to_string(minimum) + " to " + std::to_string(maximum)
                                      : "of at least " + std::to_string(minimum)),
           text);
  };
  return option->transform(CLI::Validator(check, ""));
}

CLI::Option* number(CLI::Option* option, double minimum, double maximum) {
  const auto check = [option, minimum, maximum](std::string& text) {
    const std::optional<double> value = parse_number<double>(text);
    if (value && *value >= minimum && *value <= maximum && std::isfinite(*value)) return std::string();
    const bool upper = std::isfinite(maximum);
    reject(*option,
           "a number " + (upper ? "from " + short_text(minimum) + " to " + short_text(maximum)
                                : "of at least " + short_text(minimum)),
           text);
  };
  return option->transform(CLI::Validator(check, ""));
}

CLI::Option* byte_count(CLI::Option* option) {
  const auto check = [option](std::string& text) {
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
    const bool has_unit = unit != std::string_view::npos;
    const auto digits = std::string_view(text).substr(0, text.size() - (has_unit ? 1 : 0));
    const std::size_t bits = has_unit ? 10 * (unit + 1) : 0;
    const std::optional<std::uint64_t> value = parse_number<std::uint64_t>(digits);
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) >> bits;
    if (!value || *value > most) reject(*option, "a number of bytes, such as 500000000, 500M or 2G", text);
    text = std::to_string(*value << bits);
    return std::string();
  };
  return option->transform(CLI::Validator(check, ""));
}

CLI::Option* one_of(CLI::Option* option, const std::vector<std::string>& names,
                    const std::vector<std::string>& also) {
  const auto check = [option, names, also](std::string& text) {
    for (const auto* list : {&names, &also}) {
      if (std::find(list->begin(), list->end(), text) != list->end()) return std::string();
    }
    reject(*option, listed(names), text, did_you_mean(text, names));
  };
  return option->check(CLI::Validator(check, description_of(names)));
}

CLI::Option* named_by(CLI::Option* option, const std::vector<std::string>& names,
                      const std::function<void(const std::string&)>& parse) {
  const auto check = [option, names, parse](std::string& text) {
    try {
      parse(text);
    } catch (const Error&) {
      reject(*option, listed(names), text, did_you_mean(text, names));
    }
    return std::string();
  };
  return option->check(CLI::Validator(check, description_of(names)));
}

CLI::Option* parsed_by(CLI::Option* option, const std::string& wanted,
                       const std::function<void(const std::string&)>& parse) {
  const auto check = [option, wanted, parse](std::string& text) {
    try {
      parse(text);
    } catch (const Error&) {
      reject(*option, wanted, text);
    }
    return std::string();
  };
  return option->check(CLI::Validator(check, ""));
}

CLI::Option* offering(CLI::Option* option, const std::vector<std::string>& names) {
  return option->check(CLI::Validator([](std::string&) { return std::string(); }, description_of(names)));
}

CLI::Option* existing_folder(CLI::Option* option) {
  const auto check = [option](std::string& text) {
    std::error_code ignored;
    if (std::filesystem::is_directory(text, ignored)) return std::string();
    reject(*option, "an existing folder", text);
  };
  return option->check(CLI::Validator(check, ""));
}

std::string setting_message(const std::string& option, const std::string& value, const std::string& message) {
  constexpr std::string_view kExpects = " expects ";
  const std::size_t expects = message.find(kExpects), got = message.rfind(", got '");
  if (expects == std::string::npos || got == std::string::npos) return option + ": " + message;
  const std::size_t expected = expects + kExpects.size();
  const std::size_t hint = message.find("; did you mean ", got);
  return invalid_value(option, value, message.substr(expected, got - expected)) +
         (hint == std::string::npos ? "" : message.substr(hint));
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string text = option.get_type_name();
  const std::size_t begin = text.find(kChoicesBegin);
  if (begin == std::string::npos) return {};
  std::vector<std::string> names;
  std::string_view rest(text);
  rest.remove_prefix(begin + kChoicesBegin.size());
  rest.remove_suffix(1);
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = rest.find(',');
    names.emplace_back(rest.substr(0, comma));
    if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
  }
  return names;
}

std::string value_name(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string text = option.get_type_name();
  return text.substr(0, text.find(kChoicesBegin));
}

}  // namespace mxinfer::cli
