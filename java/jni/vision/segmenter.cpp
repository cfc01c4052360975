// Segmenters: what every pixel of an image shows.
#include <mxinfer/vision/image_segmenter.h>

#include <optional>
#include <string>
#include <vector>

#include "handles.h"
#include "org_mxinfer_Native.h"
#include "org_mxinfer_NativeVision.h"
#include "requests.h"
#include "support.h"
#include "values.h"
#include "vision/images.h"

using namespace mxinfer::jni;
using mxinfer::ByteSpan;
using mxinfer::Image;
using mxinfer::ImageSegmenter;
using mxinfer::ItemError;
using mxinfer::Segmentation;
using mxinfer::SegmentOptions;

namespace {

constexpr jsize kObjects = 4;  // of each image, as NativeVision.segment() says

SegmentOptions options_of(JNIEnv* env, jfloatArray min_score, jboolean smooth) {
  SegmentOptions options;
  const std::vector<float> least = to_floats(env, min_score);
  if (!least.empty()) options.min_score = least[0];
  options.smooth = smooth == JNI_TRUE;
  return options;
}

void put(JNIEnv* env, jobjectArray objects, std::size_t image, jint status, const Segmentation& found) {
  std::vector<jint> numbers{status, found.labels.width(), found.labels.height()};
  std::vector<double> sizes;
  std::vector<std::string> names;
  for (const mxinfer::SegmentArea& area : found.areas) {
    numbers.push_back(area.index);
    sizes.insert(sizes.end(), {static_cast<double>(area.pixels), area.part});
    names.push_back(area.label);
  }
  const LocalRef<jintArray> head(env, to_ints(env, numbers));
  const LocalRef<jbyteArray> labels(env, from_pixels(env, found.labels));
  const LocalRef<jdoubleArray> areas(env, from_doubles(env, sizes));
  const LocalRef<jobjectArray> texts(env, from_texts(env, names));
  jsize at = static_cast<jsize>(image) * kObjects;
  for (jobject each : {static_cast<jobject>(head.get()), static_cast<jobject>(labels.get()),
                       static_cast<jobject>(areas.get()), static_cast<jobject>(texts.get())})
    env->SetObjectArrayElement(objects, at++, each);
}

jobjectArray to_java(JNIEnv* env, const std::vector<Segmentation>& found, const std::vector<jint>& statuses) {
  const LocalRef<jclass> type(env, env->FindClass("java/lang/Object"));
  jobjectArray objects =
      env->NewObjectArray(static_cast<jsize>(statuses.size()) * kObjects, type.get(), nullptr);
  check_java(env);
  for (std::size_t i = 0; i < statuses.size(); ++i) put(env, objects, i, statuses[i], found.at(i));
  return objects;
}

}  // namespace

jobjectArray Java_org_mxinfer_NativeVision_segment(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                                   jobjectArray images, jintArray sizes,
                                                   jfloatArray min_score, jboolean smooth,
                                                   jobjectArray messages) {
  return guard(env, [&] {
    const auto& segmenter = derived_at<ImageSegmenter>(address);
    const SegmentOptions options = options_of(env, min_score, smooth);
    if (messages == nullptr) {
      const LocalRef<jbyteArray> bytes(env, env->GetObjectArrayElement(images, 0));
      const OneImage image(env, bytes.get(), sizes);
      std::vector<Segmentation> found;
      found.push_back(visit_image(
          source, image, [&](const std::string& path) { return segmenter.segment_file(path, options); },
          [&](ByteSpan encoded) { return segmenter.segment_bytes(encoded, options); },
          [&](const Image& pixels) { return segmenter.segment(pixels, options); }));
      return to_java(env, found, {MXINFER_OK});
    }
    const ImageList list(env, source, images, sizes);
    std::vector<ItemError> errors;
    const std::vector<Segmentation> found = visit_images(
        source, list,
        [&](const std::vector<std::string>& paths) {
          return segmenter.segment_files(paths, options, &errors);
        },
        [&](const std::vector<ByteSpan>& encoded) {
          return segmenter.segment_bytes_list(encoded, options, &errors);
        },
        [&](const std::vector<Image>& pixels) { return segmenter.segment_batch(pixels, options, &errors); });
    return to_java(env, found, statuses_of(env, errors, messages));
  });
}

jlong Java_org_mxinfer_NativeVision_submitSegment(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                                  jbyteArray bytes, jintArray size, jfloatArray min_score,
                                                  jboolean smooth, jint priority, jlong timeout) {
  return guard(env, [&] {
    const auto& segmenter = derived_at<ImageSegmenter>(address);
    const SegmentOptions options = options_of(env, min_score, smooth);
    const mxinfer::SubmitOptions submit = submit_options(priority, timeout);
    const OneImage image(env, bytes, size);
    return give_prediction(
        segmenter.model(),
        visit_image(
            source, image,
            [&](const std::string& path) { return segmenter.segment_file_async(path, options, submit); },
            [&](ByteSpan encoded) {
              std::string copy(reinterpret_cast<const char*>(encoded.data()), encoded.size());
              return segmenter.queue().submit(
                  [&lent = lent_at<ImageSegmenter>(address), options, copy = std::move(copy)] {
                    return lent.segment_bytes(ByteSpan(copy.data(), copy.size()), options);
                  },
                  submit);
            },
            [&](const Image& pixels) { return segmenter.segment_async(pixels, options, submit); }));
  });
}

jobjectArray Java_org_mxinfer_NativeVision_takeSegmentation(JNIEnv* env, jclass /*type*/, jlong request) {
  return guard(env, [&] {
    std::vector<Segmentation> found;
    found.push_back(static_cast<RequestOf<Segmentation>*>(object<Request>(request))->take());
    return to_java(env, found, {MXINFER_OK});
  });
}
