// Pose: an object and its key points, such as a person and its joints.
//
//   for (const mxinfer::Pose& pose : joints.detect_keypoints(photo, detector)) {
//     for (const mxinfer::Keypoint& point : pose.points)
//       std::cout << point.label << ' ' << point.x << ' ' << point.y << '\n';
//   }
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/vision/detections.h>

#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How a point is read from a heat map.
enum class HeatMapPeak {
  cell,     ///< at the largest element, as GluonCV's heatmap_to_coord computes it
  quarter,  ///< a quarter of an element from there towards the larger neighbour, as for AlphaPose
};

/// One key point of an object.
struct Keypoint {
  float x = 0;  ///< in pixels of your image
  float y = 0;
  float score = 0;  ///< the largest element of the heat map
  /// The label at the position of the point, or the position as text unless the model has one label for each
  /// point.
  std::string label;
};

/// One object and its points, in the model's order.
struct Pose {
  Box box;          ///< the object's box, as it was given
  float score = 1;  ///< the detector's score
  std::vector<Keypoint> points;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
