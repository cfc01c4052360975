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

/// How to read words. Functions take NULL for all zeros. A token that is named here must be one of the words.
typedef struct mxinfer_vocabulary_options {
  size_t struct_size;
  /// "automatic" (the default): by the contents; "gluonnlp_json": what gluonnlp.Vocab.to_json() writes, or
  /// {"word": id}; "word_index": lines of a word and its id; "words": one word a line, the first has the id
  /// 0.
  const char* format;
  const char* unknown;  ///< stands for all words that are not there; NULL: what the file says
  const char* padding;  ///< NULL: what the file says, for this and the next two
  const char* begin;
  const char* end;
} mxinfer_vocabulary_options;

typedef struct mxinfer_vocabulary mxinfer_vocabulary;

/// Creates a vocabulary of a list: words[i] has the id i. An empty text leaves its id without a word. Errors:
/// MXINFER_INVALID_ARGUMENT for two equal words and for invalid UTF-8.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_create(const char* const* words, size_t count,
                                                       const mxinfer_vocabulary_options* options,
                                                       mxinfer_vocabulary** out);
/// Reads a file by path or address, or its contents, which are not needed after the call. Errors:
/// MXINFER_NOT_FOUND; MXINFER_MALFORMED for contents of no known format, and for two words of one id or two
/// ids of one word.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_load(const char* uri,
                                                     const mxinfer_vocabulary_options* options,
                                                     mxinfer_vocabulary** out);
MXINFER_C_API mxinfer_status mxinfer_vocabulary_parse(const void* contents, size_t bytes,
                                                      const mxinfer_vocabulary_options* options,
                                                      mxinfer_vocabulary** out);
/// Tokenizers, word vectors and generators that were made with it go on.
MXINFER_C_API void mxinfer_vocabulary_free(mxinfer_vocabulary* vocabulary);

/// Returns the largest id and one more; 0 if there are no words.
MXINFER_C_API size_t mxinfer_vocabulary_size(const mxinfer_vocabulary* vocabulary);
/// Returns the id of a word; -1 if it is not one of the words.
MXINFER_C_API int32_t mxinfer_vocabulary_find(const mxinfer_vocabulary* vocabulary, const char* word);
/// Writes the id of a word to `id`, that of the unknown token if it is not one of the words. Error:
/// MXINFER_INVALID_ARGUMENT if it is not, and there is no unknown token.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_id(const mxinfer_vocabulary* vocabulary, const char* word,
                                                   int32_t* id);
/// The same for `count` words: writes `count` ids to memory of your program. Writes nothing if it fails.
MXINFER_C_API mxinfer_status mxinfer_vocabulary_ids(const mxinfer_vocabulary* vocabulary,
                                                    const char* const* words, size_t count, int32_t* ids);
/// Returns the word of an id, "" for an id without a word; NULL for an id that is not 0 to size - 1. The text
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
