#include "c_api/vision/detect_options.h"

#include <string>

#include "c_api/choice.h"

namespace mxinfer::c_api {
namespace {

NmsOptions nms_options_of(const mxinfer_nms_options& options) {
  const mxinfer_nms_options given = read_struct(options);
  NmsOptions result;
  if (given.iou_threshold != 0) result.iou_threshold = given.iou_threshold;
  if (given.all_classes != 0) result.across = SuppressAcross::all_classes;
  result.method = static_cast<NmsMethod>(
      choice_or_first("mxinfer_nms_options.method", given.method, {"hard", "linear", "gaussian"}));
  if (given.sigma != 0) result.sigma = given.sigma;
  result.score_threshold = given.score_threshold;
  if (given.max_detections != 0) result.max_detections = given.max_detections;
  result.overlap = static_cast<SuppressOverlap>(
      choice_or_first("mxinfer_nms_options.overlap", given.overlap, {"iou", "min"}));
  return result;
}

}  // namespace

DetectOptions detect_options_of(const mxinfer_detect_options* options) {
  DetectOptions result;
  if (options == nullptr) return result;
  const mxinfer_detect_options given = read_struct(*options);
  result.score_threshold = given.score_threshold;
  if (given.max_detections != 0) result.max_detections = given.max_detections;
  if (given.class_count > 0) need(given.classes, "options.classes");
  for (std::size_t i = 0; i < given.class_count; ++i)
    result.classes.emplace_back(need_text(given.classes[i], "class of options.classes"));
  if (given.class_threshold_count > 0) {
    need(given.threshold_classes, "options.threshold_classes");
    need(given.class_thresholds, "options.class_thresholds");
  }
  for (std::size_t i = 0; i < given.class_threshold_count; ++i) {
    const char* const name = need_text(given.threshold_classes[i], "class of options.threshold_classes");
    result.class_thresholds[name] = given.class_thresholds[i];
  }
  if (given.nms != nullptr) result.nms = nms_options_of(*given.nms);
  return result;
}

}  // namespace mxinfer::c_api
