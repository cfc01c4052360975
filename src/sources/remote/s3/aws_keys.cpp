#include "sources/remote/s3/aws_keys.h"

#include <algorithm>

#include "base/fail.h"

namespace mxinfer::sources {

void check_keys(const AwsKeys& keys, std::string_view where) {
  if (keys.access_key_id.empty() || keys.secret_access_key.empty()) {
    fail(ErrorCode::invalid_argument, where, " has ",
         keys.access_key_id.empty() ? "a secret access key without an access key id"
                                    : "an access key id without a secret access key",
         "; both are needed");
  }
  for (const std::string* text : {&keys.access_key_id, &keys.secret_access_key, &keys.session_token}) {
    const bool is_odd =
        std::any_of(text->begin(), text->end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
    if (!is_odd) continue;
    const char* const name = text == &keys.access_key_id       ? "access key id"
                             : text == &keys.secret_access_key ? "secret access key"
                                                               : "session token";
    fail(ErrorCode::invalid_argument, "the ", name, " of ", where,
         " has a line break or another control character in it; remove it");
  }
}

std::string without_secret(std::string text, const std::string& secret) {
  constexpr std::string_view kMask = "...";
  if (secret.empty()) return text;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + kMask.size()))
    text.replace(at, secret.size(), kMask);
  return text;
}

}  // namespace mxinfer::sources
