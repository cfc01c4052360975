// WordVectors: a vector for each word of a vocabulary. Use them to find similar words.
//
//   mxinfer_word_vectors_load("glove.6B.50d.txt", NULL, &vectors);
//   mxinfer_word_vectors_nearest(vectors, "king", 10, NULL, &near);
//   mxinfer_near_word word = {sizeof word};
//   for (size_t i = 0; mxinfer_near_words_get(near, i, &word) == MXINFER_OK; ++i)     // best first
//     printf("%s %g\n", word.word, word.score);
//
// Two words are compared by the cosine of their vectors, -1 to 1. Any number of threads may use one set of
// vectors. Use results on one thread at a time.
#ifndef MXINFER_C_WORD_VECTORS_H
#define MXINFER_C_WORD_VECTORS_H

#include <mxinfer_c/tensor.h>
#include <mxinfer_c/vocabulary.h>

/// How to read vectors. A member that is 0 or NULL has its default. Functions accept NULL, which means all
/// zeros.
typedef struct mxinfer_word_vectors_options {
  size_t struct_size;
  /// "automatic" (the default): by the contents; "text" (GloVe, fastText .vec), "word2vec" (its binary form),
  /// "npz" (GluonNLP's TokenEmbedding.serialize), "npy" or "params": a matrix for `vocabulary`.
  const char* format;
  const mxinfer_vocabulary* vocabulary;  ///< the words of the rows, if the file has none; may be NULL
  const char* array;                     ///< which array of a .params file; NULL: its only matrix
  const char* unknown;                   ///< a word of the file that replaces words that are not in it
  /// 0: maps a float32 matrix in a local file into memory; do not write to the file meanwhile. 1: reads it.
  int32_t read_at_once;
  int32_t threads;  ///< for loading and searching; 0: one for each core
} mxinfer_word_vectors_options;

typedef struct mxinfer_word_vectors mxinfer_word_vectors;

/// Creates vectors from a float32 matrix, (rows, dimensions), which is copied: row i belongs to the word with
/// id i. `threads` is as in mxinfer_word_vectors_options. Error: MXINFER_INVALID_ARGUMENT if the shape or
/// dtype is another, or there are more words than rows.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_create(const mxinfer_vocabulary* vocabulary,
                                                         const mxinfer_tensor* matrix, int32_t threads,
                                                         mxinfer_word_vectors** out);
/// Reads a file at a path or address, or its contents, which are not needed after the call. Errors:
/// MXINFER_NOT_FOUND; MXINFER_MALFORMED; MXINFER_INVALID_ARGUMENT if the vocabulary is missing or has more
/// words than there are rows, or if the array is missing or not a matrix.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_load(const char* uri,
                                                       const mxinfer_word_vectors_options* options,
                                                       mxinfer_word_vectors** out);
MXINFER_C_API mxinfer_status mxinfer_word_vectors_parse(const void* contents, size_t bytes,
                                                        const mxinfer_word_vectors_options* options,
                                                        mxinfer_word_vectors** out);
MXINFER_C_API void mxinfer_word_vectors_free(mxinfer_word_vectors* vectors);

/// Returns the vocabulary. Borrowed: do not free it.
MXINFER_C_API const mxinfer_vocabulary* mxinfer_word_vectors_vocabulary(const mxinfer_word_vectors* vectors);
/// Returns how many numbers a vector has.
MXINFER_C_API int64_t mxinfer_word_vectors_dimensions(const mxinfer_word_vectors* vectors);
/// Returns how many words of the file were left out: repeated words, and words that are not UTF-8.
MXINFER_C_API size_t mxinfer_word_vectors_skipped(const mxinfer_word_vectors* vectors);
/// Writes a view of all vectors to `out`: float32, (rows, dimensions). Do not write to them; they live as
/// long as `vectors`.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_matrix(const mxinfer_word_vectors* vectors,
                                                         mxinfer_tensor* out);
/// Write the address of the vector of a word, or of an id, to `out`: as many numbers as there are dimensions,
/// which live as long as `vectors`. A word that is not in the vocabulary has the vector of the unknown token.
/// Error: MXINFER_INVALID_ARGUMENT if there is no unknown token either, or if there is no such row.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_vector(const mxinfer_word_vectors* vectors,
                                                         const char* word, const float** out);
MXINFER_C_API mxinfer_status mxinfer_word_vectors_vector_of_id(const mxinfer_word_vectors* vectors,
                                                               int32_t id, const float** out);
/// Copy the vectors of ids, or of words: one float32 array, (count, dimensions). Errors: as
/// mxinfer_word_vectors_vector.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_rows(const mxinfer_word_vectors* vectors,
                                                       const int32_t* ids, size_t count,
                                                       mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_word_vectors_rows_of_words(const mxinfer_word_vectors* vectors,
                                                                const char* const* words, size_t count,
                                                                mxinfer_tensors** out);

/// A word that is near another.
typedef struct mxinfer_near_word {
  size_t struct_size;
  const char* word;
  float score;  ///< the cosine, -1 to 1
  int32_t id;
} mxinfer_near_word;

/// Which words a search returns. Functions accept NULL, which means all zeros.
typedef struct mxinfer_nearest_options {
  size_t struct_size;
  const float* min_score;  ///< words with a lower cosine are left out; NULL: no limit
  size_t first;            ///< searches only this many words, most frequent first in most files; 0: all
  int32_t include_given;   ///< 1: the words that you ask about may be in the result
} mxinfer_nearest_options;

/// The words that a search found, best first.
typedef struct mxinfer_near_words mxinfer_near_words;

/// Returns the number of words.
MXINFER_C_API size_t mxinfer_near_words_count(const mxinfer_near_words* words);
/// Writes word `index` to `out`. Its text lives as long as `words`. Error: MXINFER_INVALID_ARGUMENT if the
/// index is out of range.
MXINFER_C_API mxinfer_status mxinfer_near_words_get(const mxinfer_near_words* words, size_t index,
                                                    mxinfer_near_word* out);
MXINFER_C_API void mxinfer_near_words_free(mxinfer_near_words* words);

/// Writes the cosine of two words to `out`. Error: MXINFER_NOT_FOUND if a word is not in the vocabulary; the
/// message lists words with a similar spelling.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_similarity(const mxinfer_word_vectors* vectors,
                                                             const char* a, const char* b, float* out);
/// Finds the `k` words nearest to a word, or fewer if there are no more. Errors: MXINFER_NOT_FOUND as
/// mxinfer_word_vectors_similarity; MXINFER_INVALID_ARGUMENT if `k` is below 1.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_nearest(const mxinfer_word_vectors* vectors,
                                                          const char* word, int32_t k,
                                                          const mxinfer_nearest_options* options,
                                                          mxinfer_near_words** out);
/// Finds the words nearest to any vector. `count` must be the number of dimensions.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_nearest_to_vector(const mxinfer_word_vectors* vectors,
                                                                    const float* vector, size_t count,
                                                                    int32_t k,
                                                                    const mxinfer_nearest_options* options,
                                                                    mxinfer_near_words** out);
/// Finds the words that are to `c` as `b` is to `a`: those nearest to b - a + c, each of length 1.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_analogy(const mxinfer_word_vectors* vectors, const char* a,
                                                          const char* b, const char* c, int32_t k,
                                                          const mxinfer_nearest_options* options,
                                                          mxinfer_near_words** out);

#endif
