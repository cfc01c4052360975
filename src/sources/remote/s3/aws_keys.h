// AwsKeys: what requests to services of AWS, and to those that are like them, are signed with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sources/remote/s3/utc_time.h"

namespace mxinfer::sources {

struct AwsKeys {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  ///< of temporary ones

  bool operator==(const AwsKeys&) const = default;
};

struct ExpiringKeys {
  AwsKeys keys;
  std::optional<UtcTime> expires{};  ///< nothing: it is not known, or never
};

/// Throws Error(invalid_argument), which names `where` they are from, unless both keys are there and nothing
/// has line breaks or other control characters in it, as the headers of requests cannot.
void check_keys(const AwsKeys& keys, std::string_view where);

/// The text with "..." wherever the secret was in it.
std::string without_secret(std::string text, const std::string& secret);

}  // namespace mxinfer::sources
