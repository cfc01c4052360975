// Pose: an object and its key points, such as a person and its joints; and how points are read from heat
// maps.
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

/// Where in a heat map a point is taken to be.
enum class HeatMapPeak {
  cell,     ///< at the largest element, as GluonCV's heatmap_to_coord has it
  quarter,  ///< a quarter of an element from there towards the larger neighbour, as for AlphaPose
};

struct Keypoint {
  float x = 0;  ///< in pixels of the image that was given
  float y = 0;
  float score = 0;  ///< the heat map's largest element
  /// The model's label of that position; the position as text if the model has not as many labels as points.
  std::string label;
};

/// One object and its points, in the model's order.
struct Pose {
  Box box;          ///< of the object, as it was given
  float score = 1;  ///< of the detector
  std::vector<Keypoint> points;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
