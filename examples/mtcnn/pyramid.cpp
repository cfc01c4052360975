#include "mtcnn/pyramid.h"

#include <algorithm>
#include <cmath>

#include "mtcnn/networks.h"

namespace mtcnn {
namespace {

constexpr double kWindow = 12;  ///< the receptive field of one output of det1, in pixels
constexpr double kStride = 2;   ///< between two outputs, in pixels
constexpr double kSmallestFace = 20;
constexpr double kFactor = 0.709;  ///< from level to level; about 1 / sqrt(2)
constexpr float kThreshold = 0.6f;

/// The box in the image that det1's output at (x, y) covers.
mxinfer::Box window_at(int x, int y, double scale) {
  const auto pixel = [&](double in_level) { return static_cast<float>(std::nearbyint(in_level / scale)); };
  const double left = kStride * x + 1, top = kStride * y + 1;
  return {pixel(left), pixel(top), pixel(left + kWindow) + 1, pixel(top + kWindow) + 1};
}

/// The candidates that score enough, from scores (1, 2, rows, columns) and offsets (1, 4, rows, columns).
std::vector<Candidate> read_maps(const mxinfer::Tensor& scores, const mxinfer::Tensor& offsets,
                                 double scale) {
  const auto rows = static_cast<int>(scores.shape()[2]), columns = static_cast<int>(scores.shape()[3]);
  const std::ptrdiff_t map = static_cast<std::ptrdiff_t>(rows) * columns;
  const float* face = scores.data<float>() + map;  // the second map; the first is "no face"
  std::vector<Candidate> candidates;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * columns + x;
      if (!(face[at] > kThreshold)) continue;
      const float* offset = offsets.data<float>() + at;
      candidates.push_back(
          {window_at(x, y, scale), face[at], {offset[0], offset[map], offset[2 * map], offset[3 * map]}, {}});
    }
  }
  return candidates;
}

std::vector<Candidate> propose_at(const mxinfer::Predictor& proposer, const mxinfer::Image& image,
                                  double scale) {
  mxinfer::ImageInput level;
  level.height = static_cast<int>(std::ceil(image.height() * scale));
  level.width = static_cast<int>(std::ceil(image.width() * scale));
  const mxinfer::PreparedImages prepared = mxinfer::prepare_images({&image, 1}, preprocess(), level);
  const std::vector<mxinfer::Tensor> maps = proposer.predict({prepared.tensor});
  const mxinfer::Shape& shape = maps[0].shape();
  const std::int64_t rows = shape.rank() == 4 ? shape[2] : 0, columns = shape.rank() == 4 ? shape[3] : 0;
  expect_shape(maps[0], {1, 2, rows, columns});
  expect_shape(maps[1], {1, 4, rows, columns});
  // Neighbouring windows see the same face: keep the best of them.
  return suppress(read_maps(maps[0], maps[1], scale), 0.5f);
}

}  // namespace

std::vector<double> pyramid_scales(mxinfer::Size image) {
  std::vector<double> scales;
  double scale = kWindow / kSmallestFace;
  for (double side = std::min(image.width, image.height) * scale; side > kWindow; side *= kFactor) {
    scales.push_back(scale);
    scale *= kFactor;
  }
  return scales;
}

std::vector<mxinfer::Box> propose(const mxinfer::Predictor& proposer, const mxinfer::Image& image) {
  std::vector<Candidate> candidates;
  for (const double scale : pyramid_scales(image.size())) {
    const std::vector<Candidate> found = propose_at(proposer, image, scale);
    candidates.insert(candidates.end(), found.begin(), found.end());
  }
  return next_boxes(suppress(candidates, 0.7f), image.size());
}

}  // namespace mtcnn
