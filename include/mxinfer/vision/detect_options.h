// DetectOptions: what to give of what a detector finds.
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

struct DetectOptions {
  /// Objects that score less are left out.
  float score_threshold = 0.5f;
  /// So many of each image, the best ones; all of them if empty.
  std::optional<int> max_detections{};
  /// Objects of these classes alone: labels, or their positions as text ("0"); all classes if empty.
  std::vector<std::string> classes{};
  /// What objects of single classes, named as in `classes`, must score in place of score_threshold.
  std::map<std::string, float> class_thresholds{};
  /// Suppresses objects that overlap, beyond what the network does itself, before max_detections. Scores that
  /// it lowers are held against the thresholds again.
  std::optional<NmsOptions> nms{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
