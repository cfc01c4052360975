// What to give of what a detector finds, from the lists that DetectOptions.java makes.
#pragma once

#include <jni.h>
#include <mxinfer/vision/detect_options.h>
#include <mxinfer_c.h>

#include <string>
#include <vector>

#include "support.h"
#include "values.h"

namespace mxinfer::jni {

/// What DetectOptions.java makes lists of.
class Wanted {
 public:
  Wanted(JNIEnv* env, jfloat threshold, jint most, jobjectArray classes, jobjectArray threshold_classes,
         jfloatArray thresholds, jfloatArray nms)
      : classes_(to_strings(env, classes)),
        threshold_classes_(to_strings(env, threshold_classes)),
        thresholds_(to_floats(env, thresholds)) {
    for (const std::string& name : classes_) names_.push_back(name.c_str());
    for (const std::string& name : threshold_classes_) threshold_names_.push_back(name.c_str());
    options_.struct_size = sizeof options_;
    options_.score_threshold = threshold;
    options_.max_detections = most;
    options_.classes = names_.data();
    options_.class_count = names_.size();
    options_.threshold_classes = threshold_names_.data();
    options_.class_thresholds = thresholds_.data();
    options_.class_threshold_count = threshold_names_.size();
    if (nms != nullptr) set_nms(to_floats(env, nms));
  }
  Wanted(const Wanted&) = delete;
  Wanted& operator=(const Wanted&) = delete;

  [[nodiscard]] const mxinfer_detect_options& options() const { return options_; }
  /// The same for the C++ interface.
  [[nodiscard]] DetectOptions cpp_options() const {
    DetectOptions options;
    options.score_threshold = options_.score_threshold;
    if (options_.max_detections != 0) options.max_detections = options_.max_detections;
    options.classes = classes_;
    for (std::size_t i = 0; i < threshold_classes_.size(); ++i)
      options.class_thresholds[threshold_classes_[i]] = thresholds_.at(i);
    if (options_.nms == nullptr) return options;
    NmsOptions& nms = options.nms.emplace();
    nms.iou_threshold = nms_.iou_threshold;
    if (nms_.all_classes != 0) nms.across = SuppressAcross::all_classes;
    nms.method = static_cast<NmsMethod>(method_);
    nms.sigma = nms_.sigma;
    nms.score_threshold = nms_.score_threshold;
    if (nms_.max_detections != 0) nms.max_detections = nms_.max_detections;
    nms.overlap = static_cast<SuppressOverlap>(overlap_);
    return options;
  }

 private:
  // The numbers of NmsOptions.java. 0 stands for a default in C, and for itself there.
  void set_nms(const std::vector<float>& numbers) {
    static constexpr const char* kMethods[] = {"hard", "linear", "gaussian"};
    static constexpr const char* kOverlaps[] = {"iou", "min"};
    constexpr float kLeast = 1e-30F, kNoSigma = -1;
    nms_.struct_size = sizeof nms_;
    nms_.iou_threshold = numbers[0] == 0 ? kLeast : numbers[0];
    nms_.all_classes = numbers[1] == 0 ? 0 : 1;
    method_ = static_cast<std::size_t>(numbers[2]);
    overlap_ = static_cast<std::size_t>(numbers[6]);
    nms_.method = kMethods[method_];
    nms_.sigma = numbers[3] == 0 ? kNoSigma : numbers[3];
    nms_.score_threshold = numbers[4];
    nms_.max_detections = static_cast<std::int32_t>(numbers[5]);
    nms_.overlap = kOverlaps[overlap_];
    options_.nms = &nms_;
  }

  std::vector<std::string> classes_, threshold_classes_;
  std::vector<const char*> names_, threshold_names_;
  std::vector<float> thresholds_;
  mxinfer_nms_options nms_{};
  std::size_t method_ = 0, overlap_ = 0;  ///< as the enums of the C++ interface have them
  mxinfer_detect_options options_{};
};

}  // namespace mxinfer::jni
