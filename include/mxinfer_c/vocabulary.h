// Vocabulary: the words (or subwords, or characters) that a network knows, each with its number, the id.
//
//   mxinfer_vocabulary_load("vocab.json", NULL, &vocabulary);
//   mxinfer_vocabulary_id(vocabulary, "pleasant", &id);      // the unknown token's id if it is not a word
//   puts(mxinfer_vocabulary_word(vocabulary, id));
//
// Any number of threads may use one vocabulary.
#ifndef MXINFER_C_VOCABULARY_H
#define MXINFER_C_VOCABULARY_H

#include <mxinfer_c/status.h>
#include <stddef.h>

/// How to read words. Functions accept NULL, which means all zeros. A token that is named here must be one of
/// the words.
typedef struct mxinfer_vocabulary_options {
  size_t struct_size;
  /// "automatic" (the default): by the contents; "gluonnlp_json": what gluonnlp.Vocab.to_json() writes, or
  /// {"word": id}; "word_index": lines of a word and its id; "words": one word per line, with ids from 0 on.
  const char* format;
  const char* unknown;  ///< replaces words that are not in it; NULL: the one that the file names
  const char* padding;  ///< for this and the next two, NULL: the one that the file names
  const char* begin;
  const char* end;
} mxinfer_vocabulary_options;

typedef struct mxinfer_vocabulary mxinfer_vocabulary;

/// Creates a vocabulary from a list: words[i] has the id i. If a text is empty, its id has no word. Error:
/// MXINFER_INVALID_ARGUMENT if two words are equal or a word is not UTF-8.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_create(const char* const* words, size_t count,
                                                       const mxinfer_vocabulary_options* options,
                                                       mxinfer_vocabulary** out);
/// Reads a file at a path or address, or its contents, which are not needed after the call. Errors:
/// MXINFER_NOT_FOUND; MXINFER_MALFORMED if the format is unknown, if two words have one id, or if one word
/// has two ids.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_load(const char* uri,
                                                     const mxinfer_vocabulary_options* options,
                                                     mxinfer_vocabulary** out);
MXINFER_C_API mxinfer_status mxinfer_vocabulary_parse(const void* contents, size_t bytes,
                                                      const mxinfer_vocabulary_options* options,
                                                      mxinfer_vocabulary** out);
/// Frees the handle. Tokenizers, word vectors and generators that were made with it continue to work.
MXINFER_C_API void mxinfer_vocabulary_free(mxinfer_vocabulary* vocabulary);

/// Returns the largest id plus 1; 0 if there are no words.
MXINFER_C_API size_t mxinfer_vocabulary_size(const mxinfer_vocabulary* vocabulary);
/// Returns the id of a word; -1 if it is not in the vocabulary.
MXINFER_C_API int32_t mxinfer_vocabulary_find(const mxinfer_vocabulary* vocabulary, const char* word);
/// Writes the id of a word to `id`, or that of the unknown token if the word is not in the vocabulary. Error:
/// MXINFER_INVALID_ARGUMENT if there is no unknown token either.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_id(const mxinfer_vocabulary* vocabulary, const char* word,
                                                   int32_t* id);
/// The same for `count` words: writes `count` ids to your own memory. Writes nothing if it fails.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_ids(const mxinfer_vocabulary* vocabulary,
                                                    const char* const* words, size_t count, int32_t* ids);
/// Returns the word of an id, or "" if the id has no word; NULL if the id is not 0 to size - 1. The text
/// lives as long as `vocabulary`.
MXINFER_C_API const char* mxinfer_vocabulary_word(const mxinfer_vocabulary* vocabulary, int32_t id);

/// Return the id of a special token; -1 if there is none.
MXINFER_C_API int32_t mxinfer_vocabulary_unknown_id(const mxinfer_vocabulary* vocabulary);
MXINFER_C_API int32_t mxinfer_vocabulary_padding_id(const mxinfer_vocabulary* vocabulary);
MXINFER_C_API int32_t mxinfer_vocabulary_begin_id(const mxinfer_vocabulary* vocabulary);
MXINFER_C_API int32_t mxinfer_vocabulary_end_id(const mxinfer_vocabulary* vocabulary);

/// Writes the vocabulary as gluonnlp.Vocab.from_json reads it; free the text with mxinfer_text_free. Error:
/// MXINFER_INVALID_ARGUMENT if nearly all ids have no word.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_to_json(const mxinfer_vocabulary* vocabulary, char** out);

#endif
