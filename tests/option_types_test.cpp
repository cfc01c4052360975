// python/mxinfer/option_types.py against the list of options. Type checkers read it before anything is built,
// so it is stored: `MXINFER_UPDATE_DOCS=1 mxinfer_tree_tests --gtest_filter=OptionTypes.*` writes it.
#include <gtest/gtest.h>
#include <mxinfer/settings.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace mxinfer {
namespace {

const char* const kHead =
    R"(# Written from the list of options, src/api/options/setting_list.cpp; see docs/design/adding-an-option.md.
"""Types of the options that all languages have. mxinfer.types exports them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, Sequence, TypedDict, Union

import numpy.typing as npt

if TYPE_CHECKING:
    from .types import InputDescriptions, PathText

)";

const char* const kAliases = R"(
Texts = Union[str, Sequence[str], None]
Duration = Union[int, timedelta, None]
Channels = Union[float, Sequence[float], npt.NDArray[Any], str, None]
Number = Union[float, str, None]
)";

struct GroupClass {
  SettingGroup group;
  std::string name, about;
};

const std::vector<GroupClass>& group_classes() {
  static const std::vector<GroupClass> classes = {
      {SettingGroup::load, "LoadOptions", "Options of Model.load."},
      {SettingGroup::run, "RunOptions", "How a model runs."},
      {SettingGroup::queue, "QueueOptions", "How the queue of asynchronous calls works."},
      {SettingGroup::image, "ImageOptions", "How an image is converted to the input."},
      {SettingGroup::scores, "ScoreOptions", "How scores are computed and filtered."},
      {SettingGroup::detector, "BoxOptions", "How the boxes of a detector are read."}};
  return classes;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// The words of "none, softmax or sigmoid"; none if the option takes other values too.
std::vector<std::string> words_of(const SettingInfo& info) {
  static const std::regex choice("\\w+(, \\w+)* or \\w+"), word("\\w+");
  const std::string values = info.value;
  if (values == "true or false" || !std::regex_match(values, choice)) return {};
  std::vector<std::string> words;
  for (std::sregex_iterator at(values.begin(), values.end(), word), end; at != end; ++at) {
    if (at->str() != "or") words.push_back(at->str());
  }
  static const std::map<std::string, std::vector<std::string>> other_spellings = {
      {"precision", {"fp32", "float", "bf16", "fp16", "half"}}, {"target", {"reference"}}};
  const auto others = other_spellings.find(info.name);
  if (others != other_spellings.end())
    words.insert(words.end(), others->second.begin(), others->second.end());
  return words;
}

/// "when_full" as "WhenFull", which is the name of the enumeration in C++ where that exists.
std::string literal_name(const std::string& option) {
  if (option == "cache") return "CachePolicy";
  if (option == "units") return "BoxUnits";
  std::string name;
  bool is_first = true;
  for (const char c : option) {
    if (c != '_') name += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_first = c == '_';
  }
  return name;
}

std::string type_of(const SettingInfo& info) {
  const std::string value = info.value, name = info.name;
  if (value == "true or false") return "Union[bool, None]";
  if (!words_of(info).empty()) return "Union[" + literal_name(name) + ", None]";
  if (contains(value, "one number, or three")) return "Channels";
  if (contains(value, "a whole number") || contains(value, "bytes") || value == "pixels")
    return "Union[int, None]";
  if (value == "milliseconds" || value == "microseconds") return "Duration";
  if (contains(value, "a number")) return "Number";
  if (value == "a path" || value == "a folder") return "Union[PathText, None]";
  if (name == "inputs") return "Union[InputDescriptions, None]";
  if (value.rfind("a JSON array", 0) == 0) return "Union[Sequence[str], None]";
  return contains(value, "a JSON array") ? "Texts" : "Union[str, None]";
}

std::string literals() {
  std::string text;
  for (const SettingInfo& info : settings_known()) {
    std::string words;
    for (const std::string& word : words_of(info)) words += (words.empty() ? "\"" : ", \"") + word + "\"";
    if (!words.empty()) text += literal_name(info.name) + " = Literal[" + words + "]\n";
  }
  return text;
}

std::string class_of(const GroupClass& group) {
  std::string text =
      "\n\nclass " + group.name + "(TypedDict, total=False):\n    \"\"\"" + group.about + "\"\"\"\n\n";
  for (const SettingInfo& info : settings_known()) {
    if (info.group == group.group) text += std::string("    ") + info.name + ": " + type_of(info) + "\n";
  }
  return text;
}

std::string exported() {
  std::vector<std::string> names;
  for (const SettingInfo& info : settings_known()) {
    if (!words_of(info).empty()) names.push_back(literal_name(info.name));
  }
  for (const GroupClass& group : group_classes()) names.push_back(group.name);
  std::sort(names.begin(), names.end());
  std::string text = "__all__ = [\n";
  for (const std::string& name : names) text += "    \"" + name + "\",\n";
  return text + "]\n\n";
}

std::string module_text() {
  std::string text = kHead + exported() + literals() + kAliases;
  for (const GroupClass& group : group_classes()) text += class_of(group);
  return text;
}

TEST(OptionTypes, AreThoseOfTheList) {
  const std::string path = MXINFER_SOURCE_DIR "/python/mxinfer/option_types.py";
  if (std::getenv("MXINFER_UPDATE_DOCS") != nullptr) std::ofstream(path) << module_text();
  std::ifstream file(path);
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(stored, module_text()) << path << " is not up to date; MXINFER_UPDATE_DOCS=1 writes it";
}

}  // namespace
}  // namespace mxinfer
