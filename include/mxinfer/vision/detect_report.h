// DetectReport: what became of everything that a detection network gave for an image, for the question why
// an object is not among those that were found.
//
//   mxinfer::DetectReport report = detector.report_file("street.jpg");
//   std::cout << to_string(report) << '\n';
//   // 0 of 100 candidates are left: 100 score too little (the best of them 0.31, 'dog'; wanted 0.5)
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

/// A candidate is a row of the network's outputs, or of what a decoder gave, whose class is 0 or above.
/// Each is either among `detections` or counted once, by the first of the members below that applies to it.
struct DetectReport {
  std::vector<Detection> detections{};  ///< as detect() gives them
  std::int64_t rows = 0;                ///< with those that stand for nothing
  std::int64_t candidates = 0;
  std::int64_t nan_scores = 0;       ///< whose score is not a number
  std::int64_t other_classes = 0;    ///< not of DetectOptions::classes
  std::int64_t below_threshold = 0;  ///< of score_threshold, or class_thresholds
  std::int64_t nan_boxes = 0;        ///< a coordinate is not a number, or infinite
  std::int64_t empty_boxes = 0;      ///< without area
  std::int64_t outside = 0;          ///< no part of the box is in the image
  std::int64_t suppressed = 0;       ///< by DetectOptions::nms
  std::int64_t beyond_most = 0;      ///< by DetectOptions::max_detections
  /// Scores of the candidates of wanted classes: those below 0.1 (negative ones too), those of 0.1 to 0.2,
  /// ..., those of 0.9 and more.
  std::array<std::int64_t, 10> histogram{};
  /// The best score of each class that has candidates, by falling score, whether it is wanted or not.
  std::vector<Classification> best{};
  /// Of the candidates that score too little, the one that scores most; meaningless if there is none.
  Classification best_below{};
  float score_threshold = 0;  ///< what was wanted of it
};

/// One sentence: how many candidates there were and what became of them. Thread-safe.
MXINFER_API std::string to_string(const DetectReport& report);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
