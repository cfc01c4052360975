// CTC decoding: from the scores that a network gives for each step of time (a column of an image, a piece of
// sound) to the labels that it read, for networks that were trained with connectionist temporal
// classification.
//
//   mxinfer::CtcOptions options;
//   options.labels = mxinfer::ctc_labels("abcdefghijklmnopqrstuvwxyz");  // the classes but the blank, in order
//   auto steps = predictor.predict({captcha});                           // (steps, classes)
//   std::cout << mxinfer::ctc_greedy(steps[0], options)[0].text;         // "haha"
//   for (const auto& read : mxinfer::ctc_beam_search(steps[0], options)[0]) std::cout << read.text << '\n';
//
// At each step the network chooses a label or the blank, which stands for no label. A path, one choice a
// step, is read by taking equal neighbours as one and leaving the blanks out: h h _ a a _ _ h a reads "haha".
// Many paths read the same, and the probability of a label sequence is the sum over all of its paths. Greedy
// decoding takes the best path; beam search adds up what paths with equal beginnings have, and so finds
// sequences that no single path makes the best.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/sequence/vocabulary.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What the numbers of a step are.
enum class CtcScores {
  probabilities,      ///< 0 to 1, behind a softmax; they may be rounded, and are not normalised again
  log_probabilities,  ///< their natural logarithms, behind a log_softmax
  logits,             ///< anything: a softmax over the classes makes probabilities of them
};

/// The order of the axes of a batch.
enum class CtcLayout {
  ntc,  ///< (sequences, steps, classes), as gluon.loss.CTCLoss by default
  tnc,  ///< (steps, sequences, classes), as the operator CTCLoss
};

struct CtcOptions {
  CtcScores scores = CtcScores::probabilities;
  /// Of scores of rank 3; those of rank 2 are one sequence, (steps, classes).
  CtcLayout layout = CtcLayout::ntc;
  /// The class that is the blank. MXNet's blank_label="first" is 0, "last" is -1, which counts from the end.
  int blank = 0;
  /// How many steps each sequence has, 0 to all of them; empty: all.
  std::vector<std::int64_t> lengths{};
  /// What the classes are called: one name for each class, or one for each but the blank. Empty: no text.
  std::vector<std::string> labels{};
};

struct CtcBeamOptions : CtcOptions {
  CtcBeamOptions() = default;
  CtcBeamOptions(const CtcOptions& options) : CtcOptions(options) {}
  /// So many label sequences are carried on from step to step, 1 to 65,536.
  int beam_width = 32;
  /// So many are given of each sequence, best first; fewer where there are no more. At least 1.
  int best = 1;
};

/// What a network read.
struct CtcSequence {
  /// The classes, by their positions in the scores: with the blank at 0 as with the blank at the end those by
  /// which MXNet's CTCLoss names them.
  std::vector<std::int32_t> labels{};
  /// Their names, one after another; empty without CtcOptions::labels.
  std::string text{};
  /// The natural logarithm of the probability: of the best path, or with beam search of all paths with
  /// these labels that the beam carried, which are all there are if the beam was never full.
  double log_probability = 0;
};

/// Decodes scores, float32 or float64, along the best path: one result for each sequence. Of equal scores the
/// first class is taken. A sequence of no steps reads nothing, with the probability 1. Errors
/// (invalid_argument): another rank or dtype, no classes, a blank that is no class, numbers that are not what
/// CtcOptions::scores says (NaN, an infinite one, a probability below 0 or above 1; -infinity is a
/// probability of 0), a step in which every class has the probability 0, lengths or labels that do not fit.
/// Thread-safe, as all functions here.
[[nodiscard]] MXINFER_API std::vector<CtcSequence> ctc_greedy(const TensorView& scores,
                                                              const CtcOptions& options = {});

/// Decodes by prefix beam search: for each sequence its label sequences, best first. The result is the same
/// in each run; of equally probable ones that which was found first comes first. Takes time for about steps *
/// (classes + beam_width * log(beam_width)), and memory for steps * beam_width labels. Errors as ctc_greedy,
/// and invalid_argument for a beam_width or a number of results outside of its limits.
[[nodiscard]] MXINFER_API std::vector<std::vector<CtcSequence>> ctc_beam_search(
    const TensorView& scores, const CtcBeamOptions& options = {});

/// Labels for CtcOptions::labels: each character (code point) of a text. Error(invalid_argument) if it is not
/// UTF-8.
[[nodiscard]] MXINFER_API std::vector<std::string> ctc_labels(std::string_view characters);
/// The words of a vocabulary, by their ids.
[[nodiscard]] MXINFER_API std::vector<std::string> ctc_labels(const Vocabulary& vocabulary);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
