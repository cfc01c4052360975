// DetectReport: why an object is missing from the results. It counts what happened to each candidate that a
// detection network returned for an image.
//
//   mxinfer::DetectReport report = detector.report_file("street.jpg");
//   std::cout << to_string(report) << '\n';
//   // 0 of 100 candidates are left: 100 score too low (the best of them 0.31, 'dog'; the threshold is 0.5)
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/export.h>
#include <mxinfer/vision/detections.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What happened to each candidate. A candidate is a row of the network's outputs, or of a decoder's result,
/// whose class is 0 or above. It is either one of `detections`, or counted once, by the first reason below
/// that applies.
struct DetectReport {
  std::vector<Detection> detections{};  ///< as detect() returns them
  std::int64_t rows = 0;                ///< all rows, empty ones included
  std::int64_t candidates = 0;          ///< rows that are not empty
  std::int64_t nan_scores = 0;          ///< the score is NaN
  std::int64_t other_classes = 0;       ///< the class is not one of DetectOptions::classes
  std::int64_t below_threshold = 0;     ///< the score is below score_threshold or class_thresholds
  std::int64_t nan_boxes = 0;           ///< a coordinate is NaN or infinite
  std::int64_t empty_boxes = 0;         ///< the box has no area
  std::int64_t outside = 0;             ///< the box does not overlap the image
  std::int64_t suppressed = 0;          ///< left out by DetectOptions::nms
  std::int64_t beyond_most = 0;         ///< left out by DetectOptions::max_detections
  /// How many candidates of the requested classes have a score below 0.1 (negative ones included), from 0.1
  /// to 0.2, and so on, up to 0.9 and above.
  std::array<std::int64_t, 10> histogram{};
  /// The best score of each class that has candidates, in descending order. Includes classes that were not
  /// requested.
  std::vector<Classification> best{};
  /// The best candidate whose score is too low. Undefined if there is none.
  Classification best_below{};
  float score_threshold = 0;  ///< the threshold that best_below missed
};

/// Returns one sentence: how many candidates there were and why the others were left out. Thread-safe.
MXINFER_API std::string to_string(const DetectReport& report);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
