// DetectOptions: which of the objects that a detector finds are returned.
//
//   mxinfer::DetectOptions options;
//   options.classes = {"person", "dog"};
//   options.class_thresholds = {{"dog", 0.8f}};
//   options.nms.emplace().across = mxinfer::SuppressAcross::all_classes;
//   for (const auto& found : detector.detect_file("street.jpg", options)) std::cout << found.label << '\n';
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/vision/nms.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Which objects are returned. They pass the thresholds, then `nms`, then `max_detections`.
struct DetectOptions {
  /// Objects with a lower score are left out.
  float score_threshold = 0.5f;
  /// The most objects per image, best first. Not set: all.
  std::optional<int> max_detections{};
  /// The classes to return: labels, or their positions as text ("0"). Empty: all classes.
  std::vector<std::string> classes{};
  /// Thresholds of single classes, named as in `classes`, that replace score_threshold.
  std::map<std::string, float> class_thresholds{};
  /// Suppresses overlapping objects after the network's own suppression. Scores that it lowers are compared
  /// with the thresholds again.
  std::optional<NmsOptions> nms{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
