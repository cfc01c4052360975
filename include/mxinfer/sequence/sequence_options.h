// SequenceOptions: how sequences of any length become the batches that a network takes.
//
//   mxinfer::SequenceOptions options;
//   options.buckets = {16, 32, 64};                     // a sequence of 20 runs as one of 32
//   options.pad_side = mxinfer::Side::left;             // the padding is in front of it
//   mxinfer::SequencePredictor predictor("sentiment", options);
//
// A field that you do not set comes from the model's file (docs/reference/signature-format.md, "sequence").
// If the file does not state it either, it has the default below.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/options.h>
#include <mxinfer/sequence/side.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What happens to a sequence that is longer than the largest bucket.
enum class TooLong {
  truncate,  ///< it is cut at SequenceOptions::truncate_side
  error,     ///< Error(invalid_argument)
};

/// A state of a recurrent network: the output of one call is the input of the next.
struct StateNames {
  std::string input;
  std::string output;
};

/// How sequences become batches.
struct SequenceOptions {
  /// Lengths in ascending order. A sequence runs at the smallest one that it fits into. Default: those of a
  /// bucketed model, or the one length that the network takes, or else none: a sequence runs at its own
  /// length.
  std::vector<std::int64_t> buckets{};
  std::optional<Side> pad_side{};       ///< default: right
  std::optional<double> pad_value{};    ///< the id or number of the padding; default: 0
  std::optional<TooLong> too_long{};    ///< default: truncate
  std::optional<Side> truncate_side{};  ///< which end is cut; default: right
  /// The input of the sequence. Default: the first one that is neither a state nor the length.
  std::string sequence_input{};
  /// The input of the length of each sequence, (N,), of any dtype. Default: an input that is called
  /// "valid_length" or "length" or ends in "_length", or that SequenceMask or a similar operator reads as
  /// lengths, or data2 of BERT as GluonNLP exports it. If there is none of these, there is no such input.
  std::string length_input{};
  /// Default: the inputs that are named as MXNet's cells name states, or that an RNN reads as its states, in
  /// order. They are paired with the last outputs of the graph, if the shapes are equal.
  std::vector<StateNames> states{};
  /// Whether outputs with a time axis as long as the bucket are cut to the length of the sequence.
  bool cut_outputs = true;
  /// The most sequences of one bucket that run as one batch.
  int max_batch = 32;
  Options options{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
