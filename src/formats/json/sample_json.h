// A sample stored in a symbol file: arrays for the inputs, and the model's outputs at that time. A loader can
// run it to check that model, library and processor still agree.
//
//   formats::write_sample(graph, {{"data", image}}, {{"softmax_output", scores}});
//   if (const auto sample = formats::read_sample(graph)) sample->inputs[0].tensor ...
//
// It is the graph attribute "mxinfer_sample": JSON with the elements as base64;
// docs/reference/signature-format.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/arrays/named_array.h"
#include "graph/graph.h"

namespace mxinfer::formats {

inline constexpr const char* kSampleAttribute = "mxinfer_sample";
inline constexpr int kSampleVersion = 1;
/// What all arrays of a sample may have together.
inline constexpr std::int64_t kSampleByteLimit = std::int64_t{16} << 20;

struct Sample {
  std::vector<NamedArray> inputs;
  std::vector<NamedArray> outputs;
};

/// nullopt if the file has no sample. Throws Error(malformed) with the array and what was expected;
/// Error(unsupported) for an unknown version.
std::optional<Sample> read_sample(const graph::Graph& graph);

/// An array of a sample to store; the elements stay the caller's.
struct SampleArray {
  std::string name;
  TensorView tensor;
};

/// Stores the sample in the graph, replacing an existing one. Throws Error(invalid_argument) if the arrays
/// have more than kSampleByteLimit bytes together, a name is there twice or is not UTF-8.
void write_sample(graph::Graph& graph, const std::vector<SampleArray>& inputs,
                  const std::vector<SampleArray>& outputs);

}  // namespace mxinfer::formats
