#include <mxinfer/vision/detect_report.h>

#include <charconv>
#include <utility>

#include "base/fail.h"

namespace mxinfer {
namespace {

std::string number_text(float number) {
  // Whatever the locale.
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::general, 3).ptr;
  return {text, end};
}

std::string best_text(const DetectReport& report) {
  const Classification& best = report.best_below;
  return concat(" (the best of them ", number_text(best.score), ", '", printable(best.label),
                "'; the threshold is ", number_text(report.score_threshold), ")");
}

}  // namespace

std::string MXINFER_ABI::to_string(const DetectReport& report) try {
  if (report.rows == 0) return "the network gave no rows";
  if (report.candidates == 0) {
    return concat("none of the network's ", report.rows, report.rows == 1 ? " row" : " rows",
                  " is an object: their class is below 0 or not a number");
  }
  const std::pair<std::int64_t, std::string> fates[] = {
      {report.below_threshold, "score too low" + best_text(report)},
      {report.other_classes, "are of classes that were not requested"},
      {report.nan_scores, "score NaN"},
      {report.nan_boxes, "have boxes of NaN or infinity"},
      {report.empty_boxes, "have boxes without area"},
      {report.outside, "are outside the image"},
      {report.suppressed, "were suppressed by better ones"},
      {report.beyond_most, "are more than max_detections"}};
  std::string text = concat(report.detections.size(), " of ", report.candidates,
                            report.candidates == 1 ? " candidate" : " candidates",
                            report.detections.size() == 1 ? " is left" : " are left");
  const char* between = ": ";
  for (const auto& [count, fate] : fates) {
    if (count == 0) continue;
    text += concat(between, count, " ", fate);
    between = ", ";
  }
  return text;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
