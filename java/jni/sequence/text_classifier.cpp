// Classifiers of texts.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "c_api/sequence/handles.h"
#include "handles.h"
#include "org_mxinfer_Native.h"
#include "org_mxinfer_NativeSequence.h"
#include "requests.h"
#include "results.h"
#include "sequence/sequence_options.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;

namespace {

/// The fields of TextOptions.java.
class TextOptions {
 public:
  TextOptions(JNIEnv* env, jobjectArray texts, jlongArray buckets, jdoubleArray pad_value, jint lower,
              jint max_batch) {
    for (jsize i = 0; i < org_mxinfer_Native_TEXT_OPTIONS; ++i) {
      const LocalRef<jbyteArray> text(env, env->GetObjectArrayElement(texts, i));
      if (text.get() != nullptr) texts_[static_cast<std::size_t>(i)] = to_string(env, text.get());
    }
    buckets_.resize(static_cast<std::size_t>(env->GetArrayLength(buckets)));
    copy_array(env, buckets, buckets_.data(), buckets_.size() * sizeof(std::int64_t));
    if (pad_value != nullptr) copy_array(env, pad_value, &pad_value_, sizeof pad_value_);
    set_options();
    if (pad_value != nullptr) options_.pad_value = &pad_value_;
    options_.lower = lower;
    options_.max_batch = max_batch;
  }
  TextOptions(const TextOptions&) = delete;
  TextOptions& operator=(const TextOptions&) = delete;

  [[nodiscard]] const mxinfer_text_options* get() const { return &options_; }

 private:
  void set_options() {
    options_.struct_size = sizeof options_;
    options_.tokenizer = text(org_mxinfer_Native_TOKENIZER);
    options_.vocabulary = text(org_mxinfer_Native_VOCABULARY);
    options_.unknown = text(org_mxinfer_Native_UNKNOWN);
    options_.begin = text(org_mxinfer_Native_BEGIN);
    options_.end = text(org_mxinfer_Native_END);
    options_.segment_input = text(org_mxinfer_Native_SEGMENT_INPUT);
    options_.length_input = text(org_mxinfer_Native_LENGTH_INPUT);
    options_.sequence_input = text(org_mxinfer_Native_SEQUENCE_INPUT);
    options_.pad_side = text(org_mxinfer_Native_PAD_SIDE);
    options_.truncate_side = text(org_mxinfer_Native_TRUNCATE_SIDE);
    options_.too_long = text(org_mxinfer_Native_TOO_LONG);
    options_.buckets = buckets_.data();
    options_.bucket_count = buckets_.size();
  }
  [[nodiscard]] const char* text(std::size_t index) const {
    return texts_[index].has_value() ? texts_[index]->c_str() : nullptr;
  }

