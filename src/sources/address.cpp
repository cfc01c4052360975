#include "sources/address.h"

#include <algorithm>

#include "base/fail.h"

namespace mxinfer::sources {
namespace {

constexpr std::string_view kSchemeEnd = "://";
/// The version of an object, which is not a secret.
constexpr std::string_view kVersionInS3 = "versionId=";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// Cuts the text at the mark and returns the part after it.
std::string cut_from(std::string& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  std::string rest = text.substr(at + 1);
  text.resize(at);
  return rest;
}

bool is_scheme(std::string_view text, std::string_view scheme) {
  return std::equal(text.begin(), text.end(), scheme.begin(), scheme.end(),
                    [](char a, char b) { return lower(a) == b; });
}

/// Of a query; with their values only those that begin with `plain`.
std::string names_alone(const std::string& query, std::string_view plain) {
  std::string names;
  for (std::size_t at = 0; at <= query.size();) {
    const std::size_t end = std::min(query.find('&', at), query.size());
    const std::string part = query.substr(at, end - at);
    const std::size_t value = part.find('=');
    if (!names.empty()) names += '&';
    if (!plain.empty() && part.starts_with(plain)) {
      names += part;
    } else {
      names += value == std::string::npos ? "..." : part.substr(0, value) + "=...";
    }
    at = end + 1;
  }
  return names;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// Whether a ':' is followed by a port; IPv6 addresses in "[]" contain ':' too.
bool is_host(std::string_view text) {
  const std::size_t colon = text.find(':', text.starts_with('[') ? text.find(']') : 0);
  return colon == std::string_view::npos || is_number(text.substr(colon + 1));
}

/// Of what is behind "://": whether its authority seems to end in the middle of a password, as in
/// "name:pass/word@host". Authorities may name several hosts, with commas between.
bool is_cut_in_password(std::string_view rest) {
  const std::size_t end = rest.find_first_of("/?#");
  const std::string_view authority = rest.substr(0, end);
  const bool has_user = authority.find('@') != std::string_view::npos;
  if (has_user || rest.find('@') == std::string_view::npos) return false;
  for (std::size_t at = 0; at <= authority.size();) {
    const std::size_t comma = std::min(authority.find(',', at), authority.size());
    if (!is_host(authority.substr(at, comma - at))) return true;
    at = comma + 1;
  }
  return false;
}

}  // namespace

bool has_scheme(std::string_view text) {
  const std::size_t end = text.find(kSchemeEnd);
  if (end == std::string_view::npos || end == 0 || !is_letter(text[0])) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_remote(std::string_view text) {
  if (!has_scheme(text)) return false;
  std::string scheme(text.substr(0, text.find(kSchemeEnd)));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(), lower);
  return scheme != "file";
}

Address parse_address(std::string_view text) {
  const bool odd =
      std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
  if (odd) {
    fail(ErrorCode::invalid_argument, "the address '", printable(shown(text)),
         "' has spaces or control characters in it; write a space as %20");
  }
  Address address;
  const std::size_t end = text.find(kSchemeEnd);
  if (is_cut_in_password(text.substr(end + kSchemeEnd.size()))) {
    fail(ErrorCode::invalid_argument, "in the address '", printable(shown(text)),
         "' the host's ':' is not followed by a port; in a user name or a password, write '/', '?', '#' and "
         "'@' as %2F, %3F, %23 and %40");
  }
  address.scheme.assign(text.substr(0, end));
  std::transform(address.scheme.begin(), address.scheme.end(), address.scheme.begin(), lower);
  std::string rest(text.substr(end + kSchemeEnd.size()));
  address.fragment = cut_from(rest, '#');
  address.query = cut_from(rest, '?');
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  address.authority = rest.substr(0, slash);
  address.path = rest.substr(slash);
  return address;
}

std::string to_string(const Address& address) {
  std::string text = concat(address.scheme, kSchemeEnd, address.authority, address.path);
  if (!address.query.empty()) text += "?" + address.query;
  if (!address.fragment.empty()) text += "#" + address.fragment;
  return text;
}

std::string shown(std::string_view text) {
  if (!has_scheme(text)) return std::string(text);
  const std::size_t authority = text.find(kSchemeEnd) + kSchemeEnd.size();
  if (is_cut_in_password(text.substr(authority))) return std::string(text.substr(0, authority)) + "...";
  std::string rest(text.substr(authority));
  const std::string fragment = cut_from(rest, '#');
  const std::string query = cut_from(rest, '?');
  const std::size_t user = rest.substr(0, rest.find('/')).rfind('@');
  if (user != std::string::npos) rest.erase(0, user + 1);
  std::string result(text.substr(0, authority));
  result += rest;
  const bool is_s3 = is_scheme(text.substr(0, text.find(kSchemeEnd)), "s3");
  if (!query.empty()) result += "?" + names_alone(query, is_s3 ? kVersionInS3 : std::string_view());
  return result;
}

std::string path_of_file(const std::string& text) {
  if (!has_scheme(text)) return text;
  const Address address = parse_address(text);
  if (address.scheme != "file") {
    fail(ErrorCode::invalid_argument, "'", printable(shown(text)),
         "' is an address; expected the path of a local file. `mxinfer fetch` downloads files");
  }
  if (!address.authority.empty() && address.authority != "localhost") {
    fail(ErrorCode::invalid_argument, "'", printable(text), "' names the machine '",
         printable(address.authority),
         "', but file:// is for files of this machine; write file:/// and the path");
  }
  return percent_decoded(address.path);
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code =
        text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
    if (is_code) {
      decoded += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool plain =
        is_letter(c) || is_digit(c) || std::string_view("-._~").find(c) != std::string_view::npos;
    if (plain || kept.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', kHex[byte / 16], kHex[byte % 16]};
    }
  }
  return encoded;
}

std::string name_in_address(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool is_special =
        static_cast<unsigned char>(c) <= ' ' || c == 0x7f || c == '#' || c == '?' || c == '%';
    text += is_special ? percent_encoded({&c, 1}) : std::string(1, c);
  }
  return text;
}

std::vector<std::string> digests_in(const Address& address) {
  if (address.fragment.empty()) return {};
  constexpr std::string_view kName = "sha256=";
  if (!address.fragment.starts_with(kName)) {
    fail(ErrorCode::invalid_argument, "'#", printable(address.fragment), "' at the end of the address '",
         printable(shown(to_string(address))), "' is not supported; expected #sha256=... ");
  }
  std::vector<std::string> digests;
  for (std::size_t at = kName.size(); at <= address.fragment.size();) {
    const std::size_t end = std::min(address.fragment.find(',', at), address.fragment.size());
    digests.push_back(address.fragment.substr(at, end - at));
    at = end + 1;
  }
  return digests;
}

}  // namespace mxinfer::sources
