// The classes of objects that a caller wants, and their score thresholds.
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/vision/detect_options.h>

#include <string>
#include <utility>
#include <vector>

namespace mxinfer::api {

/// DetectOptions::classes, class_thresholds and score_threshold, as positions of labels.
class ClassRules {
 public:
  /// Throws Error(invalid_argument) with the labels for a class that the model does not have.
  ClassRules(const Model& model, const DetectOptions& options);

  bool wants(int index) const;
  float threshold(int index) const;

 private:
  std::vector<int> wanted_;  ///< ascending; empty means all
  std::vector<std::pair<int, float>> thresholds_;
  float threshold_;
};

}  // namespace mxinfer::api
