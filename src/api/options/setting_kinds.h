// The kinds of values that a setting can have: what each takes, and how it is parsed and printed. A kind is a
// small struct with
//
//   std::string values() const;                        // "a whole number", "true or false"
//   void parse(std::string_view text, Field& to) const;  // throws Error(invalid_argument)
//   std::string print(const Field& from) const;        // a text that parse() takes, or ""
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/options/setting_list.h"
#include "api/options/setting_values.h"

namespace mxinfer::api {

struct Truth {
  static std::string values() { return "true or false"; }
  static void parse(std::string_view text, bool& to) { to = parse_truth(text); }
  static std::string print(bool from) { return from ? "true" : "false"; }
};

/// A whole number from `least` to the largest that the field can hold. Unsigned fields start at 0.
struct Whole {
  const char* description = "a whole number";
  std::int64_t least = 0;

  [[nodiscard]] std::string values() const { return description; }
  template <typename Integer>
  void parse(std::string_view text, Integer& to) const {
    if constexpr (std::is_unsigned_v<Integer>) {
      to = static_cast<Integer>(parse_count(text));
    } else {
      to = static_cast<Integer>(parse_whole(text, least, std::numeric_limits<Integer>::max()));
    }
  }
  template <typename Integer>
  static std::string print(Integer from) {
    return std::to_string(from);
  }
};

/// A duration in the unit of its field.
struct Time {
  const char* unit = "milliseconds";

  [[nodiscard]] std::string values() const { return unit; }
  template <typename Period>
  static void parse(std::string_view text, std::chrono::duration<std::int64_t, Period>& to) {
    to = std::chrono::duration<std::int64_t, Period>(parse_whole(text, 0, std::int64_t{1} << 42));
  }
  template <typename Period>
  static std::string print(std::chrono::duration<std::int64_t, Period> from) {
    return std::to_string(from.count());
  }
};

struct Text {
  const char* description = "a string";

  [[nodiscard]] std::string values() const { return description; }
  static void parse(std::string_view text, std::string& to) { to = std::string(text); }
  static std::string print(const std::string& from) { return from; }
};

struct Texts {
  const char* description;

  [[nodiscard]] std::string values() const { return description; }
  static void parse(std::string_view text, std::vector<std::string>& to) { to = parse_texts(text); }
  static std::string print(const std::vector<std::string>& /*from*/) { return {}; }
};

struct Number {
  const char* description = "a number";

  [[nodiscard]] std::string values() const { return description; }
  static void parse(std::string_view text, float& to) { to = parse_number(text); }
  static std::string print(float from) { return print_number(from); }
};

struct Channels {
  static std::string values() { return "one number, or three separated by commas"; }
  static void parse(std::string_view text, std::array<float, 3>& to) { to = parse_channels(text); }
  static std::string print(const std::array<float, 3>& from) { return print_channels(from); }
};

/// One of several names.
template <typename Value>
struct OneOf {
  NamedValues<Value> named;
  Value (*from_name)(std::string_view name) = nullptr;  ///< takes other spellings too; null: the names only

  [[nodiscard]] std::string values() const { return listed(names_of(named)); }
  void parse(std::string_view text, Value& to) const {
    to = from_name != nullptr ? from_name(text) : parse_named(named, text);
  }
  [[nodiscard]] std::string print(Value from) const {
    for (const auto& [name, value] : named) {
      if (value == from) return name;
    }
    return {};
  }
};

/// The settings that are fields of one struct:
///
///   const FieldsOf<Options> run{SettingGroup::run, [](SettingValues& v) -> Options& { return v.run; }};
///   Setting threads = run("threads", Whole{}, &Options::threads, "Number of threads per call");
template <typename Struct>
struct FieldsOf {
  SettingGroup group;
  Struct& (*of)(SettingValues& values);
  bool are_for_addresses = false;

  /// The default of the setting is the struct's own. A field of type std::optional has none.
  template <typename Kind, typename Field>
  Setting operator()(const char* name, Kind kind, Field Struct::*field, const char* help) const {
    SettingValues defaults;
    const std::string text = printed(kind, of(defaults).*field);
    return {{name, group, stored(kind.values()), stored(text), help, are_for_addresses},
            [kind, field, of = of](SettingValues& values, std::string_view given) {
              parse_to(kind, given, of(values).*field);
            }};
  }

 private:
  template <typename Kind, typename Field>
  static std::string printed(const Kind& kind, const Field& from) {
    return kind.print(from);
  }
  template <typename Kind, typename Field>
  static std::string printed(const Kind& kind, const std::optional<Field>& from) {
    return from ? kind.print(*from) : "";
  }
  template <typename Kind, typename Field>
  static void parse_to(const Kind& kind, std::string_view text, Field& to) {
    kind.parse(text, to);
  }
  template <typename Kind, typename Field>
  static void parse_to(const Kind& kind, std::string_view text, std::optional<Field>& to) {
    Field value{};
    kind.parse(text, value);
    to = value;
  }
};

}  // namespace mxinfer::api
