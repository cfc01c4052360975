#include <mxinfer_c/classifier.h>

#include "c_api/call.h"
#include "c_api/classify.h"
#include "c_api/handles.h"
#include "c_api/structs.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

size_t mxinfer_classes_samples(const mxinfer_classes* classes) {
  return classes == nullptr ? 0 : classes->samples.size();
}

size_t mxinfer_classes_count(const mxinfer_classes* classes, size_t sample) {
  return sample < mxinfer_classes_samples(classes) ? classes->samples[sample].size() : 0;
}

mxinfer_status mxinfer_classes_get(const mxinfer_classes* classes, size_t sample, size_t index,
                                   mxinfer_class* out) {
  return call([&] {
    need(classes, "classes");
    if (index >= mxinfer_classes_count(classes, sample)) {
      reject("there is no class " + std::to_string(index) + " of sample " + std::to_string(sample) +
             "; there are " + std::to_string(mxinfer_classes_samples(classes)) +
             " samples, and this one has " + std::to_string(mxinfer_classes_count(classes, sample)) +
             " classes, counted from 0");
    }
    const Classification& found = classes->samples[sample][index];
    write_struct(need(out, "out"), {0, found.label.c_str(), found.score, found.index});
  });
}

mxinfer_status mxinfer_classes_item_status(const mxinfer_classes* classes, size_t sample,
                                           const char** message) {
  return item_status_of(classes, "classes", sample, message);
}

void mxinfer_classes_free(mxinfer_classes* classes) {
  delete classes;
}

mxinfer_status mxinfer_classifier_create(const mxinfer_model* model, const mxinfer_options* options,
                                         mxinfer_classifier** out) {
  return call([&] {
    mxinfer_classifier*& classifier = need(out, "out");
    classifier = new mxinfer_classifier(
        Classifier(need(model, "model").model, settings_of(options).classifier_options()));
  });
}

mxinfer_status mxinfer_classifier_open(const char* uri, const mxinfer_options* options,
                                       mxinfer_classifier** out) {
  return call([&] {
    mxinfer_classifier*& classifier = need(out, "out");
    const Settings& settings = settings_of(options);
    classifier = new mxinfer_classifier(
        Classifier(need_text(uri, "uri"), settings.classifier_options(), settings.load_options()));
  });
}

void mxinfer_classifier_free(mxinfer_classifier* classifier) {
  delete classifier;
}

const mxinfer_predictor* mxinfer_classifier_predictor(const mxinfer_classifier* classifier) {
  return classifier == nullptr ? nullptr : &classifier->base;
}

mxinfer_status mxinfer_classifier_classify(const mxinfer_classifier* classifier, const float* sample,
                                           size_t elements, int32_t top_k, mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const Classifier& self) {
    if (elements > 0) need(sample, "sample");
    return self.classify(Span<const float>(sample, elements), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_classifier_classify_batch(const mxinfer_classifier* classifier,
                                                 const mxinfer_tensor* batch, int32_t top_k,
                                                 mxinfer_classes** out) {
  return classify_list(classifier, 0, out, [&](const Classifier& self, std::vector<ItemError>*) {
    return self.classify_batch(view_of(read_struct(need(batch, "batch"))), top_k_of(top_k));
  });
}
