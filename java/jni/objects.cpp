// Predictors, classifiers and detectors: making them, freeing them, and as what else they can be called.
#include "handles.h"
#include "org_mxinfer_Native.h"
#include "support.h"

using namespace mxinfer::jni;

namespace {

enum Kind {
  kPredictor = org_mxinfer_Native_PREDICTOR,
  kClassifier = org_mxinfer_Native_CLASSIFIER,
  kImageClassifier = org_mxinfer_Native_IMAGE_CLASSIFIER,
  kObjectDetector = org_mxinfer_Native_OBJECT_DETECTOR,
  kTextClassifier = org_mxinfer_Native_TEXT_CLASSIFIER
};

template <typename T>
jlong made(JNIEnv* env, mxinfer_status status, T* const& object) {
  check(env, status);
  return address_of(object);
}

}  // namespace

jlong Java_org_mxinfer_Native_create(JNIEnv* env, jclass /*type*/, jint kind, jlong model_address,
                                     jobjectArray texts) {
  return guard(env, [&]() -> jlong {
    const auto* const model = object<const mxinfer_model>(model_address);
    const Options options(env, texts);
    mxinfer_classifier* classifier = nullptr;
    mxinfer_image_classifier* image_classifier = nullptr;
    mxinfer_object_detector* detector = nullptr;
    mxinfer_predictor* predictor = nullptr;
    switch (kind) {
      case kClassifier:
        return made(env, mxinfer_classifier_create(model, options.get(), &classifier), classifier);
      case kImageClassifier:
        return made(env, mxinfer_image_classifier_create(model, options.get(), &image_classifier),
                    image_classifier);
      case kObjectDetector:
        return made(env, mxinfer_object_detector_create(model, options.get(), &detector), detector);
      default:
        return made(env, mxinfer_predictor_create(model, options.get(), &predictor), predictor);
    }
  });
}

jlong Java_org_mxinfer_Native_open(JNIEnv* env, jclass /*type*/, jint kind, jbyteArray uri_bytes,
                                   jobjectArray texts) {
  return guard(env, [&]() -> jlong {
    const std::string uri = to_string(env, uri_bytes);
    const Options options(env, texts);
    mxinfer_classifier* classifier = nullptr;
    mxinfer_image_classifier* image_classifier = nullptr;
    mxinfer_object_detector* detector = nullptr;
    mxinfer_predictor* predictor = nullptr;
    switch (kind) {
      case kClassifier:
        return made(env, mxinfer_classifier_open(uri.c_str(), options.get(), &classifier), classifier);
      case kImageClassifier:
        return made(env, mxinfer_image_classifier_open(uri.c_str(), options.get(), &image_classifier),
                    image_classifier);
      case kObjectDetector:
        return made(env, mxinfer_object_detector_open(uri.c_str(), options.get(), &detector), detector);
      default:
        return made(env, mxinfer_predictor_open(uri.c_str(), options.get(), &predictor), predictor);
    }
  });
}

void Java_org_mxinfer_Native_free(JNIEnv* /*env*/, jclass /*type*/, jint kind, jlong address) {
  switch (kind) {
    case kClassifier:
      return mxinfer_classifier_free(object<mxinfer_classifier>(address));
    case kImageClassifier:
      return mxinfer_image_classifier_free(object<mxinfer_image_classifier>(address));
    case kObjectDetector:
      return mxinfer_object_detector_free(object<mxinfer_object_detector>(address));
    case kTextClassifier:
      return mxinfer_text_classifier_free(object<mxinfer_text_classifier>(address));
    case kPredictor:
      return mxinfer_predictor_free(object<mxinfer_predictor>(address));
    default:
      delete object<Derived>(address);
  }
}

jlong Java_org_mxinfer_Native_predictorOf(JNIEnv* /*env*/, jclass /*type*/, jint kind, jlong address) {
  switch (kind) {
    case kClassifier:
      return address_of(mxinfer_classifier_predictor(object<const mxinfer_classifier>(address)));
    case kImageClassifier:
      return address_of(mxinfer_image_classifier_predictor(object<const mxinfer_image_classifier>(address)));
    case kObjectDetector:
      return address_of(mxinfer_object_detector_predictor(object<const mxinfer_object_detector>(address)));
    case kTextClassifier:
      return address_of(mxinfer_text_classifier_predictor(object<const mxinfer_text_classifier>(address)));
    case kPredictor:
      return address;
    default:
      return address_of(object<const Derived>(address)->base());
  }
}

jlong Java_org_mxinfer_Native_classifierOf(JNIEnv* /*env*/, jclass /*type*/, jint kind, jlong address) {
  if (kind == kClassifier) return address;
  if (kind != kImageClassifier) return 0;
  return address_of(mxinfer_image_classifier_classifier(object<const mxinfer_image_classifier>(address)));
}

jlong Java_org_mxinfer_Native_modelOf(JNIEnv* env, jclass /*type*/, jlong predictor) {
  return guard(env, [&] {
    mxinfer_model* model = nullptr;
    check(env, mxinfer_predictor_model(object<const mxinfer_predictor>(predictor), &model));
    return address_of(model);
  });
}
