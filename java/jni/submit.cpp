// What is submitted to the queues of predictors. Tensors are borrowed, arrays of Java copied.
#include "org_mxinfer_Native.h"
#include "requests.h"
#include "support.h"
#include "tensors.h"
#include "vision/images.h"

using namespace mxinfer::jni;

jlong Java_org_mxinfer_Native_submitPredict(JNIEnv* env, jclass /*type*/, jlong predictor, jobjectArray names,
                                            jobjectArray data, jintArray dtypes, jobjectArray shapes,
                                            jint priority, jlong timeout) {
  return guard(env, [&] {
    const Tensors inputs(env, {names, data, dtypes, shapes});
    return submitted(env, priority, timeout, false, [&](const auto* options, auto** request) {
      return mxinfer_predictor_submit(object<const mxinfer_predictor>(predictor), inputs.data(),
                                      inputs.size(), options, request);
    });
  });
}

jlong Java_org_mxinfer_Native_submitFlat(JNIEnv* env, jclass /*type*/, jlong predictor, jobjectArray data,
                                         jintArray dtypes, jobjectArray counts, jint priority,
                                         jlong timeout) {
  return guard(env, [&] {
    const Tensors inputs(env, {nullptr, data, dtypes, counts});
    return submitted(env, priority, timeout, true, [&](const auto* options, auto** request) {
      return mxinfer_predictor_submit_flat(object<const mxinfer_predictor>(predictor), inputs.data(),
                                           inputs.size(), options, request);
    });
  });
}

jlong Java_org_mxinfer_Native_submitPredictInto(JNIEnv* env, jclass /*type*/, jlong predictor,
                                                jobjectArray names, jobjectArray data, jintArray dtypes,
                                                jobjectArray shapes, jobjectArray out_names,
                                                jobjectArray out_data, jintArray out_dtypes,
                                                jobjectArray out_shapes, jint priority, jlong timeout) {
  return guard(env, [&] {
    const Tensors inputs(env, {names, data, dtypes, shapes});
    const Tensors outputs(env, {out_names, out_data, out_dtypes, out_shapes});
    return submitted(env, priority, timeout, false, [&](const auto* options, auto** request) {
      return mxinfer_predictor_submit_into(object<const mxinfer_predictor>(predictor), inputs.data(),
                                           inputs.size(), outputs.data(), outputs.size(), options, request);
    });
  });
}

jlong Java_org_mxinfer_Native_submitClassify(JNIEnv* env, jclass /*type*/, jlong classifier,
                                             jfloatArray sample, jint top_k, jint priority, jlong timeout) {
  return guard(env, [&] {
    const ScratchUse use;
    const auto elements = static_cast<std::size_t>(env->GetArrayLength(sample));
    std::byte* const copy = scratch(elements * sizeof(float) + 1);
    copy_array(env, sample, copy, elements * sizeof(float));
    return submitted(env, priority, timeout, true, [&](const auto* options, auto** request) {
      return mxinfer_classifier_submit(object<const mxinfer_classifier>(classifier),
                                       reinterpret_cast<const float*>(copy), elements, top_k, options,
                                       request);
    });
  });
}

jlong Java_org_mxinfer_Native_submitClassifyImage(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                                  jbyteArray bytes, jintArray size, jint top_k, jint priority,
                                                  jlong timeout) {
  return guard(env, [&] {
    const auto* const classifier = object<const mxinfer_image_classifier>(address);
    const OneImage image(env, bytes, size);
    return submitted(env, priority, timeout, true, [&](const auto* options, auto** request) {
      if (source == org_mxinfer_Native_FILE) {
        return mxinfer_image_classifier_submit_file(classifier, image.path(), top_k, options, request);
      }
      if (source == org_mxinfer_Native_ENCODED) {
        return mxinfer_image_classifier_submit_bytes(classifier, image.data(), image.bytes(), top_k, options,
                                                     request);
      }
      return mxinfer_image_classifier_submit_image(classifier, image.image(), top_k, options, request);
    });
  });
}

jlong Java_org_mxinfer_Native_submitDetect(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                           jbyteArray bytes, jintArray size, jfloat threshold, jint most,
                                           jint priority, jlong timeout) {
  return guard(env, [&] {
    const auto* const detector = object<const mxinfer_object_detector>(address);
    const OneImage image(env, bytes, size);
    mxinfer_detect_options detect{};
    detect.struct_size = sizeof detect;
    detect.score_threshold = threshold;
    detect.max_detections = most;
    return submitted(env, priority, timeout, true, [&](const auto* options, auto** request) {
      if (source == org_mxinfer_Native_FILE) {
        return mxinfer_object_detector_submit_file(detector, image.path(), &detect, options, request);
      }
      if (source == org_mxinfer_Native_ENCODED) {
        return mxinfer_object_detector_submit_bytes(detector, image.data(), image.bytes(), &detect, options,
                                                    request);
      }
      return mxinfer_object_detector_submit_image(detector, image.image(), &detect, options, request);
    });
  });
}
