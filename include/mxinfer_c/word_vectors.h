// WordVectors: a vector for each word of a vocabulary, and which words are near to one another.
//
//   mxinfer_word_vectors_load("glove.6B.50d.txt", NULL, &vectors);
//   mxinfer_word_vectors_nearest(vectors, "king", 10, NULL, &near);
//   mxinfer_near_word word = {sizeof word};
//   for (size_t i = 0; mxinfer_near_words_get(near, i, &word) == MXINFER_OK; ++i)     // best first
//     printf("%s %g\n", word.word, word.score);
//
// Two words are compared by the cosine of their vectors, -1 to 1. Any number of threads may use one set of
// vectors. Results are for one thread at a time.
#ifndef MXINFER_C_WORD_VECTORS_H
#define MXINFER_C_WORD_VECTORS_H

#include <mxinfer_c/tensor.h>
#include <mxinfer_c/vocabulary.h>

/// How to read vectors. A member of 0 or NULL stands for the default. Functions take NULL for all zeros.
typedef struct mxinfer_word_vectors_options {
  size_t struct_size;
  /// "automatic" (the default): by the contents; "text" (GloVe, fastText .vec), "word2vec" (its binary form),
  /// "npz" (GluonNLP's TokenEmbedding.serialize), "npy" or "params": a matrix for `vocabulary`.
  const char* format;
  const mxinfer_vocabulary* vocabulary;  ///< the words of the rows, where the file has none; may be NULL
  const char* array;                     ///< which array of a .params file; NULL: its only matrix
  const char* unknown;                   ///< a word of the file, for all words that are not there
  /// 0: maps a matrix of float32 on this machine into memory; do not write to the file meanwhile. 1: reads
  /// it.
  int32_t read_at_once;
  int32_t threads;  ///< for loading and searching; 0: one for each core
} mxinfer_word_vectors_options;

typedef struct mxinfer_word_vectors mxinfer_word_vectors;

/// Creates vectors of a matrix of float32, (rows, dimensions), which is copied: row i belongs to the word of
/// id i. `threads` as in mxinfer_word_vectors_options. Error: MXINFER_INVALID_ARGUMENT for another shape or
/// dtype, and for more words than rows.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_create(const mxinfer_vocabulary* vocabulary,
                                                         const mxinfer_tensor* matrix, int32_t threads,
                                                         mxinfer_word_vectors** out);
/// Reads a file by path or address, or its contents, which are not needed after the call. Errors:
/// MXINFER_NOT_FOUND; MXINFER_MALFORMED; MXINFER_INVALID_ARGUMENT for a vocabulary that is missing or has
/// more words than there are rows, and for an array that does not exist or is no matrix.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_load(const char* uri,
                                                       const mxinfer_word_vectors_options* options,
                                                       mxinfer_word_vectors** out);
MXINFER_C_API mxinfer_status mxinfer_word_vectors_parse(const void* contents, size_t bytes,
                                                        const mxinfer_word_vectors_options* options,
                                                        mxinfer_word_vectors** out);
MXINFER_C_API void mxinfer_word_vectors_free(mxinfer_word_vectors* vectors);

/// Returns the words. Borrowed: do not free it.
MXINFER_C_API const mxinfer_vocabulary* mxinfer_word_vectors_vocabulary(const mxinfer_word_vectors* vectors);
/// Returns how many numbers a vector has.
MXINFER_C_API int64_t mxinfer_word_vectors_dimensions(const mxinfer_word_vectors* vectors);
/// Returns how many words of the file were left out: repeated words, and words that are not UTF-8.
MXINFER_C_API size_t mxinfer_word_vectors_skipped(const mxinfer_word_vectors* vectors);
/// Writes all vectors to `out`: float32, (rows, dimensions). Read them only; they live as long as `vectors`.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_matrix(const mxinfer_word_vectors* vectors,
                                                         mxinfer_tensor* out);
/// Write the address of the vector of a word, or of an id, to `out`: as many numbers as there are dimensions,
/// which live as long as `vectors`. A word that is not there has the vector of the unknown token. Error:
/// MXINFER_INVALID_ARGUMENT if there is no unknown token, or no row of that id.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_vector(const mxinfer_word_vectors* vectors,
                                                         const char* word, const float** out);
MXINFER_C_API mxinfer_status mxinfer_word_vectors_vector_of_id(const mxinfer_word_vectors* vectors,
                                                               int32_t id, const float** out);
/// Copy the vectors of some ids, or of some words: one array of float32, (count, dimensions). Errors: as
/// mxinfer_word_vectors_vector.
MXINFER_C_API mxinfer_status mxinfer_word_vectors_rows(const mxinfer_word_vectors* vectors,
                                                       const int32_t* ids, size_t count,
                                                       mxinfer_tensors** out);
MXINFER_C_API mxinfer_status mxinfer_word_vectors_rows_of_words(const mxinfer_word_vectors* vectors,
                                                                const char* const* words, size_t count,
                                                                mxinfer_tensors** out);

/// One word that is near to another.
typedef struct mxinfer_near_word {
  size_t struct_size;
  const char* word;
  float score;  ///< the cosine, -1 to 1
  int32_t id;
} mxinfer_near_word;

/// Which words a search gives. Functions take NULL for all zeros.
typedef struct mxinfer_nearest_options {
  size_t struct_size;
  const float* min_score;  ///< words of a lower cosine are left out; NULL: no limit
  size_t first;            ///< only the first so many words, the frequent ones in most files; 0: all
  int32_t include_given;   ///< 1: the words that you ask about may be among the answers
} mxinfer_nearest_options;

/// The words that a search found, best first.
typedef struct mxinfer_near_words mxinfer_near_words;

/// Returns the number of words.
MXINFER_C_API size_t mxinfer_near_words_count(const mxinfer_near_words* words);
/// Writes word `index` to `out`. Its text lives as long as `words`. Error: MXINFER_INVALID_ARGUMENT for an
/// index beyond the last.
MXINFER_C_API mxinfer_status mxinfer_near_words_get(const mxinfer_near_words* words, size_t index,
                                                    mxinfer_near_word* out);
MXINFER_C_API void mxinfer_near_words_free(mxinfer_near_words* words);

/// Writes the cosine of two words to `out`. Error: MXINFER_NOT_FOUND for a word that is not there; the
/// message names words that are written like it.
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
