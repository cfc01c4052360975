#include "sources/remote/hdfs/hadoop_config.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/text/trim.h"
#include "sources/source.h"

namespace mxinfer::sources {
namespace {

constexpr std::int64_t kMostOfHadoopFile = std::int64_t{4} << 20;
constexpr std::size_t kMostOfHadoopValue = 64 << 10;
constexpr int kMostReferences = 20;

/// The text between the two, from `at` on, which then stands behind the second. Nothing, and `at` at the end,
/// if one of them is not there.
std::string_view cut_between(std::string_view text, std::size_t& at, std::string_view begin,
                             std::string_view end) {
  const std::size_t found = text.find(begin, at);
  const std::size_t first = found == std::string_view::npos ? found : found + begin.size();
  const std::size_t last = first == std::string_view::npos ? first : text.find(end, first);
  if (last == std::string_view::npos) {
    at = text.size();
    return {};
  }
  at = last + end.size();
  return text.substr(first, last - first);
}

std::string without_xml_comments(std::string_view xml) {
  std::string rest;
  for (std::size_t at = 0; at < xml.size();) {
    const std::size_t begin = xml.find("<!--", at);
    rest += xml.substr(at, begin - at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = xml.find("-->", begin);
    at = end == std::string_view::npos ? xml.size() : end + 3;
  }
  return rest;
}

/// "amp" is '&', "#38" and "#x26" too; '\0' for what is none of ASCII.
char xml_character(std::string_view entity) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : kNamed) {
    if (entity == name) return character;
  }
  if (!entity.starts_with("#")) return '\0';
  const bool is_hex = entity.starts_with("#x");
  entity.remove_prefix(is_hex ? 2 : 1);
  int code = 0;
  const char* const end = entity.data() + entity.size();
  const auto [read, error] = std::from_chars(entity.data(), end, code, is_hex ? 16 : 10);
  return error == std::errc() && read == end && code > 0 && code < 0x80 ? static_cast<char>(code) : '\0';
}

std::string without_entities(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text[at] == '&' ? text.find(';', at) : std::string_view::npos;
    const char character =
        end == std::string_view::npos ? '\0' : xml_character(text.substr(at + 1, end - at - 1));
    plain += character == '\0' ? text[at] : character;
    if (character != '\0') at = end;
  }
  return plain;
}

std::string hadoop_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : value;
}

}  // namespace

void HadoopConfig::add(std::string_view xml) {
  const std::string text = without_xml_comments(xml);
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view property = cut_between(text, at, "<property>", "</property>");
    std::size_t begin = 0;
    const std::string_view name = trimmed(cut_between(property, begin, "<name>", "</name>"));
    begin = 0;
    const std::string_view value = trimmed(cut_between(property, begin, "<value>", "</value>"));
    if (!name.empty()) values_[without_entities(name)] = without_entities(value);
  }
}

std::string HadoopConfig::value(std::string_view name) const {
  std::string value = raw_value(name);
  std::size_t at = 0;
  for (int count = 0; count < kMostReferences && value.size() <= kMostOfHadoopValue; ++count) {
    const std::size_t begin = value.find("${", at);
    const std::size_t end = begin == std::string::npos ? begin : value.find('}', begin);
    if (end == std::string::npos) break;
    const std::string reference = value.substr(begin, end + 1 - begin);
    const std::string instead = referred(reference.substr(2, reference.size() - 3), reference);
    value.replace(begin, reference.size(), instead);
    at = instead == reference ? end + 1 : begin;
  }
  return value;
}

std::string HadoopConfig::raw_value(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : found->second;
}

std::string HadoopConfig::referred(std::string_view reference, std::string_view otherwise) const {
  constexpr std::string_view kEnvironment = "env.";
  if (!reference.starts_with(kEnvironment)) {
    const auto found = values_.find(reference);
    return found == values_.end() ? std::string(otherwise) : found->second;
  }
  reference.remove_prefix(kEnvironment.size());
  // Names of variables have no "-"; ":-" says the same but for a variable that is set to nothing.
  const std::size_t dash = reference.find('-');
  const bool has_colon = dash != std::string_view::npos && dash > 0 && reference[dash - 1] == ':';
  const std::string found = hadoop_environment(std::string(reference.substr(0, dash - (has_colon ? 1 : 0))));
  if (!found.empty()) return found;
  return std::string(dash == std::string_view::npos ? otherwise : reference.substr(dash + 1));
}

std::vector<std::string> HadoopConfig::endings(std::string_view prefix) const {
  std::vector<std::string> found;
  for (auto entry = values_.lower_bound(prefix); entry != values_.end(); ++entry) {
    if (!entry->first.starts_with(prefix)) break;
    found.push_back(entry->first.substr(prefix.size()));
  }
  return found;
}

std::string hadoop_config_folder() {
  if (std::string folder = hadoop_environment("HADOOP_CONF_DIR"); !folder.empty()) return folder;
  const std::string home = hadoop_environment("HADOOP_HOME");
  return home.empty() ? std::string() : home + "/etc/hadoop";
}

HadoopConfig read_hadoop_config() {
  HadoopConfig config;
  const std::string folder = hadoop_config_folder();
  for (const char* name : {"core-site.xml", "hdfs-site.xml"}) {
    const std::string path = concat(folder, "/", name);
    std::error_code ignored;
    if (!folder.empty() && std::filesystem::is_regular_file(path, ignored))
      config.add(read_text(*open_file(path), kMostOfHadoopFile));
  }
  return config;
}

}  // namespace mxinfer::sources
