// Label images: grey images whose pixels are classes. The value of a pixel is the position of its class in
// the labels. Written as PNGs with a palette, they are small, and image viewers show them in colours.
//
//   mxinfer::Segmentation found = segmenter.segment_file("street.jpg");
//   mxinfer::write_label_png(found.labels, "street_labels.png");
//   for (const auto& area : mxinfer::areas_of(found.labels)) std::cout << area.index << ' ' << area.pixels << '\n';
//   std::array<std::uint8_t, 3> rgb = mxinfer::label_color(15);   // of persons in Pascal VOC
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/vision/image.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The value of a pixel of unknown class: the network did not see it, its scores are NaN, or they are below
/// SegmentOptions::min_score. Pascal VOC and Cityscapes use this value for pixels to ignore.
constexpr std::uint8_t kUnknownLabel = 255;

/// How much of an image shows one class.
struct LabelArea {
  int index = 0;            ///< the position of the class in the labels
  std::int64_t pixels = 0;  ///< how many pixels of the label image
  double part = 0;          ///< the fraction of all its pixels, unknown ones included: 0 to 1
};

/// Returns the classes of a label image, the largest area first; equal areas are in order of index.
/// kUnknownLabel is left out. Throws Error(invalid_argument) if the image has three channels. Thread-safe, as
/// are all functions here.
[[nodiscard]] MXINFER_API std::vector<LabelArea> areas_of(const Image& labels);

/// Returns the colour of a label in the palette of Pascal VOC. Bits 0, 3 and 6 of the label are the highest
/// bits of red, 1, 4 and 7 those of green, 2 and 5 those of blue. Label 0 is black, and kUnknownLabel is
/// (224, 224, 192).
[[nodiscard]] MXINFER_API std::array<std::uint8_t, 3> label_color(std::uint8_t label) noexcept;

/// Returns a PNG of 8 bits per pixel with the palette of label_color(): its values are the labels. Throws
/// Error(invalid_argument) if the image is empty or has three channels.
[[nodiscard]] MXINFER_API std::vector<std::uint8_t> encode_label_png(const Image& labels);

/// Writes that PNG to a file. An existing file is replaced once the new one is complete. Throws as
/// encode_label_png, and Error(invalid_argument) if the file cannot be written.
MXINFER_API void write_label_png(const Image& labels, const std::string& path);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
