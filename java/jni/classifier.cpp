// Classifiers, of arrays and of images.
#include "org_mxinfer_Native.h"
#include "results.h"
#include "support.h"
#include "tensors.h"
#include "vision/images.h"

using namespace mxinfer::jni;

namespace {

mxinfer_status classify_one(const mxinfer_image_classifier* classifier, jint source, const OneImage& image,
                            jint top_k, mxinfer_classes** classes) {
  if (source == org_mxinfer_Native_FILE)
    return mxinfer_image_classifier_classify_file(classifier, image.path(), top_k, classes);
  if (source == org_mxinfer_Native_ENCODED) {
    return mxinfer_image_classifier_classify_bytes(classifier, image.data(), image.bytes(), top_k, classes);
  }
  return mxinfer_image_classifier_classify_image(classifier, image.image(), top_k, classes);
}

mxinfer_status classify_list(const mxinfer_image_classifier* classifier, jint source, const ImageList& images,
                             jint top_k, mxinfer_classes** classes) {
  if (source == org_mxinfer_Native_FILE) {
    return mxinfer_image_classifier_classify_files(classifier, images.paths(), images.size(), top_k, 1,
                                                   classes);
  }
  if (source == org_mxinfer_Native_ENCODED) {
    return mxinfer_image_classifier_classify_bytes_list(classifier, images.encoded(), images.size(), top_k, 1,
                                                        classes);
  }
  return mxinfer_image_classifier_classify_images(classifier, images.pixels(), images.size(), top_k, 1,
                                                  classes);
}

}  // namespace

jintArray Java_org_mxinfer_Native_classify(JNIEnv* env, jclass /*type*/, jlong classifier, jfloatArray sample,
                                           jint top_k) {
  return guard(env, [&] {
    const ScratchUse use;
    const auto elements = static_cast<std::size_t>(env->GetArrayLength(sample));
    std::byte* const copy = scratch(elements * sizeof(float) + 1);
    copy_array(env, sample, copy, elements * sizeof(float));
    mxinfer_classes* classes = nullptr;
    check(env, mxinfer_classifier_classify(object<const mxinfer_classifier>(classifier),
                                           reinterpret_cast<const float*>(copy), elements, top_k, &classes));
    return take(env, classes);
  });
}

jintArray Java_org_mxinfer_Native_classifyBatch(JNIEnv* env, jclass /*type*/, jlong classifier, jobject data,
                                                jint dtype, jlongArray shape, jint top_k) {
  return guard(env, [&] {
    std::vector<std::int64_t> dims(static_cast<std::size_t>(env->GetArrayLength(shape)));
    env->GetLongArrayRegion(shape, 0, static_cast<jsize>(dims.size()), reinterpret_cast<jlong*>(dims.data()));
    check_java(env);
    const mxinfer_tensor batch{sizeof(mxinfer_tensor),
                               nullptr,
                               env->GetDirectBufferAddress(data),
                               dims.data(),
                               static_cast<std::int32_t>(dims.size()),
                               dtype,
                               0,
                               0};
    mxinfer_classes* classes = nullptr;
    check(env, mxinfer_classifier_classify_batch(object<const mxinfer_classifier>(classifier), &batch, top_k,
                                                 &classes));
    return take(env, classes);
  });
}

jintArray Java_org_mxinfer_Native_classifyImages(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                                 jobjectArray images, jintArray sizes, jint top_k,
                                                 jobjectArray messages) {
  return guard(env, [&] {
    const auto* const classifier = object<const mxinfer_image_classifier>(address);
    mxinfer_classes* classes = nullptr;
    if (messages != nullptr) {
      const ImageList list(env, source, images, sizes);
      check(env, classify_list(classifier, source, list, top_k, &classes));
    } else {
      const LocalRef<jbyteArray> bytes(env, env->GetObjectArrayElement(images, 0));
      check(env, classify_one(classifier, source, OneImage(env, bytes.get(), sizes), top_k, &classes));
    }
    return take(env, classes, messages);
  });
}
