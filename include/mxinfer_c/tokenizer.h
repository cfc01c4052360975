// Tokenizer: cuts a text into tokens (words, subwords or characters), and gives their ids.
//
//   mxinfer_tokenizer_create("wordpiece", vocabulary, NULL, &tokenizer);
//   mxinfer_tokenizer_tokens(tokenizer, "unaffable", &tokens);      // "una", "##ffa", "##ble"
//   mxinfer_tokenizer_ids(tokenizer, "unaffable", &ids);
//
// Texts are UTF-8. Where one is not, the error is MXINFER_INVALID_ARGUMENT, and its message names the first
// wrong byte. Any number of threads may use one tokenizer. Results are for one thread at a time.
#ifndef MXINFER_C_TOKENIZER_H
#define MXINFER_C_TOKENIZER_H

#include <mxinfer_c/texts.h>
#include <mxinfer_c/vocabulary.h>

/// How to cut. A member of 0 or NULL stands for the default. Functions take NULL for all zeros.
typedef struct mxinfer_tokenizer_options {
  size_t struct_size;
  int32_t lower;  ///< 1: lower-cases; -1: does not; 0: "basic" and "wordpiece" do, the others do not
  /// Of "wordpiece", as the members behind it. 1: cuts into words at white space alone; 0: as "basic" does.
  int32_t whitespace_words;
  int32_t max_word_length;  ///< characters, 1 to 4096; a longer word is the unknown token; 0: 200
  const char* prefix;       ///< of a piece that continues a word; NULL: "##"
} mxinfer_tokenizer_options;

typedef struct mxinfer_tokenizer mxinfer_tokenizer;

/// Creates a tokenizer. `kind` is "whitespace" (Python's str.split), "characters", "basic" (GluonNLP's
/// BERTBasicTokenizer) or "wordpiece" (BERTTokenizer). Without a vocabulary, NULL, there are tokens and no
/// ids. Error: MXINFER_INVALID_ARGUMENT for another kind, an option that the kind does not take, and
/// "wordpiece" without a vocabulary that has an unknown token.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_create(const char* kind, const mxinfer_vocabulary* vocabulary,
                                                      const mxinfer_tokenizer_options* options,
                                                      mxinfer_tokenizer** out);
/// Create a tokenizer of a SentencePiece model, from its .model file by path or address, or from the contents
/// of that file, which are not needed after the call. Errors: MXINFER_NOT_FOUND, MXINFER_MALFORMED;
/// MXINFER_UNSUPPORTED in a build without SentencePiece.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_sentencepiece(const char* uri, mxinfer_tokenizer** out);
MXINFER_C_API mxinfer_status mxinfer_tokenizer_sentencepiece_bytes(const void* model, size_t bytes,
                                                                   mxinfer_tokenizer** out);
MXINFER_C_API void mxinfer_tokenizer_free(mxinfer_tokenizer* tokenizer);

/// Gives the tokens of a text, in order.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_tokens(const mxinfer_tokenizer* tokenizer, const char* text,
                                                      mxinfer_texts** out);
/// Gives the ids of the tokens. Error: MXINFER_INVALID_ARGUMENT if there is no vocabulary, or a token is not
/// in it and it has no unknown token.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_ids(const mxinfer_tokenizer* tokenizer, const char* text,
                                                   mxinfer_ids** out);
/// Gives the text that ids stand for, without the vocabulary's padding, begin and end; free it with
/// mxinfer_text_free. Error: MXINFER_INVALID_ARGUMENT for an id that is not in the vocabulary.
MXINFER_C_API mxinfer_status mxinfer_tokenizer_text(const mxinfer_tokenizer* tokenizer, const int32_t* ids,
                                                    size_t count, char** out);
/// Returns the vocabulary; of SentencePiece its pieces. Borrowed: do not free it.
MXINFER_C_API const mxinfer_vocabulary* mxinfer_tokenizer_vocabulary(const mxinfer_tokenizer* tokenizer);

#endif
