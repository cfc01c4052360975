// TextClassifier: takes texts of any length and returns labels. A model that takes text, with the tokenizer
// and the vocabulary in its file, needs nothing else. For a bare network, mxinfer_text_options names them.
// Any number of threads may use one classifier.
//
//   mxinfer_text_classifier_open("models/language_id", NULL, NULL, &classifier);
//   mxinfer_text_classifier_classify(classifier, "Wo ist der Bahnhof?", 3, &best);
//   mxinfer_class found = {sizeof found};
//   if (mxinfer_classes_get(best, 0, 0, &found) == MXINFER_OK) puts(found.label);   // German
#ifndef MXINFER_C_TEXT_CLASSIFIER_H
#define MXINFER_C_TEXT_CLASSIFIER_H

#include <mxinfer_c/classifier.h>
#include <mxinfer_c/sequence_predictor.h>
#include <mxinfer_c/texts.h>

/// How texts become inputs of the network. A member that is 0 or NULL takes its value from the model's file,
/// or else has the default that its comment names. Functions accept NULL, which means all zeros, and read the
/// struct only during the call.
typedef struct mxinfer_text_options {
  size_t struct_size;
  /// Splits texts into tokens: "whitespace", "characters", "basic", "wordpiece" or "sentencepiece"; NULL: the
  /// tokenizer in the model's file.
  const char* tokenizer;
  /// Path or address of a vocabulary (GluonNLP's JSON, pairs, or one word per line), or for "sentencepiece"
  /// of the .model file. Every tokenizer needs it.
  const char* vocabulary;
  const char* unknown;  ///< replaces words that are not in it; NULL: the one that its file names
  int32_t lower;        ///< 1: converts to lower case; -1: not; 0: only "basic" and "wordpiece" do
  const char* begin;    ///< a token before each text, such as "[CLS]"; NULL: none
  const char* end;      ///< a token after each text, and between those of a pair; NULL: none
  /// The input that takes 0 for each token of the first text of a pair and 1 for each of the second. NULL: an
  /// input called "token_types" or "segment_ids", or none.
  const char* segment_input;
  const char* length_input;    ///< takes the length of each text; NULL: by its name, or none
  const char* sequence_input;  ///< takes the ids; NULL: the first that is neither a length nor a state
  /// Lengths in ascending order: a text runs at the smallest one that it fits into. None: those of the model,
  /// or else each text runs at its own length.
  const int64_t* buckets;
  size_t bucket_count;
  const char* pad_side;       ///< "left" or "right"; NULL: right
  const double* pad_value;    ///< the id of padding; NULL: that of the vocabulary, otherwise 0
  const char* truncate_side;  ///< the end at which a text that is too long is cut; as pad_side
  const char* too_long;       ///< if above the largest bucket: "truncate" or "error"; NULL: truncate
  int32_t max_batch;          ///< the most texts of one bucket that run as one batch; 0: 32
} mxinfer_text_options;

typedef struct mxinfer_text_classifier mxinfer_text_classifier;

/// Create a classifier for a model, or load the model first. The options are those of the groups "run",
/// "queue" and "scores"; mxinfer_text_classifier_open also takes "load". Errors: as
/// mxinfer_classifier_create, and MXINFER_INVALID_ARGUMENT if the model takes no text and there is no
/// tokenizer, or takes text and there is one; if the vocabulary lacks `begin`, `end` or `unknown`, or has ids
/// that the network has no row for; and for invalid members of `text`.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_create(const mxinfer_model* model,
                                                            const mxinfer_text_options* text,
                                                            const mxinfer_options* options,
                                                            mxinfer_text_classifier** out);
/// `uri` may also name a bucketed model: "lstm" for "lstm-10-symbol.json" and the files beside it.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_open(const char* uri, const mxinfer_text_options* text,
                                                          const mxinfer_options* options,
                                                          mxinfer_text_classifier** out);
MXINFER_C_API void mxinfer_text_classifier_free(mxinfer_text_classifier* classifier);
/// Return the same object as a predictor, for the model, memory and metrics, and as a sequence predictor.
/// Borrowed: do not free it.
MXINFER_C_API const mxinfer_predictor* mxinfer_text_classifier_predictor(
    const mxinfer_text_classifier* classifier);
MXINFER_C_API const mxinfer_sequence_predictor* mxinfer_text_classifier_sequence_predictor(
    const mxinfer_text_classifier* classifier);

/// Classify one text, or one pair of texts. top_k is that of mxinfer_classifier_classify. Error:
/// MXINFER_INVALID_ARGUMENT if the text has no token and neither `begin` nor `end` is set, or if it is not
/// UTF-8.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_classify(const mxinfer_text_classifier* classifier,
                                                              const char* text, int32_t top_k,
                                                              mxinfer_classes** out);
MXINFER_C_API mxinfer_status mxinfer_text_classifier_classify_pair(const mxinfer_text_classifier* classifier,
                                                                   const char* first, const char* second,
                                                                   int32_t top_k, mxinfer_classes** out);

/// Classifies a text that is already split into tokens; `begin` and `end` are added. Error:
/// MXINFER_UNSUPPORTED if the tokenizer is in the model's file.
MXINFER_C_API mxinfer_status
mxinfer_text_classifier_classify_tokens(const mxinfer_text_classifier* classifier, const char* const* tokens,
                                        size_t count, int32_t top_k, mxinfer_classes** out);
/// Classifies ids as mxinfer_text_classifier_ids writes them: nothing is added. Error:
/// MXINFER_INVALID_ARGUMENT if the network has no row for an id.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_classify_ids(const mxinfer_text_classifier* classifier,
                                                                  const int32_t* ids, size_t count,
                                                                  int32_t top_k, mxinfer_classes** out);
/// Writes the ids of a text to `out` as the network gets them: with `begin` and `end`, before padding.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_ids(const mxinfer_text_classifier* classifier,
                                                         const char* text, mxinfer_ids** out);

/// Classify lists of texts, or of pairs, of any lengths. Pair i is firsts[i] and seconds[i]. With
/// collect_errors, mxinfer_classes_item_status reports texts that fail, and the others are not affected.
/// Without it, the first text that fails makes the call fail.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_classify_texts(const mxinfer_text_classifier* classifier,
                                                                    const char* const* texts, size_t count,
                                                                    int32_t top_k, int collect_errors,
                                                                    mxinfer_classes** out);
MXINFER_C_API mxinfer_status mxinfer_text_classifier_classify_pairs(const mxinfer_text_classifier* classifier,
                                                                    const char* const* firsts,
                                                                    const char* const* seconds, size_t count,
                                                                    int32_t top_k, int collect_errors,
                                                                    mxinfer_classes** out);

#endif
