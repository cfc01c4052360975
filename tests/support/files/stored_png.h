// PNG files of samples as they are, uncompressed, for tests that have no encoder.
//
//   std::string file = test::stored_png({17, 13, 4, 16}, samples);   // RGBA of 16 bits
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer::test {

struct PngHeader {
  std::uint32_t width = 0, height = 0;
  int channels = 3;  ///< 1 (grey), 2 (grey, alpha), 3 (RGB), 4 (RGB, alpha)
  int bits = 8;      ///< or 16
};

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

inline std::string png_chunk(const std::string& kind, const std::string& data) {
  const std::string checked = kind + data;
  std::uint32_t crc = ~0U;
  for (const char c : checked) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc % 2 == 1 ? 0xedb88320U : 0);
  }
  return big_endian(static_cast<std::uint32_t>(data.size())) + checked + big_endian(~crc);
}

/// Samples of 0 to 255, or to 65535. Precondition: rows of less than 65536 bytes together.
inline std::string stored_png(const PngHeader& header, const std::vector<std::uint16_t>& samples) {
  const std::size_t row = std::size_t{header.width} * static_cast<std::size_t>(header.channels);
  std::string rows;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i % row == 0) rows += '\0';  // no filter
    if (header.bits == 16) rows += static_cast<char>(samples[i] >> 8);
    rows += static_cast<char>(samples[i]);
  }
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (const char c : rows) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<std::uint32_t>(rows.size());
  std::string data = "\x78\x01\x01";
  for (const std::uint32_t half : {size, ~size}) {
    data += static_cast<char>(half);
    data += static_cast<char>(half >> 8);
  }
  data += rows + big_endian(b << 16 | a);
  constexpr char kColorTypes[] = {0, 4, 2, 6};
  const std::string properties{static_cast<char>(header.bits), kColorTypes[header.channels - 1], 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" +
         png_chunk("IHDR", big_endian(header.width) + big_endian(header.height) + properties) +
         png_chunk("IDAT", data) + png_chunk("IEND", "");
}

}  // namespace mxinfer::test
