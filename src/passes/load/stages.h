// The stages of an end-to-end model: what each input goes through before it joins a batch, and the rest.
//
//   data ── resize ── to_tensor ── normalize ──|batchify|── network ──|no-op|── top_k
//           an ItemStage, once for each image            `rest`, once for the batch
//
// The boundaries are marked by connectors, identity nodes that carry __mxinfer_connector__
// (docs/reference/signature-format.md), or are recognised: image operators in front of a network, as Gluon
// exports them, and GluonCV's arithmetic. Columns of a table that are joined to an input, and texts that
// become ids, are no item stage: their batch goes through at once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::passes {

/// Where the transforms of an input end: everything behind `value` is the network's.
struct InputBoundary {
  graph::Value value;
  std::vector<std::int32_t> variables;  ///< the nodes of the free variables that it follows from
  bool joins_columns = false;           ///< of a table: they may be several, and a batch goes through at once
  std::size_t index = 0;                ///< which input of the bare network it stands for
  std::string name;                     ///< that input's name
  bool is_text = false;                 ///< of texts, which become ids; joins_columns is set too
};

/// Where the network ends: `value` is its output `index`, and everything behind it is post-processing.
struct OutputBoundary {
  graph::Value value;
  std::size_t index = 0;
};

/// Both lists by index.
struct Boundaries {
  std::vector<InputBoundary> inputs;
  std::vector<OutputBoundary> network_outputs;  ///< empty: the bare network's outputs are the graph's
  bool empty() const { return inputs.empty() && network_outputs.empty(); }
};

/// Finds the boundaries of a graph with parameters bound. Throws Error(malformed) for connectors that
/// contradict each other, naming the nodes.
Boundaries find_boundaries(const graph::Graph& graph);

/// Numbers the free variables (Node::input_index): those that boundaries have become at their index, the
/// others in order in the places between. Without boundaries: in order.
void number_inputs(graph::Graph& graph, const Boundaries& boundaries);

/// Leaves off everything in front of the boundaries of inputs, whose nodes become free variables. The name of
/// an input that is read around them; empty if none is.
std::string cut_inputs(graph::Graph& graph, const Boundaries& boundaries);

/// Leaves off everything in front of and behind the network; number_inputs with the same boundaries then
/// gives the bare network's order. Throws Error(unsupported) if the network reads an input around its
/// transforms, Error(malformed) if connectors of outputs are missing.
void remove_transforms(graph::Graph& graph, const Boundaries& boundaries);

/// How the first node of an input makes an image of bytes.
struct ImageReader {
  bool from_path = false;  ///< the bytes are a path, not the file itself
  bool color = true;
  bool rgb = true;
};

/// What one input goes through, item by item.
struct ItemStage {
  std::string input;       ///< the name of the model's input
  std::string rest_input;  ///< the name of the input of `rest` that takes the batch
  std::optional<ImageReader> reader;
  graph::Graph graph;       ///< one input, one head; behind the reader, if there is one
  bool resizes = false;     ///< images of any size come out in one
  bool normalizes = false;  ///< it does arithmetic on pixels
};

struct Stages {
  std::vector<ItemStage> items;  ///< by order of the boundaries
  graph::Graph rest;             ///< the network and what is behind it
};

/// Cuts a graph at the boundaries of its inputs; nothing if it has none, or if an input is read around
/// its transforms, so that items cannot be treated one by one. What joins columns stays in the rest.
std::optional<Stages> split_stages(const graph::Graph& graph, const Boundaries& boundaries);

/// The items' graphs and the rest as one graph again. Precondition: no stage has a reader.
graph::Graph join_stages(const Stages& stages);

}  // namespace mxinfer::passes
