// The report on a network's rows, for C.
#include <mxinfer_c/object_detector.h>

#include <algorithm>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/vision/detect_options.h"
#include "c_api/vision/images.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

mxinfer_detect_report* make_report(DetectReport report) {
  auto made = std::make_unique<mxinfer_detect_report>();
  made->text = to_string(report);
  made->detections.images.push_back(report.detections);
  made->report = std::move(report);
  return made.release();
}

}  // namespace

mxinfer_status mxinfer_object_detector_report_file(const mxinfer_object_detector* detector, const char* path,
                                                   const mxinfer_detect_options* options,
                                                   mxinfer_detect_report** out) {
  return call([&] {
    const ObjectDetector& self = need(detector, "detector").detector;
    mxinfer_detect_report*& report = need(out, "out");
    report = make_report(self.report_file(need_text(path, "path"), detect_options_of(options)));
  });
}

mxinfer_status mxinfer_object_detector_report_bytes(const mxinfer_object_detector* detector,
                                                    const void* encoded, size_t bytes,
                                                    const mxinfer_detect_options* options,
                                                    mxinfer_detect_report** out) {
  return call([&] {
    const ObjectDetector& self = need(detector, "detector").detector;
    mxinfer_detect_report*& report = need(out, "out");
    report = make_report(self.report_bytes(encoded_of(encoded, bytes), detect_options_of(options)));
  });
}

mxinfer_status mxinfer_object_detector_report_image(const mxinfer_object_detector* detector,
                                                    const mxinfer_image* image,
                                                    const mxinfer_detect_options* options,
                                                    mxinfer_detect_report** out) {
  return call([&] {
    const ObjectDetector& self = need(detector, "detector").detector;
    mxinfer_detect_report*& report = need(out, "out");
    report = make_report(self.report(image_of(image), detect_options_of(options)));
  });
}

mxinfer_status mxinfer_detect_report_counts(const mxinfer_detect_report* report, mxinfer_detect_counts* out) {
  return call([&] {
    const DetectReport& of = need(report, "report").report;
    mxinfer_detect_counts counts{0,
                                 of.rows,
                                 of.candidates,
                                 of.nan_scores,
                                 of.other_classes,
                                 of.below_threshold,
                                 of.nan_boxes,
                                 of.empty_boxes,
                                 of.outside,
                                 of.suppressed,
                                 of.beyond_most,
                                 {}};
    std::copy(of.histogram.begin(), of.histogram.end(), counts.histogram);
    write_struct(need(out, "out"), counts);
  });
}

const char* mxinfer_detect_report_text(const mxinfer_detect_report* report) {
  return report == nullptr ? nullptr : report->text.c_str();
}

const mxinfer_detections* mxinfer_detect_report_detections(const mxinfer_detect_report* report) {
  return report == nullptr ? nullptr : &report->detections;
}

size_t mxinfer_detect_report_classes(const mxinfer_detect_report* report) {
  return report == nullptr ? 0 : report->report.best.size();
}

mxinfer_status mxinfer_detect_report_best(const mxinfer_detect_report* report, size_t index,
                                          mxinfer_class* out) {
  return call([&] {
    need(report, "report");
    if (index >= mxinfer_detect_report_classes(report)) {
      reject("there is no class " + std::to_string(index) + " of the report; it has " +
             std::to_string(mxinfer_detect_report_classes(report)) + ", counted from 0");
    }
    const Classification& best = report->report.best[index];
    write_struct(need(out, "out"), {0, best.label.c_str(), best.score, best.index});
  });
}

void mxinfer_detect_report_free(mxinfer_detect_report* report) {
  delete report;
}
