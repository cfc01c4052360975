#include "sources/remote/s3/utc_time.h"

#include <algorithm>
#include <charconv>
#include <ctime>

namespace mxinfer::sources {
namespace {

/// Takes so many digits from the front.
bool take_number(std::string_view& text, std::size_t digits, int& value) {
  if (text.size() < digits) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || end != text.data() + digits || value < 0) return false;
  text.remove_prefix(digits);
  return true;
}

bool take_mark(std::string_view& text, char mark) {
  if (text.empty() || text.front() != mark) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string basic_utc(UtcTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  const std::size_t size = std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return {text, size};
}

std::optional<UtcTime> parse_utc(std::string_view text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const bool is_time = take_number(text, 4, year) && take_mark(text, '-') && take_number(text, 2, month) &&
                       take_mark(text, '-') && take_number(text, 2, day) && take_mark(text, 'T') &&
                       take_number(text, 2, hour) && take_mark(text, ':') && take_number(text, 2, minute) &&
                       take_mark(text, ':') && take_number(text, 2, second);
  if (!is_time) return std::nullopt;
  if (take_mark(text, '.')) text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  if (text != "Z" && text != "+00:00") return std::nullopt;
  std::tm parts{};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  parts.tm_mday = day;
  parts.tm_hour = hour;
  parts.tm_min = minute;
  parts.tm_sec = second;
  return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

}  // namespace mxinfer::sources
