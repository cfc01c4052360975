#include "mtcnn/boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mtcnn {
namespace {

using mxinfer::Box;

float area(const Box& box) {
  return std::max(box.right - box.left, 0.0f) * std::max(box.bottom - box.top, 0.0f);
}

float overlap_of(const Box& a, const Box& b, Overlap overlap) {
  if (overlap == Overlap::over_union) return mxinfer::intersection_over_union(a, b);
  const Box shared{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
                   std::min(a.bottom, b.bottom)};
  const float smaller = std::min(area(a), area(b));
  return smaller > 0 ? area(shared) / smaller : 0;
}

/// The library's suppression, which is by union.
std::vector<Candidate> suppress_by_union(const std::vector<Candidate>& candidates, float threshold) {
  std::vector<Box> boxes;
  std::vector<float> scores;
  for (const Candidate& candidate : candidates) {
    boxes.push_back(candidate.box);
    scores.push_back(candidate.score);
  }
  std::vector<Candidate> kept;
  for (const std::size_t i : mxinfer::non_max_suppression(boxes, scores, threshold))
    kept.push_back(candidates[i]);
  return kept;
}

}  // namespace

std::vector<Candidate> suppress(const std::vector<Candidate>& candidates, float threshold, Overlap overlap) {
  if (overlap == Overlap::over_union) return suppress_by_union(candidates, threshold);
  std::vector<Candidate> sorted = candidates, kept;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  for (const Candidate& candidate : sorted) {
    const auto covers = [&](const Candidate& better) {
      return overlap_of(better.box, candidate.box, overlap) > threshold;
    };
    if (std::none_of(kept.begin(), kept.end(), covers)) kept.push_back(candidate);
  }
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
  // Halves go to the even number, as NumPy rounds them.
  return {std::nearbyint(left), std::nearbyint(top), std::nearbyint(left + side), std::nearbyint(top + side)};
}

bool touches(const Box& box, mxinfer::Size picture) {
  const auto width = static_cast<float>(picture.width), height = static_cast<float>(picture.height);
  const float most = 4 * (width + height);  // no face is that much larger than the picture
  // Written so that NaN touches nothing.
  return box.right - box.left >= 1 && box.bottom - box.top >= 1 && box.right - box.left <= most &&
         box.bottom - box.top <= most && box.left < width && box.top < height && box.right > 0 &&
         box.bottom > 0;
}

std::vector<Box> next_boxes(const std::vector<Candidate>& candidates, mxinfer::Size picture) {
  std::vector<Box> boxes;
  for (const Candidate& candidate : candidates) {
    const Box box = square_around(calibrated(candidate));
    if (touches(box, picture)) boxes.push_back(box);
  }
  return boxes;
}

mxinfer::Image crop_with_border(const mxinfer::Image& picture, const Box& box) {
  const int left = static_cast<int>(box.left), top = static_cast<int>(box.top);
  const int width = static_cast<int>(box.right) - left, height = static_cast<int>(box.bottom) - top;
  const int channels = picture.channels();
  const int first = std::max(left, 0), last = std::min(left + width, picture.width());
  const auto row_bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
  std::vector<std::uint8_t> pixels(row_bytes * static_cast<std::size_t>(height), 0);
  for (int y = std::max(top, 0); y < std::min(top + height, picture.height()); ++y) {
    const std::uint8_t* from =
        picture.pixels().data() + (static_cast<std::ptrdiff_t>(y) * picture.width() + first) * channels;
    std::uint8_t* to = pixels.data() + static_cast<std::size_t>(y - top) * row_bytes +
                       static_cast<std::size_t>((first - left) * channels);
    std::copy(from, from + static_cast<std::ptrdiff_t>(last - first) * channels, to);
  }
  return mxinfer::Image(width, height, channels, pixels);
}

}  // namespace mtcnn
