// Image: pixels of one byte per channel, row by row, and functions that decode, resize and crop them.
//
//   mxinfer::Image image = mxinfer::read_image("kitten.jpg");                      // RGB, upright
//   mxinfer::Size size = mxinfer::resize_short_size(image.size(), 256);            // such as 340 x 256
//   image = mxinfer::resize_image(image, size.width, size.height, mxinfer::Interpolation::linear);
//   image = mxinfer::crop_image(image, mxinfer::center_crop_region(image.size(), {224, 224}));
//   image.pixels()[(y * 224 + x) * 3 + c];
//
// These functions are bit-identical to those of MXNet 1.9.1 (mx.image.imdecode, imread, imresize,
// resize_short, center_crop), unless a comment below says otherwise. All are thread-safe.
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

/// A width and a height in pixels.
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

/// Returns the image with 1 or 3 channels. The result is what a PNG of these pixels would be decoded to. Grey
/// becomes three equal channels. RGB becomes grey as in libpng, 0.299 R + 0.587 G + 0.114 B; images that were
/// decoded from 16 bits are converted at 16 bits. The classes that take images convert them in this way for
/// their networks. Throws Error(invalid_argument) if `channels` is another number or the image is empty.
MXINFER_API Image convert_channels(const Image& image, int channels);

/// Returns the part of an image inside a region. Throws Error(invalid_argument) if the region is empty or not
/// inside the image.
MXINFER_API Image crop_image(const Image& image, const Region& region);

/// An image of uint8 pixels with 1 (grey) or 3 (RGB) channels. It is immutable: copies are cheap, share the
/// pixels, and may be used by several threads. docs/how-to/images.md lists how each kind of pixel is
/// converted.
class MXINFER_API Image {
 public:
  /// An empty image: 0 x 0 pixels, no channels.
  Image() noexcept;
  /// Copies height * width * channels pixels, row by row. Channels are 1 (grey), 2 (grey, alpha), 3 (RGB) or
  /// 4 (RGB, alpha). Alpha is dropped, as for files. Throws Error(invalid_argument) if the number of pixels
  /// or channels is wrong or a side is below 1.
  Image(int width, int height, int channels, Span<const std::uint8_t> pixels);
  /// Makes an image from a tensor (height, width, channels), or (height, width) for grey. A uint8 tensor with
  /// 1 or 3 channels is not copied. uint16 pixels keep their upper 8 bits, as for a PNG. Throws as above, and
  /// also for floats, because their range is unknown, and for channels that come first.
  explicit Image(Tensor pixels);

  int width() const noexcept { return size_.width; }
  int height() const noexcept { return size_.height; }
  int channels() const noexcept { return channels_; }
  Size size() const noexcept { return size_; }
  bool empty() const noexcept { return pixels_ == nullptr; }
  /// Returns the pixels; channel c of pixel (x, y) is at (y * width + x) * channels + c. Valid while this
  /// image or a copy of it lives.
  Span<const std::uint8_t> pixels() const noexcept;
  /// Returns the pixels as a view (height, width, channels), or (0,) for an empty image. Valid as pixels().
  TensorView view() const noexcept;

 private:
  friend Image convert_channels(const Image& image, int channels);
  friend Image crop_image(const Image& image, const Region& region);

  std::shared_ptr<const Tensor> pixels_;
  /// 16-bit colours converted to grey at 16 bits; pixels_ has only the upper bits.
  std::shared_ptr<const Tensor> grey_;
  Size size_;
  int channels_ = 0;
};

/// The order of the colour channels.
enum class ColorOrder { rgb, bgr };

/// How images are decoded.
struct DecodeOptions {
  /// true: three channels, also for grey images (flag 1 of imdecode). false: one grey channel (flag 0).
  bool color = true;
  ColorOrder order = ColorOrder::rgb;
  /// Turns a JPEG upright by its EXIF orientation. MXNet does so only if the file does not begin with a JFIF
  /// segment, and files of most cameras do not. To get MXNet's pixels from a file with both a JFIF segment
  /// and an orientation, set this to false.
  bool apply_exif = true;
  /// Larger images are an Error(unsupported), which is thrown before memory is allocated for them.
  std::int64_t max_pixels = std::int64_t{1} << 28;
  /// 2, 4 or 8: decodes a JPEG at a half, a quarter or an eighth of its sides, rounded up. This takes a
  /// fraction of the time; use it for images that you shrink anyway. The pixels are about the means of the
  /// full image's. They differ from those of MXNet's decoder followed by a resize. No effect on PNGs.
  int scale_denominator = 1;
};

/// Decodes a JPEG (baseline or progressive; grey, YCbCr, RGB, CMYK, YCCK) or a PNG (all kinds; 16 bits are
/// cut to 8, alpha is dropped). Never opens a file, even if the bytes are a path.
///
/// Throws Error(malformed) if the bytes are not a JPEG or PNG or are damaged. A truncated file or wrong
/// compressed data is an error; MXNet would return an image with missing parts. These flaws are ignored: a
/// missing end-of-image marker after complete data, stray bytes between segments, wrong parameters of a
/// sequential scan, damaged optional PNG chunks, unreadable EXIF.
///
/// Throws Error(unsupported) for:
/// - other formats, with the name if it is known
/// - JPEGs of 12 bits or lossless coding
/// - more than options.max_pixels
/// - JPEGs with more than 200 scans, or whose scans take longer than 32 of an image with options.max_pixels
MXINFER_API Image decode_image(ByteSpan encoded, const DecodeOptions& options = {});

/// Reads and decodes a regular file of this machine. For addresses, call classify_file or detect_file. Throws
/// as decode_image, and Error(not_found). The message begins with the path.
MXINFER_API Image read_image(const std::string& path, const DecodeOptions& options = {});

/// How pixels are interpolated. The numbers are MXNet's and OpenCV's. Pixel centres are at i + 0.5. Only
/// `area` averages when an image shrinks.
enum class Interpolation {
  nearest = 0,
  linear = 1,
  cubic = 2,
  area = 3,  ///< shrinking: the mean of the area that a pixel covers; enlarging: a kind of linear
  lanczos4 = 4,
};

/// Resizes an image. Throws Error(invalid_argument) if the image is empty or a side is below 1.
MXINFER_API Image resize_image(const Image& image, int width, int height,
                               Interpolation interpolation = Interpolation::linear);

/// Returns the size with the same aspect whose shorter side is `short_side`; the longer side is rounded down.
/// Throws Error(invalid_argument) if a size is below 1 or the result exceeds int.
MXINFER_API Size resize_short_size(Size image, int short_side);

/// Returns the largest size with the aspect of `wanted` (up to rounding down) that fits in `image`, at most
/// `wanted`.
MXINFER_API Size scale_down(Size image, Size wanted);

/// Returns the centred region of size scale_down(image, wanted). If it is smaller than `wanted`, MXNet's
/// center_crop then resizes it to `wanted`.
MXINFER_API Region center_crop_region(Size image, Size wanted);

/// Returns MXNet's interp=9: cubic if both sides grow, area if both shrink, otherwise linear.
MXINFER_API Interpolation auto_interpolation(Size from, Size to) noexcept;

}  // namespace MXINFER_ABI
}  // namespace mxinfer
