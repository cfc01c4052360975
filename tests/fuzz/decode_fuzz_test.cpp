// Images with deterministic damage: whatever the bytes, decode_image returns an image within its limit or
// throws an Error; it never crashes, hangs or reads past its input (which a sanitizer build sees).
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/vision/image.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace mxinfer {
namespace {

using Bytes = std::vector<std::uint8_t>;

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761U + 1) {}
  std::uint32_t below(std::uint32_t limit) {
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ >> 8) % limit;
  }

 private:
  std::uint32_t state_;
};

Bytes damaged(Bytes bytes, Random& random) {
  const std::uint32_t times = 1 + random.below(4);
  for (std::uint32_t i = 0; i < times && !bytes.empty(); ++i) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const auto at = static_cast<std::ptrdiff_t>(random.below(size));
    switch (random.below(6)) {
      case 0:
        bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << random.below(8));
        break;
      case 1:
        bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.below(256));
        break;
      case 2:
        bytes[static_cast<std::size_t>(at)] = 0xff;
        break;
      case 3:
        bytes.erase(bytes.begin() + at, bytes.begin() + std::min<std::ptrdiff_t>(at + random.below(9), size));
        break;
      case 4:
        bytes.insert(bytes.begin() + at, random.below(9), static_cast<std::uint8_t>(random.below(256)));
        break;
      default:
        bytes.resize(static_cast<std::size_t>(at));
        break;
    }
  }
  return bytes;
}

TEST(DecodeFuzz, DamagedFilesGiveAnImageOrAnError) {
  const auto folder = std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "image";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".jpg" || entry.path().extension() == ".png")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 30U);
  DecodeOptions options;
  options.max_pixels = 1 << 16;
  std::uint32_t seed = 0;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const Bytes whole{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    for (int i = 0; i < 200; ++i) {
      Random random(++seed);
      const Bytes bytes = damaged(whole, random);
      options.color = random.below(2) == 0;
      try {
        const Image image = decode_image(bytes, options);
        EXPECT_LE(std::int64_t{image.width()} * image.height(), options.max_pixels);
        EXPECT_EQ(image.channels(), options.color ? 3 : 1);
      } catch (const Error& e) {
        EXPECT_TRUE(e.code() == ErrorCode::malformed || e.code() == ErrorCode::unsupported)
            << path.filename() << " seed " << seed << ": " << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer
