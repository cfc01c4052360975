// Selects the objects that a caller gets from a network's candidates, and reports why the others were
// dropped.
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/vision/detect_options.h>
#include <mxinfer/vision/detect_report.h>
#include <mxinfer/vision/preprocess.h>

#include <map>
#include <vector>

#include "vision/detect/class_rules.h"

namespace mxinfer::api {

/// Of one image:
///
///   Selection selection(model, options, rules);
///   auto found = rows.rows(image, [&](int id, float score) { return selection.takes(id, score); });
///   DetectReport report = selection.finish(std::move(found), map);
class Selection {
 public:
  /// All are borrowed.
  Selection(const Model& model, const DetectOptions& options, const ClassRules& rules)
      : model_(model), options_(options), rules_(rules) {}

  /// Whether a candidate has a requested class and a sufficient score.
  bool takes(int index, float score);
  /// Maps the accepted candidates back through `map`, drops those outside the image, suppresses, sorts and
  /// labels them.
  DetectReport finish(std::vector<Detection> taken, const ImageMap& map);

 private:
  std::vector<Detection> inside(std::vector<Detection> taken, const ImageMap& map, std::vector<Box>& before);
  std::vector<Detection> suppressed(std::vector<Detection> found, const std::vector<Box>& boxes);
  std::vector<Classification> best() const;

  const Model& model_;
  const DetectOptions& options_;
  const ClassRules& rules_;
  DetectReport report_{};
  std::map<int, float> best_{};  ///< score of each class
};

}  // namespace mxinfer::api
