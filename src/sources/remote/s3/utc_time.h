// Points of time as services of AWS write them, in UTC.
//
//   basic_utc(now);                          // "20240501T123456Z"
//   parse_utc("2024-05-01T12:34:56Z");
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mxinfer::sources {

using UtcTime = std::chrono::system_clock::time_point;

/// "20240501T123456Z", the basic form of ISO 8601.
std::string basic_utc(UtcTime time);

/// "2024-05-01T12:34:56Z", whose seconds may have a fraction, which is dropped, and whose end may be
/// "+00:00". Nothing for any other text.
std::optional<UtcTime> parse_utc(std::string_view text);

}  // namespace mxinfer::sources
