// What decode_image and read_image say of bytes that are not an image, and of damaged images.
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/vision/image.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "image/golden.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

using Bytes = std::vector<std::uint8_t>;

void expect_error(const std::function<void()>& call, ErrorCode code, const std::vector<std::string>& facts) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; expected: " << facts[0];
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    for (const std::string& fact : facts)
      EXPECT_NE(std::string(e.what()).find(fact), std::string::npos) << e.what();
  }
}

Bytes bytes_of(const std::string& text) {
  return Bytes(text.begin(), text.end());
}

TEST(DecodeErrors, NameWhatTheBytesAre) {
  const struct {
    std::string bytes;
    ErrorCode code;
    std::vector<std::string> facts;
  } cases[] = {
      {"", ErrorCode::malformed, {"no bytes"}},
      {"hello, world", ErrorCode::malformed, {"not a JPEG or PNG", "starts with 68 65 6c 6c 6f 2c 20 77"}},
      {"\xff\xd8", ErrorCode::malformed, {"starts with ff d8"}},
      {"\x89PNG", ErrorCode::malformed, {"starts with 89 50 4e 47"}},
      {"GIF89a.....", ErrorCode::unsupported, {"it looks like GIF"}},
      {std::string("RIFF\x10\0\0\0WEBPVP8 ", 16), ErrorCode::unsupported, {"it looks like WebP"}},
      {"BM......", ErrorCode::unsupported, {"it looks like BMP"}},
      {std::string("II*\0....", 8), ErrorCode::unsupported, {"it looks like TIFF"}},
      {std::string("MM\0*....", 8), ErrorCode::unsupported, {"it looks like TIFF"}},
      {std::string("\0\0\0\x20"
                   "ftypavif",
                   12),
       ErrorCode::unsupported,
       {"it looks like AVIF"}},
  };
  for (const auto& c : cases) {
    const Bytes bytes = bytes_of(c.bytes);
    expect_error([&] { decode_image(bytes); }, c.code, c.facts);
  }
}

// Offsets from which on nothing but the end-of-image marker of a JPEG of one scan is missing.
std::size_t complete_from(const std::string& file, std::size_t size) {
  return file.find("progressive") == std::string::npos && file.ends_with(".jpg") ? size - 2 : size;
}

TEST(DecodeErrors, ACutFileGivesNoImage) {
  for (const std::string file :
       {"420.jpg", "grey.jpg", "restart.jpg", "progressive.jpg", "cmyk.jpg", "exif6.jpg", "rgb.png",
        "palette_trns.png", "rgb_interlaced.png", "grey_16bit.png"}) {
    const Bytes whole = test::golden_file(file);
    for (std::size_t size = 0; size < complete_from(file, whole.size()); ++size) {
      const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      SCOPED_TRACE(file + " cut at " + std::to_string(size));
      // Without its first bytes a file is not known for what it is.
      const std::size_t known = file.ends_with(".jpg") ? 3 : 8;
      const std::string fact = size == 0 ? "no bytes" : size < known ? "starts with" : "cut short";
      expect_error([&] { decode_image(cut); }, ErrorCode::malformed, {fact});
    }
  }
}

TEST(DecodeErrors, DamagedPngData) {
  Bytes bytes = test::golden_file("rgb.png");
  bytes[bytes.size() - 60] ^= 1;
  expect_error([&] { decode_image(bytes); }, ErrorCode::malformed, {"PNG", "damaged", "IDAT"});
}

TEST(DecodeErrors, DamagedPngHeader) {
  Bytes bytes = test::golden_file("rgb.png");
  bytes[19] ^= 1;
  expect_error([&] { decode_image(bytes); }, ErrorCode::malformed, {"PNG", "damaged"});
}

/// The offset of the height in the frame header of a JPEG; the width follows.
std::size_t frame_size_offset(const Bytes& bytes) {
  for (std::size_t i = 0; i + 9 < bytes.size(); ++i) {
    if (bytes[i] == 0xff && (bytes[i + 1] == 0xc0 || bytes[i + 1] == 0xc2)) return i + 5;
  }
  return 0;
}

Bytes jpeg_of_size(int width, int height) {
  Bytes bytes = test::golden_file("420.jpg");
  const std::size_t at = frame_size_offset(bytes);
  bytes[at] = static_cast<std::uint8_t>(height >> 8);
  bytes[at + 1] = static_cast<std::uint8_t>(height);
  bytes[at + 2] = static_cast<std::uint8_t>(width >> 8);
  bytes[at + 3] = static_cast<std::uint8_t>(width);
  return bytes;
}

