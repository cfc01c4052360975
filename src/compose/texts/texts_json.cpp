#include "compose/texts/texts_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "base/text/side_name.h"
#include "compose/steps_json.h"
#include "compose/texts/text_steps.h"
#include "formats/json_fields.h"
#include "sources/address.h"

namespace mxinfer::api {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostTexts = 64;

/// Attributes of steps that hold a file's path or contents.
constexpr const char* kFiles[] = {"vocabulary", "model", "vectors"};

bool describes_text(const json& value) {
  return value.is_object() && !value.contains("columns");
}

[[noreturn]] void reject_text_key(const std::string& key, const json& value, const char* expected) {
  formats::reject_json(concat("\"", printable(key), "\""), value, expected);
}

const std::string& name_of(const std::string& key, const json& value) {
  return formats::json_text(concat("\"", printable(key), "\""), value);
}

std::vector<std::string> names_in(const std::string& key, const json& value) {
  if (!value.is_array()) reject_text_key(key, value, R"(a list of names such as ["text"])");
  std::vector<std::string> names;
  for (const json& name : value) names.push_back(name_of(key, name));
  return names;
}

std::int64_t whole_number(const std::string& key, const json& value) {
  if (!value.is_number_integer()) reject_text_key(key, value, "a whole number");
  return value.get<std::int64_t>();
}

std::vector<std::int64_t> whole_numbers(const std::string& key, const json& value) {
  if (!value.is_array()) reject_text_key(key, value, "a list of lengths such as [16, 32, 64]");
  std::vector<std::int64_t> numbers;
  for (const json& number : value) numbers.push_back(whole_number(key, number));
  return numbers;
}

Side side_of(const std::string& key, const json& value) {
  const auto side = value.is_string() ? side_named(value.get_ref<const std::string&>()) : std::nullopt;
  if (!side) reject_text_key(key, value, "left or right");
  return *side;
}

/// The members that are a name each, by their keys; of a Text that may be changed or not.
template <typename Text>
auto named_members(Text& text) {
  return std::array{std::pair("begin", &text.begin),       std::pair("end", &text.end),
                    std::pair("pad", &text.pad),           std::pair("ids", &text.ids),
                    std::pair("segments", &text.segments), std::pair("length", &text.length)};
}

void read_text_key(const std::string& key, const json& value, TextTransform& text) {
  if (key == "inputs") {
    text.inputs = names_in(key, value);
  } else if (key == "steps") {
    text.steps = read_steps(value);
  } else if (key == "max_length") {
    text.max_length = whole_number(key, value);
  } else if (key == "buckets") {
    text.buckets = whole_numbers(key, value);
  } else if (key == "pad_side" || key == "truncate_side") {
    (key == "pad_side" ? text.pad_side : text.truncate_side) = side_of(key, value);
  } else {
    const auto members = named_members(text);
    const auto* const found =
        std::find_if(members.begin(), members.end(), [&](const auto& member) { return key == member.first; });
    if (found == members.end()) {
      fail(ErrorCode::malformed, "it has a key \"", printable(key),
           "\"; texts have \"inputs\", \"steps\", \"max_length\", \"begin\", \"end\", \"pad\", \"pad_side\", "
           "\"truncate_side\", \"ids\", \"segments\", \"length\" and \"buckets\"");
    }
    *found->second = name_of(key, value);
  }
}

bool is_relative_path(const std::string& text) {
  return !text.empty() && text[0] != '/' && text[0] != '[' && text[0] != '{' && !sources::has_scheme(text) &&
         !std::string_view(text).starts_with(kBase64);
}

void resolve_paths(std::vector<Transform>& steps, const std::string& folder) {
  for (Transform& step : steps) {
    for (const char* key : kFiles) {
      const auto found = step.attrs.find(key);
      if (found != step.attrs.end() && is_relative_path(found->second))
        found->second = folder + found->second;
    }
  }
}

TextTransform read_text(const json& source, const std::string& folder) {
  TextTransform text;
  for (const auto& [key, value] : source.items()) read_text_key(key, value, text);
  resolve_paths(text.steps, folder);
  return text;
}

/// Replaces the contents of a file.
std::vector<Transform> without_contents(std::vector<Transform> steps) {
  for (Transform& step : steps) {
    for (const char* key : kFiles) step.attrs.erase(key);
  }
  return steps;
}

ordered_json text_json(const TextTransform& text) {
  ordered_json out = {{"inputs", text.inputs},
                      {"steps", steps_json(without_contents(text.steps))},
                      {"max_length", text.max_length}};
  for (const auto& [key, name] : named_members(text)) {
    if (!name->empty()) out[key] = *name;
  }
  out["pad_side"] = side_name(text.pad_side);
  out["truncate_side"] = side_name(text.truncate_side);
  if (!text.buckets.empty()) out["buckets"] = text.buckets;
  return out;
}

}  // namespace

bool are_texts(const std::string& name, const json& value) {
  if (name != kTexts) return false;
  return describes_text(value) ||
         (value.is_array() && !value.empty() && value[0].is_object() && value[0].contains("steps"));
}

std::vector<TextTransform> read_texts(const json& value, const std::string& folder) {
  std::vector<TextTransform> texts;
  if (value.is_object()) return {read_text(value, folder)};
  if (value.size() > kMostTexts) {
    fail(ErrorCode::malformed, "there are ", value.size(), " of them; at most ", kMostTexts, " are read");
  }
  for (const json& text : value) {
    if (!describes_text(text)) reject_text_key(kTexts, text, "an object with \"inputs\" and \"steps\"");
    texts.push_back(in_context([&] { return concat("texts ", texts.size() + 1); },
                               [&] { return read_text(text, folder); }));
  }
  return texts;
}

ordered_json texts_json(const std::vector<TextTransform>& texts) {
  if (texts.size() == 1) return text_json(texts[0]);
  ordered_json list = ordered_json::array();
  for (const TextTransform& text : texts) list.push_back(text_json(text));
  return list;
}

}  // namespace mxinfer::api
