// Makes tar files block by block, right or wrong.
//
//   std::string bytes = tar_member("a.txt", "text") + tar_end();
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace mxinfer::test {

struct RawTarHeader {
  std::string name{};
  std::string size{};  ///< its field, as it is
  char type = '0';
  std::string prefix{};
  std::string magic = std::string(
      "ustar\0"
      "00",
      8);
  bool signed_sum = false;
};

inline std::string octal(std::uint64_t value) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "%011llo", static_cast<unsigned long long>(value));
  return digits;
}

inline std::string tar_header(const RawTarHeader& header) {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, const std::string& field) { block.replace(at, field.size(), field); };
  put(0, header.name);
  put(100, "0000644");
  put(124, header.size);
  put(136, "00000000000");
  put(148, "        ");
  block[156] = header.type;
  put(257, header.magic);
  put(345, header.prefix);
  int sum = 0;
  for (const char c : block)
    sum += header.signed_sum ? static_cast<signed char>(c) : static_cast<unsigned char>(c);
  char digits[24];
  std::snprintf(digits, sizeof digits, "%06o", static_cast<unsigned>(sum) & 0777777U);
  put(148, std::string(digits) + '\0' + ' ');
  return block;
}

inline std::string tar_padded(std::string data) {
  data.resize((data.size() + 511) / 512 * 512);
  return data;
}

inline std::string tar_member(const std::string& name, const std::string& data, char type = '0') {
  return tar_header({.name = name, .size = octal(data.size()), .type = type}) + tar_padded(data);
}

inline std::string tar_end() {
  return std::string(1024, '\0');
}

/// "LENGTH KEY=VALUE\n", where the length counts itself.
inline std::string pax_record(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  std::size_t bytes = rest.size() + 1;
  while (std::to_string(bytes).size() + rest.size() != bytes) ++bytes;
  return std::to_string(bytes) + rest;
}

inline std::string pax_header(const std::string& records, char type = 'x') {
  return tar_member("pax", records, type);
}

/// A number that octal digits have no room for: two's complement, with the first bit set.
inline std::string base256(std::int64_t value) {
  std::string field(12, value < 0 ? '\xff' : '\0');
  for (int i = 0; i < 8; ++i)
    field[static_cast<std::size_t>(11 - i)] = static_cast<char>((value >> (8 * i)) & 0xff);
  field[0] = static_cast<char>(field[0] | 0x80);
  return field;
}

}  // namespace mxinfer::test