std::uint32_t crc32(const std::uint8_t* data, std::size_t size) {
  std::uint32_t crc = 0xffffffff;
  for (std::size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

void put_u32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (int i = 0; i < 4; ++i)
    bytes[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

Bytes png_of_size(std::uint32_t width, std::uint32_t height) {
  Bytes bytes = test::golden_file("rgb.png");
  put_u32(bytes, 16, width);
  put_u32(bytes, 20, height);
  put_u32(bytes, 29, crc32(bytes.data() + 12, 17));
  return bytes;
}

TEST(DecodeErrors, SizesAreJudgedBeforeMemoryIsTaken) {
  const struct {
    Bytes bytes;
    ErrorCode code;
    std::string fact;
  } cases[] = {
      {jpeg_of_size(0, 13), ErrorCode::malformed, "Empty"},
      {jpeg_of_size(17, 0), ErrorCode::malformed, "Empty"},
      {jpeg_of_size(65000, 65000), ErrorCode::unsupported,
       "65000 x 65000 pixels; DecodeOptions::max_pixels allows 268435456"},
      {jpeg_of_size(65535, 1), ErrorCode::unsupported, "65500"},
      {png_of_size(0, 13), ErrorCode::malformed, "IHDR"},
      {png_of_size(17, 0), ErrorCode::malformed, "IHDR"},
      {png_of_size(100000, 100000), ErrorCode::unsupported, "100000 x 100000 pixels"},
      {png_of_size(0x7fffffff, 0x7fffffff), ErrorCode::unsupported, "2147483647 x 2147483647"},
      {png_of_size(0x80000000, 1), ErrorCode::malformed, "PNG"},
  };
  for (const auto& c : cases) expect_error([&] { decode_image(c.bytes); }, c.code, {c.fact});
}

TEST(DecodeErrors, MaxPixelsIsHeeded) {
  DecodeOptions options;
  options.max_pixels = 17 * 13;
  for (const char* file : {"420.jpg", "rgb.png"}) {
    const Bytes bytes = test::golden_file(file);
    EXPECT_NO_THROW(decode_image(bytes, options));
    DecodeOptions fewer = options;
    fewer.max_pixels -= 1;
    expect_error([&] { decode_image(bytes, fewer); }, ErrorCode::unsupported,
                 {"17 x 13", "max_pixels allows 220"});
  }
}

TEST(DecodeErrors, LosslessAndTwelveBitsAreUnsupported) {
  Bytes bytes = test::golden_file("420.jpg");
  const std::size_t at = frame_size_offset(bytes);
  bytes[at - 1] = 12;
  expect_error([&] { decode_image(bytes); }, ErrorCode::unsupported, {"JPEG", "12"});
  bytes[at - 1] = 8;
  bytes[at - 4] = 0xc3;  // lossless
  expect_error([&] { decode_image(bytes); }, ErrorCode::unsupported, {"JPEG", "SOF type 0xc3"});
}

std::size_t find_marker(const Bytes& bytes, std::uint8_t marker) {
  std::size_t i = 0;
  while (bytes[i] != 0xff || bytes[i + 1] != marker) ++i;
  return i;
}

/// A colour JPEG with a scan for each component in turn, `scans` in all, made from the one scan of a grey
/// JPEG.
Bytes jpeg_of_scans(int scans) {
  const Bytes grey = test::golden_file("grey.jpg");
  const auto at = [&](std::size_t offset) { return grey.begin() + static_cast<std::ptrdiff_t>(offset); };
  const std::size_t frame = find_marker(grey, 0xc0);
  const std::size_t scan = find_marker(grey, 0xda);
  Bytes bytes(grey.begin(), at(frame));
  const Bytes header = {0xff, 0xc0, 0, 17, 8, 0, 13, 0, 17, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0};
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), at(frame + 13), at(scan));
  for (int i = 0; i < scans; ++i) {
    bytes.insert(bytes.end(), at(scan), grey.end() - 2);
    bytes[bytes.size() - (grey.size() - 2 - scan) + 5] = static_cast<std::uint8_t>(1 + i % 3);
  }
  bytes.insert(bytes.end(), {0xff, 0xd9});
  return bytes;
}

// Cameras write them.
TEST(DecodeErrors, HarmlessFlawsPass) {
  const Bytes grey = test::golden_file("grey.jpg");
  const Image expected = decode_image(grey);
  const std::size_t scan = find_marker(grey, 0xda);
  Bytes spectral = grey;  // the range of coefficients, which only progressive scans have
  ASSERT_EQ(spectral[scan + 8], 63);
  spectral[scan + 8] = 0;
  Bytes stray = grey;
  stray.insert(stray.begin() + static_cast<std::ptrdiff_t>(scan), {1, 2, 3});
  Bytes trailing = grey;
  trailing.insert(trailing.end(), 100, 7);
  for (const Bytes& bytes : {spectral, stray, trailing}) {
    const Image image = decode_image(bytes);
    EXPECT_TRUE(std::equal(image.pixels().begin(), image.pixels().end(), expected.pixels().begin()));
  }
}

std::string packed_text(std::size_t bytes) {
  const std::string text(bytes, 'a');
  uLongf size = compressBound(static_cast<uLong>(bytes));
  std::string packed(size, '\0');
  EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                      reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(bytes), 9),
            Z_OK);
  packed.resize(size);
  return packed;
}

