// How a model was quantized, as its symbol file says it:
//
//   formats::write_quantization(graph, {"minmax", 500, ...});
//   formats::quantization_text(graph);             // {"version":1,"method":"minmax","samples":500, ...}
//
// It is the graph attribute "mxinfer_quantization", which every MXNet passes over;
// docs/how-to/quantization.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::formats {

inline constexpr const char* kQuantizationAttribute = "mxinfer_quantization";
inline constexpr int kQuantizationVersion = 1;

/// A layer that stays float32.
struct FloatLayer {
  std::string name, reason;
};

struct Quantization {
  std::string producer;              ///< "mxinfer 0.1.0"
  std::string method;                ///< "minmax", "entropy", "percentile"
  std::optional<double> percentile;  ///< of the method "percentile"
  std::int64_t samples = 0;
  double max_drop = 0;
  std::int64_t layers = 0;  ///< that compute with 8 bits
  std::vector<FloatLayer> float_layers;
  std::optional<double> top1_agreement, output_snr_db;
};

/// Stores it in the graph. Throws Error(invalid_argument) if a name is not UTF-8.
void write_quantization(graph::Graph& graph, const Quantization& quantization);

/// Adds to the layers that stayed float32 a note that says why. Passes over what it cannot read.
void note_float_layers(graph::Graph& graph, const std::string& quantization_text);

/// The JSON text of the attribute; empty if the graph has none, or what it has is not JSON.
std::string quantization_text(const graph::Graph& graph);

}  // namespace mxinfer::formats
