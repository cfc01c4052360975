// Finds the outputs' axes of samples and times: those whose sizes change with the batch and with the length
// of the sequences, by inferring types for two of each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "graph/graph.h"
#include "sequence/sequence_layout.h"

namespace mxinfer::api {

/// The types of the outputs for a batch and a length; nullopt if the network rejects them.
using InferHeads =
    FunctionRef<std::optional<std::vector<ops::TensorType>>(std::int64_t batch, std::int64_t length)>;

/// By output: whether its values depend on any input.
std::vector<bool> follow_from_inputs(const graph::Graph& graph);

/// Sets the axes of SequenceLayout::outputs; and batch to 1 where an output mixes the samples of a batch, as
/// (N * T, C) and a sum over the samples do, or the network takes no batch of another size. `follows` is what
/// follow_from_inputs() gives. `lengths` are some that the network takes;
/// with fewer than two an output has an axis of time only where its descriptor's layout says so.
void find_output_axes(InferHeads infer, const std::vector<std::int64_t>& lengths,
                      const std::vector<DataDesc>& descs, const std::vector<bool>& follows,
                      SequenceLayout& layout);

}  // namespace mxinfer::api
