// Tokenizer: splits a text into tokens (words, subwords or characters), and returns their ids.
//
//   mxinfer_tokenizer_create("wordpiece", vocabulary, NULL, &tokenizer);
//   mxinfer_tokenizer_tokens(tokenizer, "unaffable", &tokens);      // "una", "##ffa", "##ble"
//   mxinfer_tokenizer_ids(tokenizer, "unaffable", &ids);
//
// Texts are UTF-8. If one is not, the error is MXINFER_INVALID_ARGUMENT, and its message names the first
// invalid byte. Any number of threads may use one tokenizer. Use results on one thread at a time.
#ifndef MXINFER_C_TOKENIZER_H
#define MXINFER_C_TOKENIZER_H

#include <mxinfer_c/texts.h>
#include <mxinfer_c/vocabulary.h>

/// How to split texts. A member that is 0 or NULL has its default. Functions accept NULL, which means all
/// zeros.
typedef struct mxinfer_tokenizer_options {
  size_t struct_size;
  int32_t lower;  ///< 1: converts to lower case; -1: not; 0: only "basic" and "wordpiece" do
  /// For "wordpiece", as the members below. 1: splits into words only at white space; 0: as "basic" does.
  int32_t whitespace_words;
  int32_t max_word_length;  ///< characters, 1 to 4096; a longer word is the unknown token; 0: 200
  const char* prefix;       ///< of a piece that continues a word; NULL: "##"
} mxinfer_tokenizer_options;

typedef struct mxinfer_tokenizer mxinfer_tokenizer;

/// Creates a tokenizer. `kind` is "whitespace" (Python's str.split), "characters", "basic" (GluonNLP's
/// BERTBasicTokenizer) or "wordpiece" (BERTTokenizer). If `vocabulary` is NULL, there are tokens but no ids.
/// Error: MXINFER_INVALID_ARGUMENT if the kind is another, if it does not take an option, or if "wordpiece"
/// has no vocabulary with an unknown token.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_create(const char* kind, const mxinfer_vocabulary* vocabulary,
                                                      const mxinfer_tokenizer_options* options,
                                                      mxinfer_tokenizer** out);
/// Create a tokenizer for a SentencePiece model, from the path or address of its .model file, or from the
/// contents of that file, which are not needed after the call. Errors: MXINFER_NOT_FOUND, MXINFER_MALFORMED;
/// MXINFER_UNSUPPORTED in a build without SentencePiece.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_sentencepiece(const char* uri, mxinfer_tokenizer** out);
MXINFER_C_API mxinfer_status mxinfer_tokenizer_sentencepiece_bytes(const void* model, size_t bytes,
                                                                   mxinfer_tokenizer** out);
MXINFER_C_API void mxinfer_tokenizer_free(mxinfer_tokenizer* tokenizer);

/// Writes the tokens of a text to `out`, in order.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_tokens(const mxinfer_tokenizer* tokenizer, const char* text,
                                                      mxinfer_texts** out);
/// Writes the ids of the tokens to `out`. Error: MXINFER_INVALID_ARGUMENT if there is no vocabulary, or if a
/// token is not in it and it has no unknown token.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_ids(const mxinfer_tokenizer* tokenizer, const char* text,
                                                   mxinfer_ids** out);
/// Writes the text of ids to `out`, without the vocabulary's padding, begin and end tokens; free it with
/// mxinfer_text_free. Error: MXINFER_INVALID_ARGUMENT if an id is not in the vocabulary.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_text(const mxinfer_tokenizer* tokenizer, const int32_t* ids,
                                                    size_t count, char** out);
/// Returns the vocabulary; for SentencePiece, it is the pieces. Borrowed: do not free it.
MXINFER_C_API const mxinfer_vocabulary* mxinfer_tokenizer_vocabulary(const mxinfer_tokenizer* tokenizer);

#endif
