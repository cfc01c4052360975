// Word vectors.
#include <mxinfer/sequence/word_vectors.h>

#include <cstring>
#include <string>
#include <vector>

#include "handles.h"
#include "org_mxinfer_NativeText.h"
#include "support.h"
#include "values.h"

using namespace mxinfer::jni;
using mxinfer::ByteSpan;
using mxinfer::NearestOptions;
using mxinfer::NearWord;
using mxinfer::Vocabulary;
using mxinfer::WordVectors;
using mxinfer::WordVectorsOptions;

namespace {

const WordVectors& vectors_at(jlong address) {
  return *object<const WordVectors>(address);
}

WordVectorsOptions options_of(JNIEnv* env, jint format, jlong vocabulary, jbyteArray array,
                              jbyteArray unknown, jboolean read_at_once, jint threads) {
  WordVectorsOptions options;
  options.format = static_cast<mxinfer::WordVectorsFormat>(format);
  if (vocabulary != 0) options.vocabulary = *object<const Vocabulary>(vocabulary);
  options.array = to_string(env, array);
  options.unknown = to_text(env, unknown);
  options.read_at_once = read_at_once == JNI_TRUE;
  options.threads = threads;
  return options;
}

jobjectArray to_java(JNIEnv* env, const std::vector<NearWord>& near) {
  std::vector<std::string> words;
  std::vector<float> scores;
  std::vector<jint> ids;
  for (const NearWord& each : near) {
    words.push_back(each.word);
    scores.push_back(each.score);
    ids.push_back(each.id);
  }
  return from_objects(env, {from_texts(env, words), from_floats(env, scores), to_ints(env, ids)});
}

}  // namespace

jlong Java_org_mxinfer_NativeText_loadVectors(JNIEnv* env, jclass /*type*/, jbyteArray uri, jint format,
                                              jlong vocabulary, jbyteArray array, jbyteArray unknown,
                                              jboolean read_at_once, jint threads) {
  return guard(env, [&] {
    return give(WordVectors::load(
        to_string(env, uri), options_of(env, format, vocabulary, array, unknown, read_at_once, threads)));
  });
}

jlong Java_org_mxinfer_NativeText_parseVectors(JNIEnv* env, jclass /*type*/, jbyteArray bytes, jint format,
                                               jlong vocabulary, jbyteArray array, jbyteArray unknown,
                                               jboolean read_at_once, jint threads) {
  return guard(env, [&] {
    const std::string contents = to_string(env, bytes);
    return give(
        WordVectors::parse(ByteSpan(contents.data(), contents.size()),
                           options_of(env, format, vocabulary, array, unknown, read_at_once, threads)));
  });
}

jlong Java_org_mxinfer_NativeText_vectorsOf(JNIEnv* env, jclass /*type*/, jlong vocabulary, jobject data,
                                            jint dtype, jlongArray shape, jint threads) {
  return guard(env, [&] {
    const mxinfer::TensorView view = direct_view(env, data, dtype, shape);
    return give(WordVectors(*object<const Vocabulary>(vocabulary), mxinfer::Tensor::copy_of(view), threads));
  });
}

void Java_org_mxinfer_NativeText_freeVectors(JNIEnv* /*env*/, jclass /*type*/, jlong vectors) {
  delete object<WordVectors>(vectors);
}

jlong Java_org_mxinfer_NativeText_vocabularyOfVectors(JNIEnv* env, jclass /*type*/, jlong vectors) {
  return guard(env, [&] { return give(Vocabulary(vectors_at(vectors).vocabulary())); });
}

jlongArray Java_org_mxinfer_NativeText_vectorsInfo(JNIEnv* env, jclass /*type*/, jlong address) {
  return guard(env, [&] {
    const WordVectors& vectors = vectors_at(address);
    return to_longs(
        env, {vectors.matrix().shape()[0], vectors.dimensions(), static_cast<jlong>(vectors.skipped())});
  });
}

jfloatArray Java_org_mxinfer_NativeText_vectorOfWord(JNIEnv* env, jclass /*type*/, jlong vectors,
                                                     jbyteArray word) {
  return guard(env, [&] { return from_floats(env, vectors_at(vectors).vector(to_string(env, word))); });
}

jfloatArray Java_org_mxinfer_NativeText_vectorOfId(JNIEnv* env, jclass /*type*/, jlong vectors, jint id) {
  return guard(env, [&] { return from_floats(env, vectors_at(vectors).vector(id)); });
}

void Java_org_mxinfer_NativeText_copyRows(JNIEnv* env, jclass /*type*/, jlong address, jintArray ids,
                                          jobject buffer) {
  guard(env, [&] {
    const WordVectors& vectors = vectors_at(address);
    void* const to = env->GetDirectBufferAddress(buffer);
    const auto bytes = static_cast<std::size_t>(env->GetDirectBufferCapacity(buffer));
    if (bytes == 0) return;
    if (ids == nullptr) {
      std::memcpy(to, vectors.matrix().raw(), bytes);
    } else {
      const std::vector<std::int32_t> wanted = to_ids(env, ids);
      std::memcpy(to, vectors.rows(mxinfer::Span<const std::int32_t>(wanted)).raw(), bytes);
    }
  });
}

jfloat Java_org_mxinfer_NativeText_similarity(JNIEnv* env, jclass /*type*/, jlong vectors, jbyteArray a,
                                              jbyteArray b) {
  return guard(env, [&] { return vectors_at(vectors).similarity(to_string(env, a), to_string(env, b)); });
}

jobjectArray Java_org_mxinfer_NativeText_nearest(JNIEnv* env, jclass /*type*/, jlong address,
                                                 jobjectArray words, jfloatArray vector, jint k,
                                                 jfloatArray min_score, jlong first, jboolean include_given) {
  return guard(env, [&] {
    const WordVectors& vectors = vectors_at(address);
    NearestOptions options;
    const std::vector<float> least = to_floats(env, min_score);
    if (!least.empty()) options.min_score = least[0];
    options.first = static_cast<std::size_t>(first);
    options.include_given = include_given == JNI_TRUE;
    if (words == nullptr) {
      const std::vector<float> numbers = to_floats(env, vector);
      return to_java(env, vectors.nearest(mxinfer::Span<const float>(numbers), k, options));
    }
    const std::vector<std::string> given = to_strings(env, words);
    if (given.size() == 1) return to_java(env, vectors.nearest(given[0], k, options));
    return to_java(env, vectors.analogy(given.at(0), given.at(1), given.at(2), k, options));
  });
}
