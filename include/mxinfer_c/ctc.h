// CTC decoding: from the scores of a network for each step of time to the labels that it read.
//
//   mxinfer_ctc_options options = {.struct_size = sizeof options, .characters = "0123456789"};
//   mxinfer_ctc_greedy(&steps, &options, &read);          // steps: (steps, classes)
//   mxinfer_ctc_sequence best = {sizeof best};
//   if (mxinfer_ctc_sequences_get(read, 0, 0, &best) == MXINFER_OK) puts(best.text);
//
// Any thread may call these functions. Results are for one thread at a time.
#ifndef MXINFER_C_CTC_H
#define MXINFER_C_CTC_H

#include <mxinfer_c/tensor.h>
#include <mxinfer_c/vocabulary.h>

/// What the scores are, and what to give. A member of 0 or NULL stands for the default that it names.
/// Functions take NULL for all zeros.
typedef struct mxinfer_ctc_options {
  size_t struct_size;
  const char* scores;      ///< "probabilities" (the default), "log_probabilities" or "logits"
  const char* layout;      ///< of rank 3: "ntc" (the default), (sequences, steps, classes), or "tnc"
  int32_t blank;           ///< the class that is the blank; -1: the last
  const int64_t* lengths;  ///< the steps of each sequence; 0 of them: all steps
  size_t length_count;
  /// Names of the classes: one for each class, or one for each but the blank. Give one of the three: texts,
  /// the characters of a text, or the words of a vocabulary. None of them: results have no text.
  const char* const* labels;
  size_t label_count;
  const char* characters;
  const mxinfer_vocabulary* vocabulary;
  int32_t beam_width;  ///< of mxinfer_ctc_beam_search: label sequences carried on, 1 to 65536; 0: 32
  int32_t best;        ///< of mxinfer_ctc_beam_search: how many to give of each sequence; 0: 1
} mxinfer_ctc_options;

/// One reading of a sequence.
typedef struct mxinfer_ctc_sequence {
  size_t struct_size;
  const int32_t* labels;  ///< classes, by their positions in the scores
  size_t label_count;
  const char* text;        ///< their names, one after another; "" without names
  double log_probability;  ///< the natural logarithm: of the best path, or of all paths that the beam carried
} mxinfer_ctc_sequence;

/// The readings of each sequence, best first.
typedef struct mxinfer_ctc_sequences mxinfer_ctc_sequences;

/// Return the number of sequences, and of the readings of one of them.
MXINFER_C_API size_t mxinfer_ctc_sequences_count(const mxinfer_ctc_sequences* sequences);
MXINFER_C_API size_t mxinfer_ctc_sequences_readings(const mxinfer_ctc_sequences* sequences, size_t sequence);
/// Writes a reading of a sequence to `out`. Labels and text live as long as `sequences`. Error:
/// MXINFER_INVALID_ARGUMENT for an index beyond the last.
MXINFER_C_API mxinfer_status mxinfer_ctc_sequences_get(const mxinfer_ctc_sequences* sequences,
                                                       size_t sequence, size_t reading,
                                                       mxinfer_ctc_sequence* out);
MXINFER_C_API void mxinfer_ctc_sequences_free(mxinfer_ctc_sequences* sequences);

/// Decode scores, float32 or float64, along the best path: one reading of each sequence; or by prefix beam
/// search: the `best` readings. Scores of rank 2, (steps, classes), are one sequence. Error:
/// MXINFER_INVALID_ARGUMENT for another rank or dtype, a blank that is not a class, scores that are not what
/// `scores` says, and lengths or labels that do not fit.
MXINFER_C_API mxinfer_status mxinfer_ctc_greedy(const mxinfer_tensor* scores,
                                                const mxinfer_ctc_options* options,
                                                mxinfer_ctc_sequences** out);
MXINFER_C_API mxinfer_status mxinfer_ctc_beam_search(const mxinfer_tensor* scores,
                                                     const mxinfer_ctc_options* options,
                                                     mxinfer_ctc_sequences** out);

#endif
