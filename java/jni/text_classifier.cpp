// Classifiers of texts.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "org_mxinfer_Native.h"
#include "results.h"
#include "support.h"

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
    const mxinfer_submit_options options{
        sizeof(mxinfer_submit_options), priority, 1, timeout, nullptr, nullptr};
    mxinfer_request* request = nullptr;
    check(env, mxinfer_text_classifier_submit(object<const mxinfer_text_classifier>(classifier),
                                              to_string(env, text).c_str(), top_k, &options, &request));
    return address_of(request);
  });
}
