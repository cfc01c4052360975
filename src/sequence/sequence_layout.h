// SequenceLayout: how a network takes sequences: which inputs take sequences, lengths and states, and the
// axes of samples and time of inputs and outputs.
//
//   SequenceLayout layout = sequence_layout(networks, options);
//   layout.inputs[layout.sequence].axes.time;          // 1 of (N, T), 0 of (T, N, C)
//   layout.outputs[0].axes.time;                       // to be cut along it
#pragma once

#include <mxinfer/sequence/sequence_options.h>
#include <mxinfer/signature.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/tensor_type.h"
#include "sequence/batch_rows.h"

namespace mxinfer::api {

/// A network. Its graph must outlive all references to it.
struct SequenceNetwork {
  const graph::Graph* graph = nullptr;
  std::vector<DataDesc> inputs{};  ///< with sizes that were guessed left open
  std::vector<DataDesc> outputs{};
  std::vector<bool> declared{};  ///< by input: its shape was stated, and is no advice; may be empty
  std::int64_t length = 0;       ///< its length; 0 if only the network determines the lengths it accepts
  std::string name{};            ///< for errors
};

enum class SequenceRole {
  sequence,  ///< takes the sequence
  beside,    ///< has an axis of time too, such as the segments of tokens
  length,    ///< takes the length of each sequence
  state,     ///< takes a state of the recurrent network
  other,     ///< has one value for each sequence
};

struct SequenceInput {
  std::string name;
  SequenceRole role = SequenceRole::other;
  DType dtype = DType::float32;
  Shape shape{};  ///< as far as known; -1 is the batch, the time, or unknown
  Axes axes{};
  std::optional<std::int64_t> rows{};  ///< of the Embedding that reads it
};

struct SequenceOutput {
  std::string name;
  DType dtype = DType::float32;
  Axes axes{};
};

/// A state by the indices of its input and its output.
struct StatePair {
  std::size_t input = 0;
  std::size_t output = 0;
};

struct SequenceLayout {
  std::vector<SequenceInput> inputs;
  std::vector<SequenceOutput> outputs;
  std::size_t sequence = 0;
  std::optional<std::size_t> length{};
  /// The states that have an output.
  std::vector<StatePair> states{};
  /// The lengths that may run, ascending; empty means any.
  std::vector<std::int64_t> buckets{};
  /// The network accepts only the lengths of the buckets.
  bool fixed_lengths = false;
  std::int64_t known_length = 1;  ///< a length that it accepts
  /// The number of sequences that each batch must have; 1 also where an output mixes samples.
  std::optional<std::int64_t> batch{};
};

/// The layout of one network, or of those of all buckets by ascending length, whose inputs and outputs have
/// the same names. Infers types, computes nothing. Throws Error(invalid_argument) for options that do not
/// fit, and if the shape of a sequence does not follow from the network.
SequenceLayout sequence_layout(const std::vector<SequenceNetwork>& networks, const SequenceOptions& options);

/// The types of all inputs for a batch of this many sequences of that length. Throws Error(invalid_argument)
/// with the name of an input whose shape cannot be inferred.
std::vector<ops::TensorType> batch_types(const SequenceNetwork& network, const SequenceLayout& layout,
                                         std::int64_t batch, std::int64_t length);

}  // namespace mxinfer::api
