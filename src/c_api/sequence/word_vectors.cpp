#include <mxinfer_c/word_vectors.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/sequence/handles.h"
#include "c_api/structs.h"
#include "c_api/views.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

WordVectorsOptions word_vectors_options_of(const mxinfer_word_vectors_options* options) {
  WordVectorsOptions result;
  if (options == nullptr) return result;
  const mxinfer_word_vectors_options given = read_struct(*options);
  result.format = static_cast<WordVectorsFormat>(
      choice_or_first("mxinfer_word_vectors_options.format", given.format,
                      {"automatic", "text", "word2vec", "npz", "npy", "params"}));
  if (given.vocabulary != nullptr) result.vocabulary = given.vocabulary->vocabulary;
  if (given.array != nullptr) result.array = given.array;
  if (given.unknown != nullptr) result.unknown = given.unknown;
  result.read_at_once = given.read_at_once != 0;
  result.threads = given.threads;
  return result;
}

NearestOptions nearest_options_of(const mxinfer_nearest_options* options) {
  NearestOptions result;
  if (options == nullptr) return result;
  const mxinfer_nearest_options given = read_struct(*options);
  if (given.min_score != nullptr) result.min_score = *given.min_score;
  result.first = given.first;
  result.include_given = given.include_given != 0;
  return result;
}

const WordVectors& vectors_of(const mxinfer_word_vectors* vectors) {
  return need(vectors, "vectors").vectors;
}

mxinfer_tensors* tensors_of_one(Tensor tensor) {
  auto made = std::make_unique<mxinfer_tensors>();
  made->list.push_back(std::move(tensor));
  return made.release();
}

}  // namespace

mxinfer_status mxinfer_word_vectors_create(const mxinfer_vocabulary* vocabulary, const mxinfer_tensor* matrix,
                                           int32_t threads, mxinfer_word_vectors** out) {
  return give(out, [&] {
    const Vocabulary& words = need(vocabulary, "vocabulary").vocabulary;
    Tensor rows = Tensor::copy_of(view_of(read_struct(need(matrix, "matrix"))));
    return new mxinfer_word_vectors(WordVectors(words, std::move(rows), threads));
  });
}

mxinfer_status mxinfer_word_vectors_load(const char* uri, const mxinfer_word_vectors_options* options,
                                         mxinfer_word_vectors** out) {
  return give(out, [&] {
    return new mxinfer_word_vectors(
        WordVectors::load(need_text(uri, "uri"), word_vectors_options_of(options)));
  });
}

mxinfer_status mxinfer_word_vectors_parse(const void* contents, size_t bytes,
                                          const mxinfer_word_vectors_options* options,
                                          mxinfer_word_vectors** out) {
  return give(out, [&] {
    return new mxinfer_word_vectors(
        WordVectors::parse(need_bytes(contents, bytes, "contents"), word_vectors_options_of(options)));
  });
}

void mxinfer_word_vectors_free(mxinfer_word_vectors* vectors) {
  delete vectors;
}

const mxinfer_vocabulary* mxinfer_word_vectors_vocabulary(const mxinfer_word_vectors* vectors) {
  return vectors == nullptr ? nullptr : &vectors->vocabulary;
}

int64_t mxinfer_word_vectors_dimensions(const mxinfer_word_vectors* vectors) {
  return vectors == nullptr ? 0 : vectors->vectors.dimensions();
}

size_t mxinfer_word_vectors_skipped(const mxinfer_word_vectors* vectors) {
  return vectors == nullptr ? 0 : vectors->vectors.skipped();
}

mxinfer_status mxinfer_word_vectors_matrix(const mxinfer_word_vectors* vectors, mxinfer_tensor* out) {
  return call([&] {
    const TensorView& matrix = need(vectors, "vectors").matrix;
    write_struct(need(out, "out"), {0, "", const_cast<void*>(matrix.raw()), matrix.shape().data(),
                                    static_cast<std::int32_t>(matrix.shape().rank()), MXINFER_FLOAT32,
                                    static_cast<std::int32_t>(DeviceType::cpu), 0});
  });
}

mxinfer_status mxinfer_word_vectors_vector(const mxinfer_word_vectors* vectors, const char* word,
                                           const float** out) {
  return call([&] {
    const float*& vector = need(out, "out");
    vector = vectors_of(vectors).vector(need_text(word, "word")).data();
  });
}

mxinfer_status mxinfer_word_vectors_vector_of_id(const mxinfer_word_vectors* vectors, int32_t id,
                                                 const float** out) {
  return call([&] {
    const float*& vector = need(out, "out");
    vector = vectors_of(vectors).vector(id).data();
  });
}

mxinfer_status mxinfer_word_vectors_rows(const mxinfer_word_vectors* vectors, const int32_t* ids,
                                         size_t count, mxinfer_tensors** out) {
  return give(out, [&] { return tensors_of_one(vectors_of(vectors).rows(need_span(ids, count, "ids"))); });
}

mxinfer_status mxinfer_word_vectors_rows_of_words(const mxinfer_word_vectors* vectors,
                                                  const char* const* words, size_t count,
                                                  mxinfer_tensors** out) {
  return give(out, [&] {
    const std::vector<std::string> list = need_texts(words, count, "words", "word of a list");
    return tensors_of_one(vectors_of(vectors).rows(Span<const std::string>(list)));
  });
}

size_t mxinfer_near_words_count(const mxinfer_near_words* words) {
  return words == nullptr ? 0 : words->list.size();
}

mxinfer_status mxinfer_near_words_get(const mxinfer_near_words* words, size_t index, mxinfer_near_word* out) {
  return call([&] {
    const std::vector<NearWord>& list = need(words, "words").list;
    if (index >= list.size()) no_such("word", index, list.size());
    write_struct(need(out, "out"), {0, list[index].word.c_str(), list[index].score, list[index].id});
  });
}

void mxinfer_near_words_free(mxinfer_near_words* words) {
  delete words;
}

mxinfer_status mxinfer_word_vectors_similarity(const mxinfer_word_vectors* vectors, const char* a,
                                               const char* b, float* out) {
  return call([&] {
    float& similarity = need(out, "out");
    similarity = vectors_of(vectors).similarity(need_text(a, "a"), need_text(b, "b"));
  });
}

mxinfer_status mxinfer_word_vectors_nearest(const mxinfer_word_vectors* vectors, const char* word, int32_t k,
                                            const mxinfer_nearest_options* options,
                                            mxinfer_near_words** out) {
  return give(out, [&] {
    return new mxinfer_near_words{
        vectors_of(vectors).nearest(need_text(word, "word"), k, nearest_options_of(options))};
  });
}

mxinfer_status mxinfer_word_vectors_nearest_to_vector(const mxinfer_word_vectors* vectors,
                                                      const float* vector, size_t count, int32_t k,
                                                      const mxinfer_nearest_options* options,
                                                      mxinfer_near_words** out) {
  return give(out, [&] {
    return new mxinfer_near_words{
        vectors_of(vectors).nearest(need_span(vector, count, "vector"), k, nearest_options_of(options))};
  });
}

mxinfer_status mxinfer_word_vectors_analogy(const mxinfer_word_vectors* vectors, const char* a, const char* b,
                                            const char* c, int32_t k, const mxinfer_nearest_options* options,
                                            mxinfer_near_words** out) {
  return give(out, [&] {
    return new mxinfer_near_words{vectors_of(vectors).analogy(
        need_text(a, "a"), need_text(b, "b"), need_text(c, "c"), k, nearest_options_of(options))};
  });
}
