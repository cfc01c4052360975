#include "results.h"

#include <cstring>
#include <memory>
#include <vector>

namespace mxinfer::jni {
namespace {

void push(std::vector<jint>& numbers, float number) {
  jint bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  numbers.push_back(bits);
}

void keep_message(JNIEnv* env, jobjectArray messages, std::size_t item, const char* text) {
  const LocalRef<jbyteArray> message(env, to_bytes(env, text));
  env->SetObjectArrayElement(messages, static_cast<jsize>(item), message.get());
}

void put_class(JNIEnv* env, std::vector<jint>& numbers, const mxinfer_classes* classes, std::size_t sample,
               std::size_t index) {
  mxinfer_class one{};
  one.struct_size = sizeof one;
  check(env, mxinfer_classes_get(classes, sample, index, &one));
  numbers.push_back(one.index);
  push(numbers, one.score);
}

void put_detection(JNIEnv* env, std::vector<jint>& numbers, const mxinfer_detections* detections,
                   std::size_t image, std::size_t index) {
  mxinfer_detection one{};
  one.struct_size = sizeof one;
  check(env, mxinfer_detections_get(detections, image, index, &one));
  numbers.push_back(one.index);
  for (const float number : {one.score, one.left, one.top, one.right, one.bottom}) push(numbers, number);
  numbers.push_back(static_cast<jint>(2 * one.landmark_count));
  for (std::size_t i = 0; i < 2 * one.landmark_count; ++i) push(numbers, one.landmarks[i]);
}

/// Of a list, its items are those that the caller gave: there may be no results of the last ones.
std::size_t items_of(JNIEnv* env, jobjectArray messages, std::size_t results) {
  return messages == nullptr ? results : static_cast<std::size_t>(env->GetArrayLength(messages));
}

}  // namespace

jintArray take(JNIEnv* env, mxinfer_classes* classes, jobjectArray messages) {
  const std::unique_ptr<mxinfer_classes, void (*)(mxinfer_classes*)> owned(classes, mxinfer_classes_free);
  const std::size_t samples = items_of(env, messages, mxinfer_classes_samples(classes));
  std::vector<jint> numbers;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const char* text = nullptr;
    const mxinfer_status status =
        messages == nullptr ? MXINFER_OK : mxinfer_classes_item_status(classes, sample, &text);
    if (status != MXINFER_OK) keep_message(env, messages, sample, text);
    const std::size_t count = status != MXINFER_OK ? 0 : mxinfer_classes_count(classes, sample);
    numbers.insert(numbers.end(), {status, static_cast<jint>(count)});
    for (std::size_t i = 0; i < count; ++i) put_class(env, numbers, classes, sample, i);
  }
  return to_ints(env, numbers);
}

jintArray numbers_of(JNIEnv* env, const mxinfer_detections* detections, jobjectArray messages) {
  const std::size_t images = items_of(env, messages, mxinfer_detections_images(detections));
  std::vector<jint> numbers;
  for (std::size_t image = 0; image < images; ++image) {
    const char* text = nullptr;
    const mxinfer_status status =
        messages == nullptr ? MXINFER_OK : mxinfer_detections_item_status(detections, image, &text);
    if (status != MXINFER_OK) keep_message(env, messages, image, text);
    const std::size_t count = status != MXINFER_OK ? 0 : mxinfer_detections_count(detections, image);
    numbers.insert(numbers.end(), {status, static_cast<jint>(count)});
    for (std::size_t i = 0; i < count; ++i) put_detection(env, numbers, detections, image, i);
  }
  return to_ints(env, numbers);
}

jintArray take(JNIEnv* env, mxinfer_detections* detections, jobjectArray messages) {
  const std::unique_ptr<mxinfer_detections, void (*)(mxinfer_detections*)> owned(detections,
                                                                                 mxinfer_detections_free);
  return numbers_of(env, detections, messages);
}

jintArray best_of(JNIEnv* env, const mxinfer_detect_report* report) {
  const std::size_t count = mxinfer_detect_report_classes(report);
  std::vector<jint> numbers = {MXINFER_OK, static_cast<jint>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    mxinfer_class one{};
    one.struct_size = sizeof one;
    check(env, mxinfer_detect_report_best(report, i, &one));
    numbers.push_back(one.index);
    push(numbers, one.score);
  }
  return to_ints(env, numbers);
}

}  // namespace mxinfer::jni
