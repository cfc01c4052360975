// Finds the scores of the last token of each sequence in a generator's output.
//
//   std::vector<float> scores;
//   const std::size_t V = last_scores(graph, signature, output, {rows, batch, length, columns}, scores);
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/generation/generator_graph.h"

namespace mxinfer::api {

/// The sizes of the network's input.
struct LastTokens {
  std::size_t rows = 0;      ///< sequences whose scores are needed, the first ones
  std::size_t batch = 0;     ///< all rows
  std::size_t length = 0;    ///< of each sequence
  std::int64_t columns = 0;  ///< tokens of each row, with padding
};

/// Sets `scores` to those of the rows, row by row, and returns the number per row. Throws
/// Error(invalid_argument) with the name of an output that does not hold scores of this many sequences or
/// tokens.
std::size_t last_scores(const GeneratorGraph& graph, const Signature& signature, const Tensor& output,
                        const LastTokens& last, std::vector<float>& scores);

}  // namespace mxinfer::api
