#include <mxinfer_c/text_classifier.h>

#include <utility>

#include "c_api/call.h"
#include "c_api/classify.h"
#include "c_api/handles.h"
#include "c_api/sequence/handles.h"
#include "c_api/sequence/text_options.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

using TextPair = std::pair<std::string, std::string>;

std::vector<TextPair> pairs_of(const char* const* firsts, const char* const* seconds, std::size_t count) {
  std::vector<TextPair> list;
  if (count > 0) {
    need(firsts, "firsts");
    need(seconds, "seconds");
  }
  for (std::size_t i = 0; i < count; ++i)
    list.emplace_back(need_text(firsts[i], "text of firsts"), need_text(seconds[i], "text of seconds"));
  return list;
}

}  // namespace

mxinfer_status mxinfer_text_classifier_create(const mxinfer_model* model, const mxinfer_text_options* text,
                                              const mxinfer_options* options, mxinfer_text_classifier** out) {
  return call([&] {
    mxinfer_text_classifier*& classifier = need(out, "out");
    classifier = new mxinfer_text_classifier(
        TextClassifier(need(model, "model").model, text_options_of(text, settings_of(options))));
  });
}

mxinfer_status mxinfer_text_classifier_open(const char* uri, const mxinfer_text_options* text,
                                            const mxinfer_options* options, mxinfer_text_classifier** out) {
  return call([&] {
    mxinfer_text_classifier*& classifier = need(out, "out");
    const Settings& settings = settings_of(options);
    classifier = new mxinfer_text_classifier(
        TextClassifier(need_text(uri, "uri"), text_options_of(text, settings), settings.load_options()));
  });
}

void mxinfer_text_classifier_free(mxinfer_text_classifier* classifier) {
  delete classifier;
}

const mxinfer_predictor* mxinfer_text_classifier_predictor(const mxinfer_text_classifier* classifier) {
  return classifier == nullptr ? nullptr : &classifier->base.base;
}

const mxinfer_sequence_predictor* mxinfer_text_classifier_sequence_predictor(
    const mxinfer_text_classifier* classifier) {
  return classifier == nullptr ? nullptr : &classifier->base;
}

mxinfer_status mxinfer_text_classifier_classify(const mxinfer_text_classifier* classifier, const char* text,
                                                int32_t top_k, mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const TextClassifier& self) {
    return self.classify(need_text(text, "text"), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_text_classifier_classify_pair(const mxinfer_text_classifier* classifier,
                                                     const char* first, const char* second, int32_t top_k,
                                                     mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const TextClassifier& self) {
    return self.classify_pair(need_text(first, "first"), need_text(second, "second"), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_text_classifier_classify_tokens(const mxinfer_text_classifier* classifier,
                                                       const char* const* tokens, size_t count, int32_t top_k,
                                                       mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const TextClassifier& self) {
    const auto list = need_texts(tokens, count, "tokens", "token of a list");
    return self.classify_tokens(Span<const std::string>(list), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_text_classifier_classify_ids(const mxinfer_text_classifier* classifier,
                                                    const int32_t* ids, size_t count, int32_t top_k,
                                                    mxinfer_classes** out) {
  return classify_one(classifier, out, [&](const TextClassifier& self) {
    return self.classify_ids(need_span(ids, count, "ids"), top_k_of(top_k));
  });
}

mxinfer_status mxinfer_text_classifier_ids(const mxinfer_text_classifier* classifier, const char* text,
                                           mxinfer_ids** out) {
  return give(out, [&] {
    const TextClassifier& self = need(classifier, "classifier").classifier;
    return new mxinfer_ids{self.ids(need_text(text, "text"))};
  });
}

mxinfer_status mxinfer_text_classifier_classify_texts(const mxinfer_text_classifier* classifier,
                                                      const char* const* texts, size_t count, int32_t top_k,
                                                      int collect_errors, mxinfer_classes** out) {
  return classify_list(classifier, collect_errors, out,
                       [&](const TextClassifier& self, std::vector<ItemError>* errors) {
                         return self.classify_texts(need_texts(texts, count, "texts", "text of a list"),
                                                    top_k_of(top_k), errors);
                       });
}

mxinfer_status mxinfer_text_classifier_classify_pairs(const mxinfer_text_classifier* classifier,
                                                      const char* const* firsts, const char* const* seconds,
                                                      size_t count, int32_t top_k, int collect_errors,
                                                      mxinfer_classes** out) {
  return classify_list(
      classifier, collect_errors, out, [&](const TextClassifier& self, std::vector<ItemError>* errors) {
        return self.classify_pairs(pairs_of(firsts, seconds, count), top_k_of(top_k), errors);
      });
}
