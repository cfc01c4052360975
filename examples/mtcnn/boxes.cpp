#include "mtcnn/boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mtcnn {
using mxinfer::Box;

std::vector<Candidate> suppress(const std::vector<Candidate>& candidates, float threshold,
                                mxinfer::SuppressOverlap overlap) {
  std::vector<Box> boxes;
  std::vector<float> scores;
  for (const Candidate& candidate : candidates) {
    boxes.push_back(candidate.box);
    scores.push_back(candidate.score);
  }
  mxinfer::NmsOptions options;
  options.iou_threshold = threshold;
  options.overlap = overlap;
  std::vector<Candidate> kept;
  for (const mxinfer::KeptBox& box : mxinfer::non_max_suppression(boxes, scores, options))
    kept.push_back(candidates[box.index]);
  return kept;
}

Box calibrated(const Candidate& candidate) {
  const Box &box = candidate.box, &offset = candidate.offset;
  const float width = box.right - box.left, height = box.bottom - box.top;
  return {box.left + offset.left * width, box.top + offset.top * height, box.right + offset.right * width,
          box.bottom + offset.bottom * height};
}

Box square_around(const Box& box) {
  const float width = box.right - box.left, height = box.bottom - box.top;
  const float side = std::max(width, height);
  const float left = box.left + width / 2 - side / 2, top = box.top + height / 2 - side / 2;
  // Rounds halves to even, as NumPy does.
  return {std::nearbyint(left), std::nearbyint(top), std::nearbyint(left + side), std::nearbyint(top + side)};
}

bool touches(const Box& box, mxinfer::Size image) {
  const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  const float most = 4 * (width + height);  // no face is that much larger than the image
  // Written so that the result is false for NaN.
  return box.right - box.left >= 1 && box.bottom - box.top >= 1 && box.right - box.left <= most &&
         box.bottom - box.top <= most && box.left < width && box.top < height && box.right > 0 &&
         box.bottom > 0;
}

std::vector<Box> next_boxes(const std::vector<Candidate>& candidates, mxinfer::Size image) {
  std::vector<Box> boxes;
  for (const Candidate& candidate : candidates) {
    const Box box = square_around(calibrated(candidate));
    if (touches(box, image)) boxes.push_back(box);
  }
  return boxes;
}

mxinfer::Image crop_with_border(const mxinfer::Image& image, const Box& box) {
  const int left = static_cast<int>(box.left), top = static_cast<int>(box.top);
  const int width = static_cast<int>(box.right) - left, height = static_cast<int>(box.bottom) - top;
  const int channels = image.channels();
  const int first = std::max(left, 0), last = std::min(left + width, image.width());
  const auto row_bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
  std::vector<std::uint8_t> pixels(row_bytes * static_cast<std::size_t>(height), 0);
  for (int y = std::max(top, 0); y < std::min(top + height, image.height()); ++y) {
    const std::uint8_t* from =
        image.pixels().data() + (static_cast<std::ptrdiff_t>(y) * image.width() + first) * channels;
    std::uint8_t* to = pixels.data() + static_cast<std::size_t>(y - top) * row_bytes +
                       static_cast<std::size_t>((first - left) * channels);
    std::copy(from, from + static_cast<std::ptrdiff_t>(last - first) * channels, to);
  }
  return mxinfer::Image(width, height, channels, pixels);
}

}  // namespace mtcnn
