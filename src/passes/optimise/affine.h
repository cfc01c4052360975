// Affine: what a batch norm, or arithmetic with one number, does at inference,
//
//   y = x * scale[c] + shift[c]
//
// with c the channel of x. What lies next to a product of constant weights goes into them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::passes {

struct Affine {
  /// One number for each channel, or one for all; both of one length.
  std::vector<double> scale{1.0};
  std::vector<double> shift{0.0};

  std::size_t channels() const { return scale.size(); }
  bool is_uniform() const { return channels() == 1; }
  double scale_of(std::size_t channel) const { return scale[is_uniform() ? 0 : channel]; }
  double shift_of(std::size_t channel) const { return shift[is_uniform() ? 0 : channel]; }
};

/// What a node does to input 0, channels being dimension `axis`; nothing if it is something else, its
/// statistics are not float32 parameters, or some number is not finite.
std::optional<Affine> affine_of(const graph::Graph& graph, const graph::Node& node, std::int64_t axis);

/// second(first(x)); nothing if both have channels, of different number.
std::optional<Affine> in_turn(const Affine& first, const Affine& second);

/// Input i of a node if it is a float32 parameter, nullptr otherwise.
const Parameter* float_parameter(const graph::Graph& graph, const graph::Node& node, std::size_t i);

/// The attribute num_group of a convolution whose weights have `size` rows for the groups to share; nothing
/// if they cannot be shared evenly, which inference refuses. What it gives is 1 to `size`.
std::optional<std::int64_t> groups_of(const graph::Node& node, std::int64_t size);

/// Adds a parameter to the graph and returns its value.
graph::Value append_parameter(graph::Graph& graph, std::string name, std::shared_ptr<const Parameter> value);
graph::Value append_parameter(graph::Graph& graph, std::string name, Tensor value);

}  // namespace mxinfer::passes
