#include <mxinfer_c/image_classifier.h>

#include "c_api/call.h"
#include "c_api/classify.h"
#include "c_api/handles.h"
#include "c_api/vision/images.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

mxinfer_status mxinfer_image_classifier_create(const mxinfer_model* model, const mxinfer_options* options,
                                               mxinfer_image_classifier** out) {
  return call([&] {
    mxinfer_image_classifier*& classifier = need(out, "out");
    classifier = new mxinfer_image_classifier(
        ImageClassifier(need(model, "model").model, settings_of(options).image_options()));
  });
}

mxinfer_status mxinfer_image_classifier_open(const char* uri, const mxinfer_options* options,
                                             mxinfer_image_classifier** out) {
  return call([&] {
    mxinfer_image_classifier*& classifier = need(out, "out");
    const Settings& settings = settings_of(options);
    classifier = new mxinfer_image_classifier(
        ImageClassifier(need_text(uri, "uri"), settings.image_options(), settings.load_options()));
  });
}

void mxinfer_image_classifier_free(mxinfer_image_classifier* classifier) {
  delete classifier;
}

const mxinfer_classifier* mxinfer_image_classifier_classifier(const mxinfer_image_classifier* classifier) {
  return classifier == nullptr ? nullptr : &classifier->base;
}

const mxinfer_predictor* mxinfer_image_classifier_predictor(const mxinfer_image_classifier* classifier) {
  return classifier == nullptr ? nullptr : &classifier->base.base;
}

mxinfer_status mxinfer_image_classifier_classify_file(const mxinfer_image_classifier* classifier,
                                                      const char* path, int32_t top_k,
                                                      mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const ImageClassifier& self) {
    return self.classify_file(need_text(path, "path"), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_image_classifier_classify_bytes(const mxinfer_image_classifier* classifier,
                                                       const void* encoded, size_t bytes, int32_t top_k,
                                                       mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const ImageClassifier& self) {
    return self.classify_bytes(encoded_of(encoded, bytes), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_image_classifier_classify_image(const mxinfer_image_classifier* classifier,
                                                       const mxinfer_image* image, int32_t top_k,
                                                       mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const ImageClassifier& self) {
    return self.classify(image_of(image), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_image_classifier_classify_files(const mxinfer_image_classifier* classifier,
                                                       const char* const* paths, size_t count, int32_t top_k,
                                                       int collect_errors, mxinfer_classes** out) {
  return classify_list(classifier, collect_errors, out,
                       [&](const ImageClassifier& self, std::vector<ItemError>* errors) {
                         return self.classify_files(paths_of(paths, count), top_k_of(top_k), errors);
                       });
}

mxinfer_status mxinfer_image_classifier_classify_bytes_list(const mxinfer_image_classifier* classifier,
                                                            const mxinfer_bytes* encoded, size_t count,
                                                            int32_t top_k, int collect_errors,
                                                            mxinfer_classes** out) {
  return classify_list(
      classifier, collect_errors, out, [&](const ImageClassifier& self, std::vector<ItemError>* errors) {
        return self.classify_bytes_list(encoded_list(encoded, count), top_k_of(top_k), errors);
      });
}

mxinfer_status mxinfer_image_classifier_classify_images(const mxinfer_image_classifier* classifier,
                                                        const mxinfer_image* images, size_t count,
                                                        int32_t top_k, int collect_errors,
                                                        mxinfer_classes** out) {
  return classify_list(classifier, collect_errors, out,
                       [&](const ImageClassifier& self, std::vector<ItemError>* errors) {
                         return self.classify_batch(images_of(images, count), top_k_of(top_k), errors);
                       });
}
