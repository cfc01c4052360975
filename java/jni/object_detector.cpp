// Detectors of objects.
#include "images.h"
#include "org_mxinfer_Native.h"
#include "results.h"
#include "support.h"

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

}  // namespace

jintArray Java_org_mxinfer_Native_detect(JNIEnv* env, jclass /*type*/, jlong address, jint source,
                                         jobjectArray images, jintArray sizes, jfloat threshold, jint most,
                                         jobjectArray messages) {
  return guard(env, [&] {
    const auto* const detector = object<const mxinfer_object_detector>(address);
    const mxinfer_detect_options options{sizeof(mxinfer_detect_options), threshold, most};
    mxinfer_detections* found = nullptr;
    if (messages != nullptr) {
      const ImageList list(env, source, images, sizes);
      check(env, detect_list(detector, source, list, options, &found));
    } else {
      const LocalRef<jbyteArray> bytes(env, env->GetObjectArrayElement(images, 0));
      check(env, detect_one(detector, source, OneImage(env, bytes.get(), sizes), options, &found));
    }
    return take(env, found, messages);
  });
}
