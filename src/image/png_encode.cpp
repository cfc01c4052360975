#include <png.h>

#include <csetjmp>
#include <cstdio>

#include "base/fail.h"
#include "image/encoders.h"

namespace mxinfer::image {
namespace {

/// Shared by libpng's callbacks. Plain data, because a longjmp skips the frames that use it.
struct PngTarget {
  std::vector<std::uint8_t>* file;
  bool out_of_memory;
  char message[200];
};

void keep_reason(png_structp png, png_const_charp message) {
  auto* target = static_cast<PngTarget*>(png_get_error_ptr(png));
  std::snprintf(target->message, sizeof target->message, "%s", message);
  png_longjmp(png, 1);
}

void hear_no_warning(png_structp, png_const_charp) {}

void append_to_file(png_structp png, png_bytep bytes, std::size_t count) {
  auto* target = static_cast<PngTarget*>(png_get_io_ptr(png));
  if (append_bytes(*target->file, bytes, count)) return;
  target->out_of_memory = true;
  png_error(png, "out of memory");
}

void flush_nothing(png_structp) {}

/// Owns libpng's state. write() holds only plain data, so a jump skips no destructors.
class PngWriter {
 public:
  explicit PngWriter(std::vector<std::uint8_t>& file) : target_{&file, false, {}} {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &target_, keep_reason, hear_no_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, &info_);
      fail(ErrorCode::out_of_memory, "the memory that libpng needs could not be allocated");
    }
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  /// False if libpng gave up.
  bool write(const std::uint8_t* pixels, Size size, int channels, Span<const png_color> palette) noexcept {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_write_fn(png_, &target_, append_to_file, flush_nothing);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), 8,
                 color_type(channels, !palette.empty()), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!palette.empty()) png_set_PLTE(png_, info_, palette.data(), static_cast<int>(palette.size()));
    png_write_info(png_, info_);
    const std::size_t row_bytes = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(channels);
    for (int y = 0; y < size.height; ++y)
      png_write_row(png_, pixels + static_cast<std::size_t>(y) * row_bytes);
    png_write_end(png_, nullptr);
    return true;
  }

  [[noreturn]] void fail_with_reason() const {
    if (target_.out_of_memory)
      fail(ErrorCode::out_of_memory, "the memory that the file needs could not be allocated");
    fail(ErrorCode::unsupported, "libpng cannot write it: ", target_.message);
  }

 private:
  static int color_type(int channels, bool has_palette) noexcept {
    if (has_palette) return PNG_COLOR_TYPE_PALETTE;
    return channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY;
  }

  PngTarget target_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

std::vector<std::uint8_t> encode_png(const Image& image, Span<const std::array<std::uint8_t, 3>> palette) {
  std::vector<png_color> colors;
  for (const auto& [red, green, blue] : palette) colors.push_back({red, green, blue});
  std::vector<std::uint8_t> file;
  PngWriter writer(file);
  if (!writer.write(image.pixels().data(), image.size(), image.channels(), colors)) writer.fail_with_reason();
  return file;
}

}  // namespace mxinfer::image
