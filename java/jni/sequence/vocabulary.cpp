// Vocabularies and tokenizers.
#include <mxinfer/sequence/tokenizer.h>
#include <mxinfer/sequence/vocabulary.h>

#include <optional>
#include <string>
#include <vector>

#include "handles.h"
#include "org_mxinfer_NativeText.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;
using mxinfer::ByteSpan;
using mxinfer::Tokenizer;
using mxinfer::Vocabulary;
using mxinfer::VocabularyOptions;

namespace {

const Vocabulary& vocabulary_at(jlong address) {
  return *object<const Vocabulary>(address);
}

const Tokenizer& tokenizer_at(jlong address) {
  return *object<const Tokenizer>(address);
}

VocabularyOptions options_of(JNIEnv* env, jint format, jobjectArray tokens) {
  VocabularyOptions options;
  options.format = static_cast<mxinfer::VocabularyFormat>(format);
  options.unknown = text_at(env, tokens, 0);
  options.padding = text_at(env, tokens, 1);
  options.begin = text_at(env, tokens, 2);
  options.end = text_at(env, tokens, 3);
  return options;
}

/// In the order of TextOptions.Tokenizer.
enum Kind { kWhitespace, kCharacters, kBasic, kWordPiece };

}  // namespace

jlong Java_org_mxinfer_NativeText_vocabularyOf(JNIEnv* env, jclass /*type*/, jobjectArray words,
                                               jobjectArray tokens) {
  return guard(env, [&] { return give(Vocabulary(to_strings(env, words), options_of(env, 0, tokens))); });
}

jlong Java_org_mxinfer_NativeText_loadVocabulary(JNIEnv* env, jclass /*type*/, jbyteArray uri, jint format,
                                                 jobjectArray tokens) {
  return guard(env,
               [&] { return give(Vocabulary::load(to_string(env, uri), options_of(env, format, tokens))); });
}

jlong Java_org_mxinfer_NativeText_parseVocabulary(JNIEnv* env, jclass /*type*/, jbyteArray bytes, jint format,
                                                  jobjectArray tokens) {
  return guard(env, [&] {
    const std::string contents = to_string(env, bytes);
    return give(
        Vocabulary::parse(ByteSpan(contents.data(), contents.size()), options_of(env, format, tokens)));
  });
}

void Java_org_mxinfer_NativeText_freeVocabulary(JNIEnv* /*env*/, jclass /*type*/, jlong vocabulary) {
  delete object<Vocabulary>(vocabulary);
}

jint Java_org_mxinfer_NativeText_vocabularySize(JNIEnv* /*env*/, jclass /*type*/, jlong vocabulary) {
  return static_cast<jint>(vocabulary_at(vocabulary).size());
}

jint Java_org_mxinfer_NativeText_findWord(JNIEnv* env, jclass /*type*/, jlong vocabulary, jbyteArray word) {
  return guard(env,
               [&]() -> jint { return vocabulary_at(vocabulary).find(to_string(env, word)).value_or(-1); });
}

jintArray Java_org_mxinfer_NativeText_idsOf(JNIEnv* env, jclass /*type*/, jlong vocabulary,
                                            jobjectArray words) {
  return guard(env, [&] {
    const std::vector<std::string> texts = to_strings(env, words);
    return to_ints(env, vocabulary_at(vocabulary).ids(mxinfer::Span<const std::string>(texts)));
  });
}

jobjectArray Java_org_mxinfer_NativeText_wordsOf(JNIEnv* env, jclass /*type*/, jlong vocabulary,
                                                 jintArray ids) {
  return guard(env, [&] { return from_texts(env, vocabulary_at(vocabulary).words(to_ids(env, ids))); });
}

jintArray Java_org_mxinfer_NativeText_specialIds(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    const Vocabulary& vocabulary = vocabulary_at(address);
    return to_ints(env, {vocabulary.unknown_id().value_or(-1), vocabulary.padding_id().value_or(-1),
                         vocabulary.begin_id().value_or(-1), vocabulary.end_id().value_or(-1)});
  });
}

jbyteArray Java_org_mxinfer_NativeText_vocabularyJson(JNIEnv* env, jclass /*type*/, jlong vocabulary) {
  return guard(env, [&] { return to_bytes(env, vocabulary_at(vocabulary).to_json()); });
}

jlong Java_org_mxinfer_NativeText_tokenizerOf(JNIEnv* env, jclass /*type*/, jint kind, jlong vocabulary,
                                              jboolean lower, jboolean basic, jint max_word_length,
                                              jbyteArray prefix) {
  return guard(env, [&] {
    const Vocabulary words = vocabulary == 0 ? Vocabulary() : vocabulary_at(vocabulary);
    const bool is_lower = lower == JNI_TRUE;
    if (kind == kWhitespace) return give(Tokenizer::whitespace(words, is_lower));
    if (kind == kCharacters) return give(Tokenizer::characters(words, is_lower));
    if (kind == kBasic) return give(Tokenizer::basic(words, {is_lower}));
    return give(
        Tokenizer::wordpiece(words, {basic == JNI_TRUE, is_lower, max_word_length, to_string(env, prefix)}));
  });
}

jlong Java_org_mxinfer_NativeText_loadSentencePiece(JNIEnv* env, jclass /*type*/, jbyteArray uri) {
  return guard(env, [&] { return give(Tokenizer::sentencepiece(to_string(env, uri))); });
}

jlong Java_org_mxinfer_NativeText_parseSentencePiece(JNIEnv* env, jclass /*type*/, jbyteArray model) {
  return guard(env, [&] {
    const std::string contents = to_string(env, model);
    return give(Tokenizer::sentencepiece(ByteSpan(contents.data(), contents.size())));
  });
}

void Java_org_mxinfer_NativeText_freeTokenizer(JNIEnv* /*env*/, jclass /*type*/, jlong tokenizer) {
  delete object<Tokenizer>(tokenizer);
}

jobjectArray Java_org_mxinfer_NativeText_tokens(JNIEnv* env, jclass /*type*/, jlong tokenizer,
                                                jbyteArray text) {
  return guard(env, [&] { return from_texts(env, tokenizer_at(tokenizer).tokens(to_string(env, text))); });
}

jintArray Java_org_mxinfer_NativeText_ids(JNIEnv* env, jclass /*type*/, jlong tokenizer, jbyteArray text) {
  return guard(env, [&] { return to_ints(env, tokenizer_at(tokenizer).ids(to_string(env, text))); });
}

jbyteArray Java_org_mxinfer_NativeText_text(JNIEnv* env, jclass /*type*/, jlong tokenizer, jintArray ids) {
  return guard(env, [&] { return to_bytes(env, tokenizer_at(tokenizer).text(to_ids(env, ids))); });
}

jlong Java_org_mxinfer_NativeText_vocabularyOfTokenizer(JNIEnv* env, jclass /*type*/, jlong tokenizer) {
  return guard(env, [&] { return give(Vocabulary(tokenizer_at(tokenizer).vocabulary())); });
}
