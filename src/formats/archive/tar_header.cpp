#include "formats/archive/tar_header.h"

#include <algorithm>
#include <charconv>

#include "base/fail.h"

namespace mxinfer::formats {
namespace {

using namespace std::string_view_literals;

// No file is as large; sizes up to here can be rounded up to blocks and added.
constexpr std::int64_t kMostTarBytes = std::int64_t{1} << 60;

constexpr std::size_t kName = 0, kNameBytes = 100;
constexpr std::size_t kSize = 124, kSizeBytes = 12;
constexpr std::size_t kSum = 148, kSumBytes = 8;
constexpr std::size_t kType = 156;
constexpr std::size_t kMagic = 257, kPrefix = 345, kPrefixBytes = 155;

std::string_view up_to_nul(std::string_view field) {
  return field.substr(0, field.find('\0'));
}

[[noreturn]] void no_size(std::string_view text) {
  fail(ErrorCode::malformed, "not a complete tar archive: '", printable(text),
       "' is not the size of a member");
}

std::int64_t checked_size(std::string_view text, std::string_view digits, int base) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || end != digits.data() + digits.size() || error != std::errc() || value < 0 ||
      value > kMostTarBytes)
    no_size(text);
  return value;
}

std::int64_t parse_octal(std::string_view field) {
  std::string_view digits = up_to_nul(field);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  digits = digits.substr(0, digits.find_last_not_of(' ') + 1);
  return digits.empty() ? 0 : checked_size(field, digits, 8);
}

// Numbers too large for octal digits: the first bit is set, the second is the sign, the rest is the number.
std::int64_t parse_base256(std::string_view field) {
  constexpr unsigned kSign = 0x40, kValue = 0x3f;
  const auto first = static_cast<unsigned char>(field[0]);
  if ((first & kSign) != 0)
    fail(ErrorCode::malformed, "not a complete tar archive: a member has a negative size");
  std::int64_t value = first & kValue;
  for (const char c : field.substr(1)) {
    if (value > (kMostTarBytes >> 8)) no_size(field);
    value = value * 256 + static_cast<unsigned char>(c);
  }
  if (value > kMostTarBytes) no_size(field);
  return value;
}

std::int64_t parse_size(std::string_view field) {
  return (static_cast<unsigned char>(field[0]) & 0x80) != 0 ? parse_base256(field) : parse_octal(field);
}

void read_pax_record(std::string_view key, std::string_view value, PaxFields& fields) {
  if (key == "path") {
    fields.path.reset();  // an empty value cancels the previous one
    if (!value.empty()) fields.path = value;
  } else if (key == "size") {
    fields.bytes.reset();
    if (!value.empty()) fields.bytes = checked_size(value, value, 10);
  } else if (key.starts_with("GNU.sparse.") || key == "SCHILY.realsize" || key == "SUN.holesdata") {
    fields.sparse = true;
  }
}

[[noreturn]] void no_pax() {
  fail(ErrorCode::malformed, "not a complete tar archive: its pax header is damaged");
}

}  // namespace

bool is_tar_header(std::string_view block) {
  if (block.size() < kTarBlock) return false;
  std::int64_t stated = 0;
  bool digits = false;
  for (const char c : block.substr(kSum, kSumBytes)) {
    if (c >= '0' && c <= '7') {
      stated = stated * 8 + (c - '0');
      digits = true;
    } else if (c != ' ' && c != '\0') {
      return false;
    }
  }
  // The checksum field itself counts as spaces. Some old tools summed signed bytes.
  std::int64_t sum = 0, signed_sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    const char c = i >= kSum && i < kSum + kSumBytes ? ' ' : block[i];
    sum += static_cast<unsigned char>(c);
    signed_sum += static_cast<signed char>(c);
  }
  return digits && (sum == stated || signed_sum == stated);
}

TarHeader parse_tar_header(std::string_view block) {
  TarHeader header;
  header.name = up_to_nul(block.substr(kName, kNameBytes));
  header.bytes = parse_size(block.substr(kSize, kSizeBytes));
  header.type = block[kType];
  // GNU tar's own format has spaces behind "ustar", and other things in the place of the prefix.
  if (block.substr(kMagic, 6) == "ustar\0"sv) {
    const std::string_view prefix = up_to_nul(block.substr(kPrefix, kPrefixBytes));
    if (!prefix.empty()) header.name = std::string(prefix) + '/' + header.name;
  }
  return header;
}

void read_pax_records(std::string_view records, PaxFields& fields) {
  while (!records.empty() && records.find_first_not_of('\0') != std::string_view::npos) {
    std::size_t bytes = 0;
    const auto [end, error] = std::from_chars(records.data(), records.data() + records.size(), bytes);
    const auto digits = static_cast<std::size_t>(end - records.data());
    if (error != std::errc() || bytes > records.size() || digits + 2 > bytes || *end != ' ') no_pax();
    std::string_view record = records.substr(digits + 1, bytes - digits - 1);
    const std::size_t equals = record.find('=');
    if (equals == std::string_view::npos || !record.ends_with('\n')) no_pax();
    record.remove_suffix(1);
    read_pax_record(record.substr(0, equals), record.substr(equals + 1), fields);
    records.remove_prefix(bytes);
  }
}

}  // namespace mxinfer::formats
