// CTC decoding: turns the scores that a network returns for each time step into the labels that it read.
//
//   mxinfer_ctc_options options = {.struct_size = sizeof options, .characters = "0123456789"};
//   mxinfer_ctc_greedy(&steps, &options, &read);          // steps: (steps, classes)
//   mxinfer_ctc_sequence best = {sizeof best};
//   if (mxinfer_ctc_sequences_get(read, 0, 0, &best) == MXINFER_OK) puts(best.text);
//
// Any thread may call these functions. Use results on one thread at a time.
#ifndef MXINFER_C_CTC_H
#define MXINFER_C_CTC_H

#include <mxinfer_c/tensor.h>
#include <mxinfer_c/vocabulary.h>

/// What the scores are, and what to return. A member that is 0 or NULL has the default that its comment
/// names. Functions accept NULL, which means all zeros.
typedef struct mxinfer_ctc_options {
  size_t struct_size;
  const char* scores;      ///< "probabilities" (the default), "log_probabilities" or "logits"
  const char* layout;      ///< of rank 3: "ntc" (the default), (sequences, steps, classes), or "tnc"
  int32_t blank;           ///< the class that is the blank; -1: the last
  const int64_t* lengths;  ///< the steps of each sequence; 0 of them: all steps
  size_t length_count;
  /// Names of the classes: one for each class, or one for each but the blank. Set one of the three: texts,
  /// the characters of a text, or the words of a vocabulary. If none is set, results have no text.
  const char* const* labels;
  size_t label_count;
  const char* characters;
  const mxinfer_vocabulary* vocabulary;
  int32_t beam_width;  ///< for mxinfer_ctc_beam_search: label sequences to keep, 1 to 65536; 0: 32
  int32_t best;        ///< for mxinfer_ctc_beam_search: results of each sequence; 0: 1
} mxinfer_ctc_options;

/// One reading of a sequence.
typedef struct mxinfer_ctc_sequence {
  size_t struct_size;
  const int32_t* labels;  ///< classes, by their positions in the scores
  size_t label_count;
  const char* text;        ///< their names, concatenated; "" without names
  double log_probability;  ///< natural logarithm: of the best path, or of all paths that the beam kept
} mxinfer_ctc_sequence;

/// The readings of each sequence, best first.
typedef struct mxinfer_ctc_sequences mxinfer_ctc_sequences;

/// Return the number of sequences, and the number of readings of one sequence.
MXINFER_C_API size_t mxinfer_ctc_sequences_count(const mxinfer_ctc_sequences* sequences);
MXINFER_C_API size_t mxinfer_ctc_sequences_readings(const mxinfer_ctc_sequences* sequences, size_t sequence);
/// Writes a reading of a sequence to `out`. Labels and text live as long as `sequences`. Error:
/// MXINFER_INVALID_ARGUMENT if the index is out of range.
MXINFER_C_API mxinfer_status mxinfer_ctc_sequences_get(const mxinfer_ctc_sequences* sequences,
                                                       size_t sequence, size_t reading,
                                                       mxinfer_ctc_sequence* out);
MXINFER_C_API void mxinfer_ctc_sequences_free(mxinfer_ctc_sequences* sequences);

/// Decode float32 or float64 scores along the best path, which gives one reading of each sequence, or by
/// prefix beam search, which gives the `best` readings. Scores of rank 2, (steps, classes), are one sequence.
/// Error: MXINFER_INVALID_ARGUMENT if the rank or dtype is another, the blank is not a class, the numbers are
/// not what `scores` says, or lengths or labels do not fit.
MXINFER_C_API mxinfer_status mxinfer_ctc_greedy(const mxinfer_tensor* scores,
                                                const mxinfer_ctc_options* options,
                                                mxinfer_ctc_sequences** out);
MXINFER_C_API mxinfer_status mxinfer_ctc_beam_search(const mxinfer_tensor* scores,
                                                     const mxinfer_ctc_options* options,
                                                     mxinfer_ctc_sequences** out);

#endif
