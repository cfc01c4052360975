// JSON from untrusted sources: parsed with nlohmann-json, but duplicate keys, deep nesting and too many
// values are rejected.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace mxinfer {

struct JsonLimits {
  int depth = 64;
  std::size_t values = 50'000'000;
};

/// Throws Error(malformed) with line and column if the text is not JSON, or with the key if one is
/// duplicated.
nlohmann::json parse_strict_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace mxinfer
