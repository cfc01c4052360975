#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "base/fail.h"
#include "image/codecs.h"

namespace mxinfer::image {
namespace {

/// Shared by libpng's callbacks. Plain data, because a longjmp skips the frames that use it.
struct Source {
  const std::uint8_t* next;
  std::size_t left;
  char message[200];
};

void keep_message(png_structp png, png_const_charp message) {
  auto* source = static_cast<Source*>(png_get_error_ptr(png));
  std::snprintf(source->message, sizeof source->message, "%s", message);
  png_longjmp(png, 1);
}

/// Damaged optional chunks only cause warnings; they do not affect the pixels.
void ignore_warning(png_structp, png_const_charp) {}

void read_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->left) png_error(png, "the file was cut short");
  std::memcpy(out, source->next, count);
  source->next += count;
  source->left -= count;
}

/// Owns libpng's state. The member functions with a setjmp hold only plain data, so a jump skips no
/// destructors; they return false if libpng gave up, with its reason in message().
class PngReader {
 public:
  explicit PngReader(Span<const std::uint8_t> bytes) : source_{bytes.data(), bytes.size(), {}} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, keep_message, ignore_warning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, &info_, nullptr);
      fail(ErrorCode::out_of_memory, "the memory that libpng needs could not be allocated");
    }
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  bool read_header() noexcept {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_read_fn(png_, &source_, read_bytes);
    skip_what_no_pixel_needs();
    // check_pixel_count checks the sides, with a better message.
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(png_, info_);
    return true;
  }

  /// Asks for 8 bits, no alpha, and one or three channels.
  bool choose_output(bool color, bool bgr) noexcept {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    const int type = png_get_color_type(png_, info_);
    const bool colored = (type & PNG_COLOR_MASK_COLOR) != 0;
    png_set_strip_16(png_);
    png_set_strip_alpha(png_);
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if (!colored) png_set_expand_gray_1_2_4_to_8(png_);
    if (color && colored && bgr) png_set_bgr(png_);
    if (color && !colored) png_set_gray_to_rgb(png_);
    if (!color) png_set_rgb_to_gray(png_, 1, 0.299, 0.587);
    passes_ = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }

  bool read_pixels(std::uint8_t* out, std::size_t row_bytes) noexcept {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    const png_uint_32 rows = height();
    for (int pass = 0; pass < passes_; ++pass) {
      for (png_uint_32 y = 0; y < rows; ++y) png_read_row(png_, out + y * row_bytes, nullptr);
    }
    png_read_end(png_, nullptr);
    return true;
  }

  png_uint_32 width() const noexcept { return png_get_image_width(png_, info_); }
  png_uint_32 height() const noexcept { return png_get_image_height(png_, info_); }
  std::size_t row_bytes() const noexcept { return png_get_rowbytes(png_, info_); }
  const char* message() const noexcept { return source_.message; }

 private:
  // Of the optional chunks, reads only those that affect the conversion to grey, one of each kind and of a
  // known size. Texts, suggested palettes and others would be unpacked and kept in memory: 1000 chunks of 8
  // MB, each of 8 kB in the file.
  void skip_what_no_pixel_needs() noexcept {
    static constexpr png_byte kNeeded[] = "cHRM\0gAMA\0iCCP\0sBIT\0sRGB";
    constexpr int kNeededCount = sizeof kNeeded / 5;
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_AS_DEFAULT, kNeeded, kNeededCount);
    png_set_chunk_malloc_max(png_, 8'000'000);
  }

  Source source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int passes_ = 1;
};

[[noreturn]] void fail_damaged(const PngReader& reader) {
  fail(ErrorCode::malformed, "damaged: ", reader.message());
}

}  // namespace

Tensor decode_png(Span<const std::uint8_t> bytes, const DecodeOptions& options) {
  PngReader reader(bytes);
  if (!reader.read_header()) fail_damaged(reader);
  check_pixel_count(reader.width(), reader.height(), options);
  if (!reader.choose_output(options.color, options.order == ColorOrder::bgr)) fail_damaged(reader);
  const std::int64_t channels = options.color ? 3 : 1;
  const std::size_t row_bytes = static_cast<std::size_t>(channels) * reader.width();
  if (reader.row_bytes() != row_bytes) {
    fail(ErrorCode::internal, "libpng makes rows of ", reader.row_bytes(), " bytes, ", row_bytes,
         " were expected");
  }
  Tensor pixels = Tensor::uninitialized(DType::uint8, {reader.height(), reader.width(), channels});
  if (!reader.read_pixels(pixels.data<std::uint8_t>(), row_bytes)) fail_damaged(reader);
  return pixels;
}

}  // namespace mxinfer::image
