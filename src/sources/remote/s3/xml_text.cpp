#include "sources/remote/s3/xml_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/utf8.h"

namespace mxinfer::sources {
namespace {

constexpr std::string_view kCData = "<![CDATA[";
constexpr std::string_view kCDataEnd = "]]>";

struct XmlTag {
  std::string_view name;  ///< without the prefix of its namespace
  bool is_end = false;
  bool is_empty = false;  ///< "<Key/>"
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind ">"
};

/// Behind the mark, or the end of the text.
std::size_t behind(std::string_view xml, std::string_view mark, std::size_t from) {
  const std::size_t at = xml.find(mark, from);
  return at == std::string_view::npos ? xml.size() : at + mark.size();
}

/// Behind what stands at "<" and is neither text nor the tag of an element; `at` itself if it is one.
std::size_t behind_other(std::string_view xml, std::size_t at) {
  const std::string_view rest = xml.substr(at);
  if (rest.starts_with("<!--")) return behind(xml, "-->", at);
  if (rest.starts_with(kCData)) return behind(xml, kCDataEnd, at);
  if (rest.starts_with("<?") || rest.starts_with("<!")) return behind(xml, ">", at);
  return at;
}

std::optional<XmlTag> next_tag(std::string_view xml, std::size_t at) {
  for (at = xml.find('<', at); at != std::string_view::npos; at = xml.find('<', at)) {
    const std::size_t next = behind_other(xml, at);
    if (next != at) {
      at = next;
      continue;
    }
    const std::size_t close = xml.find('>', at);
    if (close == std::string_view::npos) return std::nullopt;
    XmlTag tag{xml.substr(at + 1, close - at - 1), false, false, at, close + 1};
    tag.is_end = tag.name.starts_with('/');
    tag.is_empty = tag.name.ends_with('/');
    if (tag.is_end) tag.name.remove_prefix(1);
    tag.name = tag.name.substr(0, tag.name.find_first_of("/ \t\r\n"));
    if (const auto colon = tag.name.find(':'); colon != std::string_view::npos)
      tag.name.remove_prefix(colon + 1);
    return tag;
  }
  return std::nullopt;
}

/// At most so many of them.
std::vector<std::string_view> find_elements(std::string_view xml, std::string_view name, std::size_t most) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  int depth = 0;
  for (auto tag = next_tag(xml, 0); tag && found.size() < most; tag = next_tag(xml, tag->end)) {
    if (tag->name != name) continue;
    if (tag->is_empty && depth == 0) found.emplace_back();
    if (tag->is_empty) continue;
    if (!tag->is_end && depth++ == 0) begin = tag->end;
    if (tag->is_end && depth > 0 && --depth == 0) found.push_back(xml.substr(begin, tag->begin - begin));
  }
  return found;
}

/// What "&name;" stands for; nothing if it is no entity of XML.
std::optional<std::string> entity(std::string_view name) {
  static constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, character] : kNamed) {
    if (name == known) return std::string{character};
  }
  if (!name.starts_with('#')) return std::nullopt;
  const bool is_hex = name.starts_with("#x");
  name.remove_prefix(is_hex ? 2 : 1);
  std::uint32_t point = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), point, is_hex ? 16 : 10);
  const bool is_point = error == std::errc() && end == name.data() + name.size() && point <= 0x10ffff &&
                        (point < 0xd800 || point > 0xdfff);
  if (!is_point) return std::nullopt;
  std::string character;
  append_utf8(point, character);
  return character;
}

/// Appends what stands at "<", and gives the place behind it.
std::size_t take_markup(std::string_view inner, std::size_t at, std::string& text) {
  if (inner.substr(at).starts_with(kCData)) {
    const std::size_t first = at + kCData.size();
    text += inner.substr(first, inner.find(kCDataEnd, first) - first);
  }
  const std::size_t next = behind_other(inner, at);
  return next == at ? behind(inner, ">", at) : next;
}

/// The same at "&".
std::size_t take_entity(std::string_view inner, std::size_t at, std::string& text) {
  constexpr std::size_t kLongest = 10;  // "#x0010ffff"
  const std::size_t end = inner.substr(0, at + kLongest + 2).find(';', at);
  if (end != std::string_view::npos) {
    if (const auto character = entity(inner.substr(at + 1, end - at - 1))) {
      text += *character;
      return end + 1;
    }
  }
  text += '&';
  return at + 1;
}

}  // namespace

std::vector<std::string_view> inner_xml(std::string_view xml, std::string_view name) {
  return find_elements(xml, name, xml.size());
}

std::string text_of_element(std::string_view xml, std::string_view name) {
  const auto found = find_elements(xml, name, 1);
  return found.empty() ? std::string() : xml_text(found.front());
}

std::string xml_text(std::string_view inner) {
  std::string text;
  for (std::size_t at = 0; at < inner.size();) {
    const std::size_t special = std::min(inner.find_first_of("&<", at), inner.size());
    text += inner.substr(at, special - at);
    at = special;
    if (at < inner.size())
      at = inner[at] == '<' ? take_markup(inner, at, text) : take_entity(inner, at, text);
  }
  return text;
}

}  // namespace mxinfer::sources
