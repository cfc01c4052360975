// Narrow values: which values of float32 are kept in 16 bits between products (convolutions, GEMMs). The one
// decision, for CPUs (passes/optimise/lower_precision.cpp) and for plans of GPUs
// (plan/lower/stored_halves.h): they say what the kernels of each node take, and make of the answer what they
// need.
//
//   std::vector<NarrowNode> nodes(graph.nodes.size());
//   nodes[id] = {HalfForm::product, .writes_narrow = true, .writes_wide = true, .inputs = {NarrowInput::data}};
//   if (narrow_values(graph, nodes, is_large)[id].writes) ...      // node id writes 16 bits
//
//   - A product that takes 16 bits reads them, and writes them if another product reads its result, at once or
//     through nodes that follow, or if it writes what it reads.
//   - A node follows if it takes 16 bits, a product reads its result, at once or through others that follow,
//     and it reads a value that is narrow, or a parameter that is packed so. One whose result products alone
//     read follows in any case, unless it has one type, as they round their operands anyway.
//   - A node does not follow if its results may be beyond the range of the 16 bits, nor does a product that
//     adds such values.
#pragma once

#include <cstdint>
#include <vector>

#include "base/function_ref.h"
#include "graph/graph.h"
#include "ops/half_form.h"

namespace mxinfer::ops {

enum class NarrowInput : std::uint8_t {
  wide,    ///< read as float32, or not a value of floats
  data,    ///< may be narrow
  addend,  ///< likewise, but a product adds it to its sums and does not round it anyway
  shape,   ///< only its shape is read, of any type
};

/// What the kernels of a node take.
struct NarrowNode {
  HalfForm form = HalfForm::none;
  bool writes_narrow = false;         ///< they read data in 16 bits, and write it so
  bool writes_wide = false;           ///< of a product: they read data in 16 bits, and write float32
  bool reads_packed = false;          ///< a parameter is data, and packed in 16 bits
  std::vector<NarrowInput> inputs{};  ///< those left out are wide
  std::vector<bool> outputs{};        ///< which are of float32; empty: all
};

struct NarrowDecision {
  bool reads = false;     ///< its data: a product all of it, another node what is narrow
  bool writes = false;    ///< its outputs of float32 are narrow
  bool is_large = false;  ///< it stays float32 because of the range
};

/// Whether the results of a node may be beyond the range; `input_is_large` says so of its inputs.
using IsLarge = FunctionRef<bool(std::size_t id, FunctionRef<bool(std::size_t input)> input_is_large)>;

/// By node. `nodes` has one for each of the graph; those without a form neither read nor write narrow values.
std::vector<NarrowDecision> narrow_values(const graph::Graph& graph, const std::vector<NarrowNode>& nodes,
                                          IsLarge is_large);

}  // namespace mxinfer::ops
