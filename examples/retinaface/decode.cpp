#include "retinaface/decode.h"

#include <cmath>
#include <cstddef>
#include <string>

#include "retinaface/anchors.h"

namespace retinaface {
namespace {

/// A map without the batch dimension: at(channel, row, column).
class Map {
 public:
  Map(const mxinfer::Tensor& tensor, int channels) : values_(tensor.data<float>()) {
    const mxinfer::Shape& shape = tensor.shape();
    if (shape.rank() != 4 || shape[0] != 1 || shape[1] != channels) {
      throw mxinfer::Error(mxinfer::ErrorCode::unsupported,
                           "an output of the network is " + to_string(shape) + "; expected (1, " +
                               std::to_string(channels) +
                               ", rows, columns), as RetinaFace's mnet.25 gives them");
    }
    rows = static_cast<int>(shape[2]);
    columns = static_cast<int>(shape[3]);
  }
  float at(int channel, int row, int column) const {
    return values_[(static_cast<std::ptrdiff_t>(channel) * rows + row) * columns + column];
  }

  int rows = 0;
  int columns = 0;

 private:
  const float* values_;
};

/// Scores: first "no face" of each anchor, then "face" of each.
constexpr int kScoreChannels = 2 * kAnchorsPerCell;
/// Boxes: the distance of the centre from the anchor's, x and y, in sides of the anchor; then the logarithms
/// of the ratios of width and height to the anchor's side.
constexpr int kBoxNumbers = 4;
/// Landmarks: x and y of each, from the anchor's centre, in sides of the anchor.
constexpr int kLandmarkNumbers = 10;

mxinfer::Box box_of(const Anchor& anchor, const Map& offsets, int first, int row, int column) {
  const float x = anchor.x + offsets.at(first, row, column) * anchor.side;
  const float y = anchor.y + offsets.at(first + 1, row, column) * anchor.side;
  const float half_width = std::exp(offsets.at(first + 2, row, column)) * anchor.side / 2;
  const float half_height = std::exp(offsets.at(first + 3, row, column)) * anchor.side / 2;
  return {x - half_width, y - half_height, x + half_width, y + half_height};
}

/// In landmarks, whole numbers are the centres of pixels: half a pixel less than edges.
mxinfer::FaceLandmarks landmarks_of(const Anchor& anchor, const Map& offsets, int first, int row,
                                    int column) {
  mxinfer::FaceLandmarks landmarks;
  for (mxinfer::Point& point : landmarks) {
    point.x = anchor.x - 0.5f + offsets.at(first++, row, column) * anchor.side;
    point.y = anchor.y - 0.5f + offsets.at(first++, row, column) * anchor.side;
  }
  return landmarks;
}

/// All maps of a level must have one size, because one position is read in all of them.
void expect_same_size(const Map& a, const Map& b) {
  if (a.rows == b.rows && a.columns == b.columns) return;
  throw mxinfer::Error(mxinfer::ErrorCode::unsupported,
                       "the maps of scores, boxes and landmarks of one stride differ in size: this is not "
                       "RetinaFace's mnet.25");
}

void decode_level(const Level& level, const Map& scores, const Map& boxes, const Map& landmarks,
                  float threshold, std::vector<faces::Face>& found) {
  for (int row = 0; row < scores.rows; ++row) {
    for (int column = 0; column < scores.columns; ++column) {
      for (int which = 0; which < kAnchorsPerCell; ++which) {
        const float score = scores.at(kAnchorsPerCell + which, row, column);
        if (!(score >= threshold)) continue;
        const Anchor anchor = anchor_at(level, row, column, which);
        const faces::Face face{score, box_of(anchor, boxes, which * kBoxNumbers, row, column),
                               landmarks_of(anchor, landmarks, which * kLandmarkNumbers, row, column)};
        if (faces::is_finite(face)) found.push_back(face);
      }
    }
  }
}

}  // namespace

std::vector<std::string> output_names() {
  std::vector<std::string> names;
  for (const Level& level : kLevels) {
    const std::string stride = "_stride" + std::to_string(level.stride);
    names.push_back("face_rpn_cls_prob_reshape" + stride);
    names.push_back("face_rpn_bbox_pred" + stride);
    names.push_back("face_rpn_landmark_pred" + stride);
  }
  return names;
}

std::vector<faces::Face> decode(const std::vector<mxinfer::Tensor>& maps, float threshold) {
  std::vector<faces::Face> found;
  std::size_t next = 0;
  for (const Level& level : kLevels) {
    const Map scores(maps.at(next++), kScoreChannels);
    const Map boxes(maps.at(next++), kBoxNumbers * kAnchorsPerCell);
    const Map landmarks(maps.at(next++), kLandmarkNumbers * kAnchorsPerCell);
    expect_same_size(scores, boxes);
    expect_same_size(scores, landmarks);
    decode_level(level, scores, boxes, landmarks, threshold, found);
  }
  return found;
}

std::vector<faces::Face> suppress(const std::vector<faces::Face>& found, float iou_threshold) {
  std::vector<mxinfer::Box> boxes;
  std::vector<float> scores;
  for (const faces::Face& face : found) {
    boxes.push_back(face.box);
    scores.push_back(face.score);
  }
  std::vector<faces::Face> kept;
  for (const std::size_t i : mxinfer::non_max_suppression(boxes, scores, iou_threshold))
    kept.push_back(found[i]);
  return kept;
}

}  // namespace retinaface
