// Which classes of objects a caller wants, and what they must score.
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
  /// Throws Error(invalid_argument), naming the labels, for a class that the model has not.
  ClassRules(const Model& model, const DetectOptions& options);

  bool wants(int index) const;
  float threshold(int index) const;

 private:
  std::vector<int> wanted_;  ///< ascending; all if there are none
  std::vector<std::pair<int, float>> thresholds_;
  float threshold_;
};

}  // namespace mxinfer::api
