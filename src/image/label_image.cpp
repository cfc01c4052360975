// Label images: their areas, colours, and PNGs.
#include <mxinfer/vision/label_image.h>

#include <algorithm>

#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "image/encoders.h"

namespace mxinfer {
namespace {

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
  std::array<std::array<std::uint8_t, 3>, 256> palette{};
  for (std::size_t label = 0; label < palette.size(); ++label)
    palette[label] = label_color(static_cast<std::uint8_t>(label));
  return image::encode_png(labels, palette);
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
