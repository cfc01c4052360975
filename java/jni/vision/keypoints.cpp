// Detectors of key points.
#include <mxinfer/vision/keypoint_detector.h>

#include <string>
#include <vector>

#include "handles.h"
#include "org_mxinfer_NativeVision.h"
#include "support.h"
#include "values.h"
#include "vision/images.h"

using namespace mxinfer::jni;
using mxinfer::Pose;

namespace {

std::vector<mxinfer::Box> boxes_of(const std::vector<float>& numbers) {
  std::vector<mxinfer::Box> boxes;
  for (std::size_t i = 0; i + 3 < numbers.size(); i += 4)
    boxes.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
  return boxes;
}

jobjectArray to_java(JNIEnv* env, const std::vector<Pose>& poses) {
  std::vector<jint> counts;
  std::vector<float> numbers;
  std::vector<std::string> labels;
  for (const Pose& pose : poses) {
    counts.push_back(static_cast<jint>(pose.points.size()));
    numbers.insert(numbers.end(), {pose.box.left, pose.box.top, pose.box.right, pose.box.bottom, pose.score});
    for (const mxinfer::Keypoint& point : pose.points) {
      numbers.insert(numbers.end(), {point.x, point.y, point.score});
      labels.push_back(point.label);
    }
  }
  return from_objects(env, {to_ints(env, counts), from_floats(env, numbers), from_texts(env, labels)});
}

}  // namespace

jobjectArray Java_org_mxinfer_NativeVision_keypoints(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                                     jbyteArray bytes, jintArray size, jfloatArray boxes,
                                                     jlong objects, jfloat box_scale, jboolean quarter,
                                                     jobjectArray classes, jfloat threshold, jint most) {
  return guard(env, [&] {
    const auto& detector = derived_at<mxinfer::KeypointDetector>(address);
    mxinfer::PoseOptions options;
    options.box_scale = box_scale;
    options.peak = quarter == JNI_TRUE ? mxinfer::HeatMapPeak::quarter : mxinfer::HeatMapPeak::cell;
    options.classes = to_strings(env, classes);
    options.score_threshold = threshold;
    if (most != 0) options.max_objects = most;
    const std::vector<mxinfer::Box> given = boxes_of(to_floats(env, boxes));
    const mxinfer::Image image = to_image(source, OneImage(env, bytes, size));
    if (objects != 0) {
      const auto& finder = object<const mxinfer_object_detector>(objects)->detector;
      return to_java(env, detector.detect_keypoints(image, finder, options));
    }
    if (boxes != nullptr) return to_java(env, detector.detect_keypoints(image, given, options));
    return to_java(env, {detector.detect_keypoints(image, options)});
  });
}
