// Writes bundles: the graphs of a model, their parameters and labels in one file; docs/how-to/bundle.md
// describes it.
//
//   write_bundle("digits.mxz", {.graphs = {{"prediction", symbol_json}}, .params = bytes, .labels =
//   "zero\n"});
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "formats/archive/packed_index.h"

namespace mxinfer::formats {

/// The name of the graph that a bundle of one graph has.
inline constexpr const char* kPredictionGraph = "prediction";

/// Weights packed for one target and precision.
struct PackedToWrite {
  PackedIndex index;                         ///< but for `data` and offsets, which write_bundle sets
  std::vector<Span<const std::byte>> bytes;  ///< of each weight of the index
};

struct BundleToWrite {
  std::map<std::string, std::string> graphs{};  ///< text of symbol files by name
  std::string default_graph = kPredictionGraph;
  Span<const std::byte> params{};  ///< of all graphs together; empty if they have none
  std::string labels{};            ///< the text of synset.txt; empty if there are none
  std::vector<PackedToWrite> packed{};
};

/// Throws Error(invalid_argument) for a graph's name that is not a file name of letters, digits, '-', '_' and
/// '.'.
void check_graph_name(const std::string& name);

/// Replaces the file atomically. The same contents give the same bytes. Throws Error(invalid_argument) for
/// graphs that are not named so, or lack the default, and if the file cannot be written.
void write_bundle(const std::string& path, const BundleToWrite& bundle);

}  // namespace mxinfer::formats
