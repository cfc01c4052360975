// TextClassifier: takes texts of any length and gives labels. A model that takes text, with the tokenizer and
// the vocabulary in its file, needs nothing else; in front of a bare network stand those of
// mxinfer_text_options.
//
//   mxinfer_text_classifier_open("models/language_id", NULL, NULL, &classifier);
//   mxinfer_text_classifier_classify(classifier, "Wo ist der Bahnhof?", 3, &best);
//   mxinfer_class found = {sizeof found};
//   if (mxinfer_classes_get(best, 0, 0, &found) == MXINFER_OK) puts(found.label);   // German
#ifndef MXINFER_C_TEXT_CLASSIFIER_H
#define MXINFER_C_TEXT_CLASSIFIER_H

#include <mxinfer_c/classifier.h>

/// How texts become what the network takes. A member of 0 or NULL stands for what the model's file says, and
/// where it says nothing for the default that is named here. Where a function takes the struct, NULL stands
/// for all zeros.
typedef struct mxinfer_text_options {
  size_t struct_size;
  /// What cuts texts into tokens: "whitespace", "characters", "basic", "wordpiece" or "sentencepiece"; NULL:
  /// the tokenizer in the model's file.
  const char* tokenizer;
  /// Path or address: a vocabulary of GluonNLP's, pairs, or one word a line; the .model file of
  /// "sentencepiece". Every tokenizer needs it.
  const char* vocabulary;
  const char* unknown;  ///< stands for words that are not in it; NULL: what its file says
  int32_t lower;        ///< 1: lower-cases; -1: does not; 0: "basic" and "wordpiece" do, the others do not
  const char* begin;    ///< a token in front of each text, such as "[CLS]"; NULL: none
  const char* end;      ///< a token behind each text, and between those of a pair; NULL: none
  /// The input that takes 0 for each token of the first text of a pair, 1 for those of the second; NULL: one
  /// that is called "token_types" or "segment_ids", or none.
  const char* segment_input;
  const char* length_input;    ///< takes the length of each text; NULL: by its name, or none
  const char* sequence_input;  ///< takes the ids; NULL: the first that is neither a length nor a state
  /// Lengths, rising: a text runs at the smallest that is not less than its own. 0 of them: what the model
  /// says, otherwise each text at its own length.
  const int64_t* buckets;
  size_t bucket_count;
  const char* pad_side;       ///< "left" or "right"; NULL: right
  const double* pad_value;    ///< the id of padding; NULL: that of the vocabulary, otherwise 0
  const char* truncate_side;  ///< which end of a text that is too long is cut off; as pad_side
  const char* too_long;       ///< than the largest bucket: "truncate" or "error"; NULL: truncate
  int32_t max_batch;          ///< so many texts of one bucket run as one batch at most; 0: 32
} mxinfer_text_options;

typedef struct mxinfer_text_classifier mxinfer_text_classifier;

/// As those of a classifier, whose options of the groups "run", "queue" and "scores" count, of
/// mxinfer_text_classifier_open "load" too. MXINFER_INVALID_ARGUMENT also if the model takes no text and
/// there is no tokenizer, or takes text and there is one; if the vocabulary lacks `begin`, `end` or
/// `unknown`, or has ids that the network has no row for; and for options that make no sense. `text` is read
/// during the call alone.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_create(const mxinfer_model* model,
                                                            const mxinfer_text_options* text,
                                                            const mxinfer_options* options,
                                                            mxinfer_text_classifier** out);
/// `uri` may also be that of a bucketed model: "lstm", where "lstm-10-symbol.json" and its like are.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_open(const char* uri, const mxinfer_text_options* text,
                                                          const mxinfer_options* options,
                                                          mxinfer_text_classifier** out);
MXINFER_C_API void mxinfer_text_classifier_free(mxinfer_text_classifier* classifier);
/// The same object as a predictor, for the model, memory and metrics. Borrowed: not to be freed.
MXINFER_C_API const mxinfer_predictor* mxinfer_text_classifier_predictor(
    const mxinfer_text_classifier* classifier);

/// One text, and one pair of texts. top_k as in mxinfer_classifier_classify. MXINFER_INVALID_ARGUMENT: a text
/// without a token, unless `begin` or `end` are set, and one that is not UTF-8.
MXINFER_C_API mxinfer_status mxinfer_text_classifier_classify(const mxinfer_text_classifier* classifier,
                                                              const char* text, int32_t top_k,
                                                              mxinfer_classes** out);
MXINFER_C_API mxinfer_status mxinfer_text_classifier_classify_pair(const mxinfer_text_classifier* classifier,
                                                                   const char* first, const char* second,
                                                                   int32_t top_k, mxinfer_classes** out);

/// Lists of them, of any lengths. With collect_errors, texts that are wrong are told by
/// mxinfer_classes_item_status and cost the others nothing; without, the first that is wrong fails the call.
/// Pair i is firsts[i] and seconds[i].
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
