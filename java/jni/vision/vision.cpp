// Segmenters, detectors of key points and embedders: making them.
#include <mxinfer/vision/face_embedder.h>
#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer/vision/keypoint_detector.h>

#include "handles.h"
#include "org_mxinfer_Native.h"
#include "org_mxinfer_NativeVision.h"
#include "support.h"

using namespace mxinfer::jni;
using mxinfer::ImageOptions;
using mxinfer::Model;
using mxinfer::Settings;

namespace {

/// Scores are a segmenter's alone.
ImageOptions unscored_options(const Settings& settings, const char* what) {
  const ImageOptions image = settings.image_options();
  if (image.activation != mxinfer::Activation::none || image.min_score) {
    throw mxinfer::Error(mxinfer::ErrorCode::invalid_argument,
                         std::string("the options activation and min_score are for classes, which ") + what +
                             " does not give; leave them out");
  }
  return image;
}

jlong make(jint kind, const Model& model, const Settings& settings, bool normalize) {
  if (kind == org_mxinfer_Native_IMAGE_SEGMENTER) {
    const ImageOptions image = settings.image_options();
    if (image.min_score) {
      throw mxinfer::Error(mxinfer::ErrorCode::invalid_argument,
                           "the option min_score is given with each call of a segmenter; use "
                           "SegmentOptions.withMinScore");
    }
    return give_derived(mxinfer::ImageSegmenter(model, {image.preprocess, image.apply_exif, image.height,
                                                        image.width, image.activation, image.options}));
  }
  if (kind == org_mxinfer_Native_FACE_EMBEDDER) {
    const ImageOptions image = unscored_options(settings, "an embedder");
    return give_derived(mxinfer::FaceEmbedder(
        model, {image.preprocess, image.apply_exif, image.height, image.width, normalize, image.options}));
  }
  const ImageOptions image = unscored_options(settings, "a detector of key points");
  if (!image.apply_exif) {
    throw mxinfer::Error(mxinfer::ErrorCode::invalid_argument,
                         "a KeypointDetector turns images upright; leave the option apply_exif as it is, or "
                         "give pixels");
  }
  return give_derived(
      mxinfer::KeypointDetector(model, {image.preprocess, image.height, image.width, image.options}));
}

}  // namespace

jlong Java_org_mxinfer_NativeVision_create(JNIEnv* env, jclass /*type*/, jint kind, jlong model,
                                           jobjectArray texts, jboolean normalize) {
  return guard(env, [&] {
    return make(kind, model_at(model), settings_of(Options(env, texts)), normalize == JNI_TRUE);
  });
}

jlong Java_org_mxinfer_NativeVision_open(JNIEnv* env, jclass /*type*/, jint kind, jbyteArray uri,
                                         jobjectArray texts, jboolean normalize) {
  return guard(env, [&] {
    const Settings settings = settings_of(Options(env, texts));
    const Model model = Model::load(to_string(env, uri), settings.load_options());
    return make(kind, model, settings, normalize == JNI_TRUE);
  });
}
