// JSON from strangers: parsed with nlohmann-json, but a key that is there twice, nesting beyond a limit, or
// too many values are rejected.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace mxinfer {

struct JsonLimits {
  int depth = 64;
  std::size_t values = 50'000'000;
};

/// Throws Error(malformed) naming line and column if the text is not JSON, and naming the key that is there
/// twice.
nlohmann::json parse_strict_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace mxinfer
