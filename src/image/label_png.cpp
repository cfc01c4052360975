// Label images as PNGs with a palette.
#include <mxinfer/vision/label_image.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>

#include "base/atomic_file.h"
#include "base/fail.h"

namespace mxinfer {
namespace {

/// What libpng's callbacks share. Plain data: a longjmp passes over the frames that use it, and `out` lives
/// in a frame outside of them.
struct Sink {
  std::vector<std::uint8_t>* out;
  char message[200];
};

void keep_message(png_structp png, png_const_charp message) {
  auto* sink = static_cast<Sink*>(png_get_error_ptr(png));
  std::snprintf(sink->message, sizeof sink->message, "%s", message);
  png_longjmp(png, 1);
}

void append(png_structp png, png_bytep bytes, std::size_t count) {
  auto& out = *static_cast<Sink*>(png_get_io_ptr(png))->out;
  bool has_room = true;
  try {
    out.insert(out.end(), bytes, bytes + count);
  } catch (...) {
    has_room = false;
  }
  if (!has_room) png_error(png, "no memory");
}

void flush_nothing(png_structp /*png*/) {}

/// Owns libpng's state; write() holds only plain data, see image/png.cpp.
class PngWriter {
 public:
  explicit PngWriter(std::vector<std::uint8_t>& out) : sink_{&out, {}} {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink_, keep_message, nullptr);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, &info_);
      fail(ErrorCode::out_of_memory, "the memory that libpng needs was refused");
    }
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  bool write(const std::uint8_t* pixels, Size size, const png_color* palette, int colors) noexcept {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_write_fn(png_, &sink_, append, flush_nothing);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(size.width), static_cast<png_uint_32>(size.height), 8,
                 PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png_, info_, palette, colors);
    png_write_info(png_, info_);
    for (int y = 0; y < size.height; ++y)
      png_write_row(png_, pixels + static_cast<std::ptrdiff_t>(y) * size.width);
    png_write_end(png_, nullptr);
    return true;
  }

  [[nodiscard]] const char* message() const noexcept { return sink_.message; }

 private:
  Sink sink_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

void require_labels(const Image& labels) {
  if (labels.channels() == 1) return;
  if (labels.empty()) fail(ErrorCode::invalid_argument, "the label image is empty (0 x 0 pixels)");
  fail(ErrorCode::invalid_argument, "a label image has one channel; one of ", labels.channels(),
       " was given");
}

}  // namespace

std::vector<LabelArea> MXINFER_ABI::areas_of(const Image& labels) try {
  if (labels.empty()) return {};
  require_labels(labels);
  std::array<std::int64_t, 256> counts{};
  for (std::uint8_t label : labels.pixels()) ++counts[label];
  const auto pixels = static_cast<double>(labels.pixels().size());
  std::vector<LabelArea> areas;
  for (int index = 0; index < kUnknownLabel; ++index) {
    const std::int64_t count = counts[static_cast<std::size_t>(index)];
    if (count > 0) areas.push_back({index, count, static_cast<double>(count) / pixels});
  }
  std::stable_sort(areas.begin(), areas.end(),
                   [](const LabelArea& a, const LabelArea& b) { return a.pixels > b.pixels; });
  return areas;
} catch (...) {
  throw_as_error();
}

std::array<std::uint8_t, 3> MXINFER_ABI::label_color(std::uint8_t label) noexcept {
  std::array<unsigned, 3> color{};
  for (unsigned bit = 0; bit < 8; ++bit) {
    if ((label >> bit & 1u) != 0) color[bit % 3] |= 0x80u >> bit / 3;
  }
  return {static_cast<std::uint8_t>(color[0]), static_cast<std::uint8_t>(color[1]),
          static_cast<std::uint8_t>(color[2])};
}

std::vector<std::uint8_t> MXINFER_ABI::encode_label_png(const Image& labels) try {
  require_labels(labels);
  std::array<png_color, 256> palette{};
  for (std::size_t label = 0; label < palette.size(); ++label) {
    const auto color = label_color(static_cast<std::uint8_t>(label));
    palette[label] = {color[0], color[1], color[2]};
  }
  std::vector<std::uint8_t> out;
  PngWriter writer(out);
  if (!writer.write(labels.pixels().data(), labels.size(), palette.data(), static_cast<int>(palette.size())))
    fail(ErrorCode::internal, "the label image of ", labels.width(), " x ", labels.height(),
         " pixels cannot be written as a PNG: ", writer.message());
  return out;
} catch (...) {
  throw_as_error();
}

void MXINFER_ABI::write_label_png(const Image& labels, const std::string& path) try {
  const std::vector<std::uint8_t> encoded = encode_label_png(labels);
  AtomicFile file(path);
  file.write(encoded.data(), encoded.size());
  file.commit();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
