// Label images: one grey pixel for each pixel of an image, whose value is the position of what it shows in
// the labels. As PNGs with a palette they are small, and programs show them in colours.
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

/// The value of a pixel of which nothing is known: outside of what the network saw, without a score that is a
/// number, or below SegmentOptions::min_score. Pascal VOC and Cityscapes use it for what is to be ignored.
constexpr std::uint8_t kUnknownLabel = 255;

/// How much of an image shows one class.
struct LabelArea {
  int index = 0;            ///< the class's position in the labels
  std::int64_t pixels = 0;  ///< of the label image
  double part = 0;          ///< of all its pixels, those that are unknown too: 0..1
};

/// The classes of a label image, the largest area first, equal ones by index; without kUnknownLabel. Throws
/// Error(invalid_argument) for an image of three channels. Thread-safe, as all functions here.
[[nodiscard]] MXINFER_API std::vector<LabelArea> areas_of(const Image& labels);

/// The colour of a label in the palette of Pascal VOC: the bits 0, 3, 6 of the label are the highest of red,
/// 1, 4, 7 those of green, 2, 5 those of blue. Label 0 is black, kUnknownLabel is (224, 224, 192).
[[nodiscard]] MXINFER_API std::array<std::uint8_t, 3> label_color(std::uint8_t label) noexcept;

/// A PNG of 8 bits a pixel with the palette of label_color(): its values are the labels. Throws
/// Error(invalid_argument) for an image of three channels, or an empty one.
[[nodiscard]] MXINFER_API std::vector<std::uint8_t> encode_label_png(const Image& labels);

/// The same into a file; one of that name is replaced when the new one is complete. Also
/// Error(invalid_argument) if it cannot be written.
MXINFER_API void write_label_png(const Image& labels, const std::string& path);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