  std::optional<std::string> texts_[org_mxinfer_Native_TEXT_OPTIONS];
  std::vector<std::int64_t> buckets_;
  double pad_value_ = 0;
  mxinfer_text_options options_{};
};

/// The same for the C++ interface, which takes tokenizers and bucketed models.
mxinfer::TextOptions text_options(JNIEnv* env, jlong tokenizer, const SequenceLists& lists,
                                  const mxinfer::Settings& settings) {
  const mxinfer::ClassifierOptions scores = settings.classifier_options();
  mxinfer::TextOptions options;
  if (tokenizer != 0) options.tokenizer = *object<const mxinfer::Tokenizer>(tokenizer);
  options.begin = text_at(env, lists.texts, org_mxinfer_Native_BEGIN).value_or("");
  options.end = text_at(env, lists.texts, org_mxinfer_Native_END).value_or("");
  options.segment_input = text_at(env, lists.texts, org_mxinfer_Native_SEGMENT_INPUT).value_or("");
  options.activation = scores.activation;
  options.min_score = scores.min_score;
  options.sequence = sequence_options(env, lists);
  options.sequence.options = scores.options;
  return options;
}

const mxinfer::TextClassifier& classifier_at(jlong address) {
  return object<const mxinfer_text_classifier>(address)->classifier;
}

jintArray to_java(JNIEnv* env, std::vector<mxinfer::Classification> classes) {
  auto* const made = new mxinfer_classes;
  made->samples.push_back(std::move(classes));
  return take(env, made);
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

}  // namespace

jlong Java_org_mxinfer_Native_createText(JNIEnv* env, jclass /*type*/, jlong model, jobjectArray texts,
                                         jlongArray buckets, jdoubleArray pad_value, jint lower,
                                         jint max_batch, jobjectArray settings) {
  return guard(env, [&] {
    const TextOptions text(env, texts, buckets, pad_value, lower, max_batch);
    const Options options(env, settings);
    mxinfer_text_classifier* classifier = nullptr;
    check(env, mxinfer_text_classifier_create(object<const mxinfer_model>(model), text.get(), options.get(),
                                              &classifier));
    return address_of(classifier);
  });
}

jlong Java_org_mxinfer_Native_openText(JNIEnv* env, jclass /*type*/, jbyteArray uri, jobjectArray texts,
                                       jlongArray buckets, jdoubleArray pad_value, jint lower, jint max_batch,
                                       jobjectArray settings) {
  return guard(env, [&] {
    const TextOptions text(env, texts, buckets, pad_value, lower, max_batch);
    const Options options(env, settings);
    mxinfer_text_classifier* classifier = nullptr;
    check(env,
          mxinfer_text_classifier_open(to_string(env, uri).c_str(), text.get(), options.get(), &classifier));
    return address_of(classifier);
  });
}

jintArray Java_org_mxinfer_Native_classifyText(JNIEnv* env, jclass /*type*/, jlong address, jbyteArray text,
                                               jbyteArray second, jint top_k) {
  return guard(env, [&] {
    const auto* const classifier = object<const mxinfer_text_classifier>(address);
    const std::string first = to_string(env, text);
    mxinfer_classes* classes = nullptr;
    check(env, second == nullptr
                   ? mxinfer_text_classifier_classify(classifier, first.c_str(), top_k, &classes)
                   : mxinfer_text_classifier_classify_pair(classifier, first.c_str(),
                                                           to_string(env, second).c_str(), top_k, &classes));
    return take(env, classes);
  });
}

jintArray Java_org_mxinfer_Native_classifyTexts(JNIEnv* env, jclass /*type*/, jlong address,
                                                jobjectArray texts, jobjectArray seconds, jint top_k,
                                                jobjectArray messages) {
  return guard(env, [&] {
    const auto* const classifier = object<const mxinfer_text_classifier>(address);
    const std::vector<std::string> first_texts = to_strings(env, texts);
    const std::vector<std::string> second_texts = to_strings(env, seconds);
    const std::vector<const char*> firsts = pointers_to(first_texts);
    mxinfer_classes* classes = nullptr;
    check(env, seconds == nullptr ? mxinfer_text_classifier_classify_texts(classifier, firsts.data(),
                                                                           firsts.size(), top_k, 1, &classes)
                                  : mxinfer_text_classifier_classify_pairs(
                                        classifier, firsts.data(), pointers_to(second_texts).data(),
                                        firsts.size(), top_k, 1, &classes));
    return take(env, classes, messages);
  });
}

jlong Java_org_mxinfer_Native_submitText(JNIEnv* env, jclass /*type*/, jlong classifier, jbyteArray text,
                                         jint top_k, jint priority, jlong timeout) {
  return guard(env, [&] {
    const std::string utf8 = to_string(env, text);
    return submitted(env, priority, timeout, true, [&](const auto* options, auto** request) {
      return mxinfer_text_classifier_submit(object<const mxinfer_text_classifier>(classifier), utf8.c_str(),
                                            top_k, options, request);
    });
  });
}

jlong Java_org_mxinfer_NativeSequence_createText(JNIEnv* env, jclass /*type*/, jlong model, jlong buckets,
                                                 jbyteArray uri, jlong tokenizer, jobjectArray texts,
                                                 jlongArray lengths, jdoubleArray pad_value, jint max_batch,
                                                 jobjectArray list) {
  return guard(env, [&] {
    const mxinfer::Settings settings = settings_of(Options(env, list));
    const mxinfer::TextOptions options =
        text_options(env, tokenizer, {texts, lengths, pad_value, max_batch}, settings);
    if (uri != nullptr) {
      return address_of(new mxinfer_text_classifier(
          mxinfer::TextClassifier(to_string(env, uri), options, settings.load_options())));
    }
    if (buckets != 0) {
      return address_of(new mxinfer_text_classifier(
          mxinfer::TextClassifier(*object<const mxinfer::BucketedModel>(buckets), options)));
    }
    return address_of(new mxinfer_text_classifier(mxinfer::TextClassifier(model_at(model), options)));
  });
}

jintArray Java_org_mxinfer_NativeSequence_classifyTokens(JNIEnv* env, jclass /*type*/, jlong classifier,
                                                         jobjectArray tokens, jint top_k) {
  return guard(env, [&] {
    return to_java(
        env,
        classifier_at(classifier).classify_tokens(to_strings(env, tokens), mxinfer::c_api::top_k_of(top_k)));
  });
}

jintArray Java_org_mxinfer_NativeSequence_classifyIds(JNIEnv* env, jclass /*type*/, jlong classifier,
                                                      jintArray ids, jint top_k) {
  return guard(env, [&] {
    return to_java(env,
                   classifier_at(classifier).classify_ids(to_ids(env, ids), mxinfer::c_api::top_k_of(top_k)));
  });
}

jintArray Java_org_mxinfer_NativeSequence_textIds(JNIEnv* env, jclass /*type*/, jlong classifier,
                                                  jbyteArray text) {
  return guard(env, [&] { return to_ints(env, classifier_at(classifier).ids(to_string(env, text))); });
}
