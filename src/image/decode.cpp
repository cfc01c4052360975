#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "base/fail.h"
#include "base/files/file.h"
#include "image/codecs.h"
#include "image/file_kind.h"

namespace mxinfer {
namespace {

using Bytes = Span<const std::uint8_t>;

bool starts_with(Bytes bytes, std::string_view magic, std::size_t at = 0) {
  if (bytes.size() < at + magic.size()) return false;
  return std::string_view(reinterpret_cast<const char*>(bytes.data()) + at, magic.size()) == magic;
}

constexpr std::string_view kJpegMagic = "\xff\xd8\xff";
constexpr std::string_view kPngMagic = "\x89PNG\r\n\x1a\n";

/// The name of an image format that is recognised but not decoded, or null.
const char* other_format(Bytes bytes) {
  if (starts_with(bytes, "GIF8")) return "GIF";
  if (starts_with(bytes, "RIFF") && starts_with(bytes, "WEBP", 8)) return "WebP";
  if (starts_with(bytes, "BM")) return "BMP";
  if (starts_with(bytes, std::string_view("II*\0", 4)) || starts_with(bytes, std::string_view("MM\0*", 4))) {
    return "TIFF";
  }
  if (starts_with(bytes, "ftypavif", 4)) return "AVIF";
  if (starts_with(bytes, "ftyphei", 4) || starts_with(bytes, "ftypmif1", 4)) return "HEIF";
  if (starts_with(bytes, std::string_view("\0\0\0\x0cjP  ", 8))) return "JPEG 2000";
  if (starts_with(bytes, "\xff\x0a") || starts_with(bytes, "JXL ", 4)) return "JPEG XL";
  return nullptr;
}

std::string first_bytes(Bytes bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size() && i < 8; ++i) {
    char hex[4];
    std::snprintf(hex, sizeof hex, "%s%02x", i == 0 ? "" : " ", bytes[i]);
    text += hex;
  }
  return text;
}

[[noreturn]] void fail_unknown(Bytes bytes) {
  if (bytes.empty()) fail(ErrorCode::malformed, "no bytes were given where a JPEG or PNG was expected");
  if (const char* name = other_format(bytes)) {
    fail(ErrorCode::unsupported, "not a JPEG or PNG; it looks like ", name, " (starts with ",
         first_bytes(bytes), "); convert it to JPEG or PNG");
  }
  fail(ErrorCode::malformed, "not a JPEG or PNG; starts with ", first_bytes(bytes));
}

/// The bytes of the largest image decoded by default, with four channels of 16 bits.
constexpr std::uintmax_t kMostFileBytes = std::uintmax_t{1} << 31;

std::vector<std::byte> read_image_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) fail(ErrorCode::not_found, "there is no such file");
  if (std::filesystem::is_directory(path, error)) {
    fail(ErrorCode::invalid_argument, "this is a folder; expected a JPEG or PNG file");
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > kMostFileBytes) {
    fail(ErrorCode::unsupported, "it has ", bytes, " bytes; an image may have ", kMostFileBytes);
  }
  return read_file(path, "it");
}

}  // namespace

bool image::begins_like_image(ByteSpan encoded) {
  const Bytes bytes = encoded.as<std::uint8_t>();
  if (starts_with(bytes, kJpegMagic) || starts_with(bytes, kPngMagic)) return true;
  // The magic of some formats could begin a path; their headers contain zero bytes.
  constexpr std::size_t kHeader = 64;
  const auto* const end = bytes.begin() + std::min(bytes.size(), kHeader);
  return other_format(bytes) != nullptr && std::find(bytes.begin(), end, std::uint8_t{0}) != end;
}

void image::check_pixel_count(std::int64_t width, std::int64_t height, const DecodeOptions& options) {
  const auto pixels = checked_mul(width, height);
  if (!pixels || *pixels > options.max_pixels) {
    fail(ErrorCode::unsupported, "the image is ", width, " x ", height,
         " pixels; DecodeOptions::max_pixels allows ", options.max_pixels);
  }
}

namespace {

Image decode(Bytes bytes, const DecodeOptions& options, const image::ChoosePart* choose) {
  if (starts_with(bytes, kJpegMagic)) {
    return in_context([] { return "JPEG"; },
                      [&] { return Image(image::decode_jpeg(bytes, options, choose)); });
  }
  if (starts_with(bytes, kPngMagic)) {
    return in_context([] { return "PNG"; }, [&] { return Image(image::decode_png(bytes, options)); });
  }
  fail_unknown(bytes);
}

}  // namespace

Size image::scaled_size(Size full, int denominator) {
  return {(full.width - 1) / denominator + 1, (full.height - 1) / denominator + 1};
}

Image image::decode_part(ByteSpan encoded, const DecodeOptions& options, ChoosePart choose) {
  return decode(encoded.as<std::uint8_t>(), options, &choose);
}

Image MXINFER_ABI::decode_image(ByteSpan encoded, const DecodeOptions& options) try {
  const int scale = options.scale_denominator;
  if (scale != 1 && scale != 2 && scale != 4 && scale != 8) {
    fail(ErrorCode::invalid_argument, "DecodeOptions::scale_denominator is ", scale,
         "; it must be 1, 2, 4 or 8");
  }
  return decode(encoded.as<std::uint8_t>(), options, nullptr);
} catch (...) {
  throw_as_error();
}

Image image::read_part(const std::string& path, const DecodeOptions& options, ChoosePart choose) {
  return in_context([&] { return printable(path); },
                    [&] {
                      const std::vector<std::byte> bytes = read_image_file(path);
                      return decode_part({bytes.data(), bytes.size()}, options, choose);
                    });
}

Image MXINFER_ABI::read_image(const std::string& path, const DecodeOptions& options) try {
  return in_context(
      [&] { return printable(path); },
      [&] {
        const std::vector<std::byte> bytes = read_image_file(path);
        return decode_image({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, options);
      });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
