// Detectors of objects.
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "org_mxinfer_Native.h"
#include "results.h"
#include "support.h"
#include "vision/detect_options.h"
#include "vision/images.h"

using namespace mxinfer::jni;

namespace {

mxinfer_status detect_one(const mxinfer_object_detector* detector, jint source, const OneImage& image,
                          const mxinfer_detect_options& options, mxinfer_detections** found) {
  if (source == org_mxinfer_Native_FILE)
    return mxinfer_object_detector_detect_file(detector, image.path(), &options, found);
  if (source == org_mxinfer_Native_ENCODED)
    return mxinfer_object_detector_detect_bytes(detector, image.data(), image.bytes(), &options, found);
  return mxinfer_object_detector_detect_image(detector, image.image(), &options, found);
}

mxinfer_status detect_list(const mxinfer_object_detector* detector, jint source, const ImageList& images,
                           const mxinfer_detect_options& options, mxinfer_detections** found) {
  if (source == org_mxinfer_Native_FILE)
    return mxinfer_object_detector_detect_files(detector, images.paths(), images.size(), &options, 1, found);
  if (source == org_mxinfer_Native_ENCODED) {
    return mxinfer_object_detector_detect_bytes_list(detector, images.encoded(), images.size(), &options, 1,
                                                     found);
  }
  return mxinfer_object_detector_detect_images(detector, images.pixels(), images.size(), &options, 1, found);
}

mxinfer_status report_one(const mxinfer_object_detector* detector, jint source, const OneImage& image,
                          const mxinfer_detect_options& options, mxinfer_detect_report** report) {
  if (source == org_mxinfer_Native_FILE)
    return mxinfer_object_detector_report_file(detector, image.path(), &options, report);
  if (source == org_mxinfer_Native_ENCODED)
    return mxinfer_object_detector_report_bytes(detector, image.data(), image.bytes(), &options, report);
  return mxinfer_object_detector_report_image(detector, image.image(), &options, report);
}

}  // namespace

jintArray Java_org_mxinfer_Native_detect(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                         jobjectArray images, jintArray sizes, jfloat threshold, jint most,
                                         jobjectArray classes, jobjectArray threshold_classes,
                                         jfloatArray thresholds, jfloatArray nms, jobjectArray messages) {
  return guard(env, [&] {
    const auto* const detector = object<const mxinfer_object_detector>(address);
    const Wanted wanted(env, threshold, most, classes, threshold_classes, thresholds, nms);
    mxinfer_detections* found = nullptr;
    if (messages != nullptr) {
      const ImageList list(env, source, images, sizes);
      check(env, detect_list(detector, source, list, wanted.options(), &found));
    } else {
      const LocalRef<jbyteArray> bytes(env, env->GetObjectArrayElement(images, 0));
      check(env, detect_one(detector, source, OneImage(env, bytes.get(), sizes), wanted.options(), &found));
    }
    return take(env, found, messages);
  });
}

jobjectArray Java_org_mxinfer_Native_report(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                            jobjectArray images, jintArray sizes, jfloat threshold, jint most,
                                            jobjectArray classes, jobjectArray threshold_classes,
                                            jfloatArray thresholds, jfloatArray nms) {
  return guard(env, [&] {
    const auto* const detector = object<const mxinfer_object_detector>(address);
    const Wanted wanted(env, threshold, most, classes, threshold_classes, thresholds, nms);
    const LocalRef<jbyteArray> bytes(env, env->GetObjectArrayElement(images, 0));
    mxinfer_detect_report* made = nullptr;
    check(env, report_one(detector, source, OneImage(env, bytes.get(), sizes), wanted.options(), &made));
    const std::unique_ptr<mxinfer_detect_report, void (*)(mxinfer_detect_report*)> report(
        made, mxinfer_detect_report_free);
    mxinfer_detect_counts counts{};
    counts.struct_size = sizeof counts;
    check(env, mxinfer_detect_report_counts(made, &counts));
    std::vector<jlong> numbers = {
        counts.rows,      counts.candidates,  counts.nan_scores, counts.other_classes, counts.below_threshold,
        counts.nan_boxes, counts.empty_boxes, counts.outside,    counts.suppressed,    counts.beyond_most};
    numbers.insert(numbers.end(), std::begin(counts.histogram), std::end(counts.histogram));

    const LocalRef<jclass> type(env, env->FindClass("java/lang/Object"));
    const LocalRef<jintArray> found(env, numbers_of(env, mxinfer_detect_report_detections(made)));
    const LocalRef<jintArray> best(env, best_of(env, made));
    const LocalRef<jlongArray> counted(env, to_longs(env, numbers));
    const LocalRef<jbyteArray> text(env, to_bytes(env, mxinfer_detect_report_text(made)));
    jobjectArray parts = env->NewObjectArray(4, type.get(), nullptr);
    check_java(env);
    env->SetObjectArrayElement(parts, 0, found.get());
    env->SetObjectArrayElement(parts, 1, best.get());
    env->SetObjectArrayElement(parts, 2, counted.get());
    env->SetObjectArrayElement(parts, 3, text.get());
    return parts;
  });
}