// A chunk of that kind in front of the pixels, `count` times.
Bytes png_with_chunks(const std::string& kind, const std::string& data, int count) {
  Bytes bytes = test::golden_file("rgb.png");
  Bytes chunk(8 + data.size() + 4);
  put_u32(chunk, 0, static_cast<std::uint32_t>(data.size()));
  std::copy(kind.begin(), kind.end(), chunk.begin() + 4);
  std::copy(data.begin(), data.end(), chunk.begin() + 8);
  put_u32(chunk, 8 + data.size(), crc32(chunk.data() + 4, 4 + data.size()));
  Bytes all;
  for (int i = 0; i < count; ++i) all.insert(all.end(), chunk.begin(), chunk.end());
  constexpr std::ptrdiff_t kBehindHeader = 33;
  bytes.insert(bytes.begin() + kBehindHeader, all.begin(), all.end());
  return bytes;
}

// The most memory that this process has had, in bytes.
std::int64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

// Texts are not limited by max_pixels, and have nothing to do with the pixels: they are neither unpacked nor
// kept.
TEST(DecodeErrors, ChunksThatNoPixelNeedsTakeNoMemory) {
  const std::string packed = packed_text(7'900'000);
  const std::string nothing(1, '\0');
  const std::vector<std::pair<std::string, std::string>> chunks = {
      {"zTXt", "key" + nothing + nothing + packed},
      {"iTXt", "key" + nothing + "\1" + nothing + nothing + nothing + packed},
      {"tEXt", "key" + nothing + std::string(2'000'000, 'a')},
      {"sPLT", "key" + nothing + "\x08" + std::string(6 * 300'000, 'a')},
      {"abCd", std::string(2'000'000, 'a')},
  };
  const Image expected = decode_image(test::golden_file("rgb.png"));
  for (const auto& [kind, data] : chunks) {
    SCOPED_TRACE(kind);
    const Bytes bytes = png_with_chunks(kind, data, 100);
    const std::int64_t before = peak_memory();
    const Image image = decode_image(bytes);
    EXPECT_LT(peak_memory() - before, 100 << 20);
    EXPECT_TRUE(std::equal(image.pixels().begin(), image.pixels().end(), expected.pixels().begin()));
  }
}

// A scan costs the time of the whole image, and little room in the file.
TEST(DecodeErrors, TooManyScans) {
  EXPECT_EQ(decode_image(jpeg_of_scans(3)).size(), (Size{17, 13}));
  EXPECT_EQ(decode_image(jpeg_of_scans(200)).size(), (Size{17, 13}));
  expect_error([] { decode_image(jpeg_of_scans(201)); }, ErrorCode::unsupported, {"more than 200 scans"});
}

// The larger the image, the fewer: all of them together take no longer than 32 of the largest image.
TEST(DecodeErrors, ScansAreLimitedByTheSizeOfTheImage) {
  DecodeOptions options;
  options.max_pixels = 17 * 13;
  EXPECT_EQ(decode_image(jpeg_of_scans(32), options).size(), (Size{17, 13}));
  expect_error([&] { decode_image(jpeg_of_scans(33), options); }, ErrorCode::unsupported,
               {"more than 32 scans", "17 x 13 pixels"});
  options.max_pixels = 3 * 17 * 13;
  EXPECT_EQ(decode_image(jpeg_of_scans(96), options).size(), (Size{17, 13}));
  expect_error([&] { decode_image(jpeg_of_scans(97), options); }, ErrorCode::unsupported,
               {"more than 96 scans"});
}

// Without the end-of-image marker, it is not known whether the last scan is there.
TEST(DecodeErrors, SeveralScansNeedTheEndMarker) {
  const Bytes bytes = jpeg_of_scans(3);
  const Bytes cut(bytes.begin(), bytes.end() - 2);
  expect_error([&] { decode_image(cut); }, ErrorCode::malformed, {"cut short", "last scan"});
}

TEST(ReadImageErrors, BeginWithThePath) {
  const std::string missing = (test::golden_folder() / "none.jpg").string();
  expect_error([&] { read_image(missing); }, ErrorCode::not_found, {missing, "no such file"});
  const std::string folder = test::golden_folder().string();
  expect_error([&] { read_image(folder); }, ErrorCode::invalid_argument, {folder, "this is a folder"});
  const std::string npz = (test::golden_folder() / "decode.npz").string();
  expect_error([&] { read_image(npz); }, ErrorCode::malformed, {npz, "starts with 50 4b 03 04"});
}

// Neither waits for a writer, nor reads for ever.
TEST(ReadImageErrors, PipesAndDevicesAreRefused) {
  const test::TempDir dir;
  ASSERT_EQ(mkfifo((dir / "pipe.jpg").c_str(), 0600), 0);
  for (const std::string& path : {dir / "pipe.jpg", std::string("/dev/zero"), std::string("/dev/null")})
    expect_error([&] { read_image(path); }, ErrorCode::not_found, {path, "not a regular file"});
}

TEST(ReadImageErrors, AFileOfMoreThanAnImageIsRefusedUnread) {
  const test::TempDir dir;
  const std::string path = dir.write("large.png", "\x89PNG");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  expect_error([&] { read_image(path); }, ErrorCode::unsupported, {path, "1099511627776 bytes"});
}

}  // namespace
}  // namespace mxinfer
