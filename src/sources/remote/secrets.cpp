#include "sources/remote/secrets.h"

#include <algorithm>
#include <string_view>

#include "sources/address.h"

namespace mxinfer::sources {
namespace {

constexpr std::size_t kShortest = 4;

void replace_all(std::string& text, const std::string& secret) {
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
    text.replace(at, secret.size(), "...");
}

/// As it stands in an address, and as the server may have read it.
void add_both(std::vector<std::string>& secrets, const std::string& encoded) {
  secrets.push_back(encoded);
  secrets.push_back(percent_decoded(encoded));
}

template <typename Take>
void for_parts(std::string_view text, char between, const Take& take) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(between, at), text.size());
    take(std::string(text.substr(at, end - at)));
    at = end + 1;
  }
}

}  // namespace

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  std::vector<std::string> longest_first = secrets;
  std::sort(longest_first.begin(), longest_first.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  for (const std::string& secret : longest_first) {
    if (secret.size() >= kShortest) replace_all(text, secret);
  }
  return text;
}

std::vector<std::string> secrets_of(const std::string& address, const std::vector<std::string>& headers) {
  std::vector<std::string> secrets;
  const Address parsed = parse_address(address);
  if (const std::size_t user = parsed.authority.rfind('@'); user != std::string::npos) {
    for_parts(std::string_view(parsed.authority).substr(0, user), ':',
              [&](const std::string& part) { add_both(secrets, part); });
  }
  for_parts(parsed.query, '&', [&](const std::string& part) {
    if (const std::size_t value = part.find('='); value != std::string::npos)
      add_both(secrets, part.substr(value + 1));
  });
  for (const std::string& header : headers) {
    const std::size_t colon = std::min(header.find(':'), header.size());
    for_parts(std::string_view(header).substr(std::min(colon + 1, header.size())), ' ',
              [&](const std::string& word) { secrets.push_back(word); });
  }
  return secrets;
}

}  // namespace mxinfer::sources
