// AwsKeys: the keys for signing requests to AWS services and compatible ones.
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

/// Throws Error(invalid_argument), which names `where` they are from, unless both keys are present and
/// nothing contains line breaks or other control characters, which headers cannot hold.
void check_keys(const AwsKeys& keys, std::string_view where);

/// Replaces the secret in the text by "...".
std::string without_secret(std::string text, const std::string& secret);

}  // namespace mxinfer::sources
