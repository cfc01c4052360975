// SequenceOptions: how sequences of any length become the batches that a network takes.
//
//   mxinfer::SequenceOptions options;
//   options.buckets = {16, 32, 64};                     // a sequence of 20 runs as one of 32
//   options.pad_side = mxinfer::Side::left;             // the padding stands in front of it
//   mxinfer::SequencePredictor predictor("sentiment", options);
//
// What is left open is what the model's file says (docs/how-to/signature.md, "sequence"), and what it leaves
// open as well is as stated at each field.
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

/// What becomes of a sequence that is longer than the largest bucket.
enum class TooLong {
  truncate,  ///< it loses what does not fit, at SequenceOptions::truncate_side
  error,     ///< Error(invalid_argument)
};

/// A state of a recurrent network: what the output gives, the input takes in the next call.
struct StateNames {
  std::string input;
  std::string output;
};

struct SequenceOptions {
  /// Lengths, rising. A sequence runs at the smallest that is not less than its length. Open: those of a
  /// bucketed model; the one length of a network that takes no other; otherwise none, and a sequence runs at
  /// its own length.
  std::vector<std::int64_t> buckets{};
  std::optional<Side> pad_side{};       ///< open: right
  std::optional<double> pad_value{};    ///< the id, or the number, of padding; open: 0
  std::optional<TooLong> too_long{};    ///< open: truncate
  std::optional<Side> truncate_side{};  ///< which end is cut off; open: right
  /// The input that takes the sequence. Open: the first one that is neither a state nor the length.
  std::string sequence_input{};
  /// The input that takes the length of each sequence, (N,), whatever its dtype. Open: one that is called
  /// "valid_length" or "length" or ends in "_length", or that SequenceMask and its like read as lengths, or
  /// data2 of BERT as GluonNLP exports it; otherwise none.
  std::string length_input{};
  /// Open: the inputs that are named as MXNet's cells name states, or that an RNN reads as its states, in
  /// order, with the last outputs of the graph, if their shapes are the same.
  std::vector<StateNames> states{};
  /// Outputs with an axis of time are cut to the sequence's length, where they are as long as the bucket.
  bool cut_outputs = true;
  /// So many sequences of one bucket run as one batch at most.
  int max_batch = 32;
  Options options{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
