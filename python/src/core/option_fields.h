// Fields of structs of options that Python gives as a dict, by their names in C++; what is not there, or
// None, stays as it is.
//
//   const OptionFields fields(dict);
//   fields.read("buckets", options.buckets, "a list of lengths");
//   fields.choose("pad_side", options.pad_side, {{"left", Side::left}, {"right", Side::right}});
#pragma once

#include <mxinfer/error.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace mxinfer::python {

class OptionFields {
 public:
  template <typename Enum>
  using Choices = std::vector<std::pair<const char*, std::type_identity_t<Enum>>>;

  explicit OptionFields(nanobind::dict values) : values_(std::move(values)) {}

  /// The value, or a null object.
  [[nodiscard]] nanobind::object find(const char* name) const;

  /// Error(invalid_argument) for what is no T, with what is expected.
  template <typename T>
  void read(const char* name, T& to, const char* expected) const {
    const nanobind::object value = find(name);
    if (!value.is_valid()) return;
    T read{};
    if (!nanobind::try_cast<T>(value, read)) fail(name, value, expected);
    to = std::move(read);
  }
  template <typename T>
  void read(const char* name, std::optional<T>& to, const char* expected) const {
    T value{};
    if (!find(name).is_valid()) return;
    read(name, value, expected);
    to = std::move(value);
  }

  /// By the word that stands for it.
  template <typename Enum>
  void choose(const char* name, Enum& to, const Choices<Enum>& choices) const {
    const nanobind::object value = find(name);
    if (!value.is_valid()) return;
    std::string word, expected;
    const bool is_text = nanobind::try_cast<std::string>(value, word);
    for (const auto& [choice, meaning] : choices) {
      if (is_text && word == choice) {
        to = meaning;
        return;
      }
      expected += (expected.empty() ? "'" : ", '") + std::string(choice) + "'";
    }
    fail(name, value, ("one of " + expected).c_str());
  }
  template <typename Enum>
  void choose(const char* name, std::optional<Enum>& to, const Choices<Enum>& choices) const {
    Enum value{};
    if (!find(name).is_valid()) return;
    choose(name, value, choices);
    to = value;
  }

 private:
  [[noreturn]] static void fail(const char* name, nanobind::handle value, const char* expected);
  nanobind::dict values_;
};

}  // namespace mxinfer::python
