// CTC decoding: turns the scores that a network gives for each time step (a column of an image, a piece of
// sound) into labels. It is for networks that were trained with connectionist temporal classification.
//
//   mxinfer::CtcOptions options;
//   options.labels = mxinfer::ctc_labels("abcdefghijklmnopqrstuvwxyz");  // the classes without the blank
//   auto steps = predictor.predict({captcha});                           // (steps, classes)
//   std::cout << mxinfer::ctc_greedy(steps[0], options)[0].text;         // "haha"
//   for (const auto& read : mxinfer::ctc_beam_search(steps[0], options)[0]) std::cout << read.text << '\n';
//
// At each step the network chooses a label or the blank, which stands for no label. A path is one choice per
// step. To read a path, merge equal neighbours and remove the blanks: h h _ a a _ _ h a reads "haha". Many
// paths read the same, and the probability of a label sequence is the sum over all of its paths. Greedy
// decoding takes the best path. Beam search adds up paths that begin with the same labels. It therefore finds
// sequences whose paths are likely together, even if none of them is the best path.
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
  probabilities,      ///< 0 to 1, after a softmax; they may be rounded, and are not normalised again
  log_probabilities,  ///< natural logarithms, after a log_softmax
  logits,             ///< any numbers: a softmax over the classes turns them into probabilities
};

/// The order of the axes of a batch.
enum class CtcLayout {
  ntc,  ///< (sequences, steps, classes), the default of gluon.loss.CTCLoss
  tnc,  ///< (steps, sequences, classes), as in the operator CTCLoss
};

/// What the scores mean.
struct CtcOptions {
  CtcScores scores = CtcScores::probabilities;
  /// The layout of scores of rank 3. Scores of rank 2 are one sequence, (steps, classes).
  CtcLayout layout = CtcLayout::ntc;
  /// The class of the blank. MXNet's blank_label="first" is 0; "last" is -1, which counts from the end.
  int blank = 0;
  /// How many steps each sequence has, 0 to all of them. Empty: all.
  std::vector<std::int64_t> lengths{};
  /// The names of the classes: one for each class, or one for each class but the blank. Empty: results have
  /// no text.
  std::vector<std::string> labels{};
};

/// Options of ctc_beam_search().
struct CtcBeamOptions : CtcOptions {
  CtcBeamOptions() = default;
  CtcBeamOptions(const CtcOptions& options) : CtcOptions(options) {}
  /// How many label sequences are kept from step to step, 1 to 65,536.
  int beam_width = 32;
  /// The most results for each sequence, best first. At least 1.
  int best = 1;
};

/// What a network read.
struct CtcSequence {
  /// The classes, by their positions in the scores. These are the numbers that MXNet's CTCLoss gives the
  /// labels, for a blank at 0 and for one at the end.
  std::vector<std::int32_t> labels{};
  /// The names of the labels, concatenated. Empty without CtcOptions::labels.
  std::string text{};
  /// The natural logarithm of the probability. For greedy decoding it is that of the best path. For beam
  /// search it is that of all paths with these labels that the beam kept; these are all paths if the beam was
  /// never full.
  double log_probability = 0;
};

/// Decodes float32 or float64 scores along the best path and returns one result for each sequence. Of equal
/// scores, the first class is taken. A sequence without steps reads nothing, with a probability of 1.
///
/// Throws Error(invalid_argument) if:
/// - the rank or dtype is another, or there are no classes
/// - the blank is not a class, or lengths or labels do not fit
/// - a number is not what CtcOptions::scores says: it is NaN, infinite, or a probability outside 0 to 1. A
///   log-probability of -infinity is allowed: it is a probability of 0.
/// - every class of a step has the probability 0
///
/// Thread-safe, as are all functions here.
[[nodiscard]] MXINFER_API std::vector<CtcSequence> ctc_greedy(const TensorView& scores,
                                                              const CtcOptions& options = {});

/// Decodes by prefix beam search and returns the label sequences of each sequence, best first. The result is
/// the same in every run; equally probable ones are in the order in which they were found. Takes time
/// proportional to about steps * (classes + beam_width * log(beam_width)), and memory for steps * beam_width
/// labels. Throws as ctc_greedy, and Error(invalid_argument) if beam_width or best is out of its range.
[[nodiscard]] MXINFER_API std::vector<std::vector<CtcSequence>> ctc_beam_search(
    const TensorView& scores, const CtcBeamOptions& options = {});

/// Returns labels for CtcOptions::labels: each character (code point) of a text. Throws
/// Error(invalid_argument) if the text is not UTF-8.
[[nodiscard]] MXINFER_API std::vector<std::string> ctc_labels(std::string_view characters);
/// Returns the words of a vocabulary, by their ids.
[[nodiscard]] MXINFER_API std::vector<std::string> ctc_labels(const Vocabulary& vocabulary);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
