// Image: an image as bytes, row by row, each pixel's channels side by side; and how to get one from a JPEG
// or PNG.
//
//   mxinfer::Image image = mxinfer::read_image("kitten.jpg");                      // RGB, upright
//   mxinfer::Size size = mxinfer::resize_short_size(image.size(), 256);            // such as 340 x 256
//   image = mxinfer::resize_image(image, size.width, size.height, mxinfer::Interpolation::linear);
//   image = mxinfer::crop_image(image, mxinfer::center_crop_region(image.size(), {224, 224}));
//   image.pixels()[(y * 224 + x) * 3 + c];
//
// What these functions compute is what MXNet 1.9.1 computes (mx.image.imdecode, imread, imresize,
// resize_short, center_crop), to the last bit unless a comment below says otherwise. All are safe to
// call on any thread.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <memory>
#include <string>

namespace mxinfer {
inline namespace MXINFER_ABI {

struct Size {
  int width = 0;
  int height = 0;
  friend bool operator==(const Size& a, const Size& b) noexcept {
    return a.width == b.width && a.height == b.height;
  }
  friend bool operator!=(const Size& a, const Size& b) noexcept { return !(a == b); }
};

/// A rectangle of pixels: columns [x, x + width) of rows [y, y + height).
struct Region {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

class Image;

/// The image with so many channels, 1 or 3: itself if it has them. What a PNG of the same pixels is decoded
/// to: grey becomes three equal channels, RGB becomes grey by 0.299 R + 0.587 G + 0.114 B as libpng computes
/// it, of 16 bits before 8 of them are kept. The classes that take images do this for their networks. Throws
/// Error(invalid_argument) for another count and for an empty image.
MXINFER_API Image convert_channels(const Image& image, int channels);

/// The part of an image inside a region. Throws Error(invalid_argument) unless it lies inside and is not
/// empty.
MXINFER_API Image crop_image(const Image& image, const Region& region);

/// An image of uint8 pixels with 1 (grey) or 3 (RGB) channels. It never changes, so that copies share its
/// pixels: they are cheap, and safe to use on several threads. docs/how-to/images.md has a table of what
/// becomes of which pixels.
class MXINFER_API Image {
 public:
  /// An empty image: 0 x 0, no channels.
  Image() noexcept;
  /// Copies height * width * channels pixels, row by row: 1 channel (grey), 2 (grey, alpha), 3 (RGB) or 4
  /// (RGB, alpha). Alpha is dropped, as that of a file. Throws Error(invalid_argument) if the count is
  /// another, a side is below 1 or channels are none of these.
  Image(int width, int height, int channels, Span<const std::uint8_t> pixels);
  /// Of a tensor of shape (height, width, channels), or (height, width) for grey: one of uint8 with 1 or 3
  /// channels is taken over; of uint16 the upper 8 bits are kept, as those of a PNG. The same errors; also
  /// for floats, whose range nothing says, and for channels that come first.
  explicit Image(Tensor pixels);

  int width() const noexcept { return size_.width; }
  int height() const noexcept { return size_.height; }
  int channels() const noexcept { return channels_; }
  Size size() const noexcept { return size_; }
  bool empty() const noexcept { return pixels_ == nullptr; }
  /// Pixel (x, y), channel c is at (y * width + x) * channels + c. Valid while this image or a copy of it
  /// lives.
  Span<const std::uint8_t> pixels() const noexcept;
  /// The same pixels as a (height, width, channels) view; (0,) for an empty image.
  TensorView view() const noexcept;

 private:
  friend Image convert_channels(const Image& image, int channels);
  friend Image crop_image(const Image& image, const Region& region);

  std::shared_ptr<const Tensor> pixels_;
  std::shared_ptr<const Tensor> grey_;  ///< of 16-bit colours, of which pixels_ has but the upper bits
  Size size_;
  int channels_ = 0;
};

enum class ColorOrder { rgb, bgr };

struct DecodeOptions {
  /// true: three channels, grey images included (flag 1 of imdecode); false: one grey channel (flag 0).
  bool color = true;
  ColorOrder order = ColorOrder::rgb;
  /// Turns a JPEG upright as its EXIF orientation says. MXNet does so only if the file does not begin with
  /// a JFIF segment, as those of most cameras do not; for its pixels from a file with both, switch this off.
  bool apply_exif = true;
  /// Larger images are rejected (unsupported) before any memory is allocated for them.
  std::int64_t max_pixels = std::int64_t{1} << 28;
  /// 2, 4 or 8: a JPEG is decoded at a half, a quarter or an eighth of its sides (rounded up), in a fraction
  /// of the time, for images that are to be shrunk anyway. Its pixels are then about the means of the whole
  /// image's, but not what MXNet's decoder and a resize give. PNGs are decoded whole.
  int scale_denominator = 1;
};

/// Decodes a JPEG (baseline or progressive; grey, YCbCr, RGB, CMYK, YCCK) or a PNG (every kind; 16 bits are
/// cut to 8, alpha is dropped).
///
/// Throws Error(malformed) if the bytes are neither, or are damaged: a file that was cut short or whose
/// compressed data is wrong gives no image; MXNet would return one with missing parts. Harmless flaws
/// pass: a missing end-of-image marker after complete data, stray bytes between segments, wrong parameters of
/// a sequential scan, damaged optional PNG chunks, unreadable EXIF. Throws Error(unsupported) for other
/// formats, named if known, for JPEGs of 12 bits or lossless coding, and for more than
/// options.max_pixels, or scans that would take longer than 32 of an image so large. Opens no file, whatever
/// the bytes are.
MXINFER_API Image decode_image(ByteSpan encoded, const DecodeOptions& options = {});

/// Reads and decodes a regular file of this machine; addresses are for classify_file and detect_file. Throws
/// also Error(not_found); the message begins with the path.
MXINFER_API Image read_image(const std::string& path, const DecodeOptions& options = {});

/// MXNet's numbers (and OpenCV's). Pixel centres are at i + 0.5; only `area` averages when it shrinks.
enum class Interpolation {
  nearest = 0,
  linear = 1,
  cubic = 2,
  area = 3,  ///< the mean over the area that a pixel covers; enlarging, a kind of linear
  lanczos4 = 4,
};

/// Throws Error(invalid_argument) for an empty image or sides below 1.
MXINFER_API Image resize_image(const Image& image, int width, int height,
                               Interpolation interpolation = Interpolation::linear);

/// The size whose shorter side is `short_side` at the same aspect, the longer one rounded down. Throws
/// Error(invalid_argument) for sizes below 1 or a result beyond int.
MXINFER_API Size resize_short_size(Size image, int short_side);

/// The largest size of the aspect of `wanted` (up to rounding down) that fits in `image`, at most `wanted`.
MXINFER_API Size scale_down(Size image, Size wanted);

/// The centred region of scale_down(image, wanted). MXNet's center_crop then resizes it to `wanted` if it
/// is smaller.
MXINFER_API Region center_crop_region(Size image, Size wanted);

/// MXNet's interp=9: cubic if both sides grow, area if both shrink, else linear.
MXINFER_API Interpolation auto_interpolation(Size from, Size to) noexcept;

}  // namespace MXINFER_ABI
}  // namespace mxinfer
