// Arithmetic in front of a product of constant weights: sum w (x s + t) = sum (w s) x + sum w t.
#include <algorithm>
#include <cmath>

#include "graph/node_of.h"
#include "ops/op_def.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using Uses = std::vector<std::vector<int>>;

/// What a node reads without the arithmetic in front of it, and what that was.
struct Ahead {
  Value data;
  Affine affine;
  std::vector<std::string> names;
};

/// Only its first output is read, and that once.
bool is_read_once(const Uses& uses, Value value) {
  const auto& counts = uses[static_cast<std::size_t>(value.node)];
  return value.index == 0 && counts[0] == 1 &&
         std::all_of(counts.begin() + 1, counts.end(), [](int count) { return count == 0; });
}

/// Walks back from `data`, over nodes that bring rows into one row too if `flattens`. Weights have room
/// for `channels` channels, or a multiple of them if `flattens`.
Ahead walk_back(const Graph& graph, const Uses& uses, Value data, std::int64_t axis, std::int64_t channels,
                bool flattens) {
  Ahead ahead{data, {}, {}};
  while (is_read_once(uses, data)) {
    const Node& node = node_of(graph, data);
    if (node.op == nullptr || node.inputs.empty()) break;
    if (flattens && node.op->name == "Flatten" && node.post_ops.empty()) {
      data = node.inputs[0];
      continue;
    }
    const auto own = affine_of(graph, node, axis);
    if (!own) break;
    const auto count = static_cast<std::int64_t>(own->channels());
    const bool fits =
        own->is_uniform() || count == channels || (flattens && count > 0 && channels % count == 0);
    const auto both = fits ? in_turn(*own, ahead.affine) : std::nullopt;
    if (!both) break;
    data = node.inputs[0];
    ahead.data = data;
    ahead.affine = *both;
    ahead.names.push_back(node.name);
  }
  return ahead;
}

/// Weights are [filters][channels of the group][inner]; channel c of the affine function belongs to
/// `repeat` of these in a row.
struct Weights {
  const Parameter* weight;
  std::int64_t group_filters, group_channels, inner, repeat;
};

/// The weights times the scales, and what the shifts add to each filter.
Tensor folded(const Weights& w, const Affine& affine, std::vector<double>& added) {
  Tensor result = Tensor::uninitialized(DType::float32, w.weight->shape());
  const auto weight = w.weight->value();
  const float* from = weight->data<float>();
  float* to = result.data<float>();
  for (std::size_t m = 0; m < added.size(); ++m) {
    const std::int64_t first = static_cast<std::int64_t>(m) / w.group_filters * w.group_channels;
    for (std::int64_t c = 0; c < w.group_channels; ++c) {
      const auto channel = static_cast<std::size_t>((first + c) / w.repeat);
      const double scale = affine.scale_of(channel);
      double sum = 0;
      for (std::int64_t k = 0; k < w.inner; ++k, ++from, ++to) {
        sum += *from;
        *to = static_cast<float>(*from * scale);
      }
      added[m] += sum * affine.shift_of(channel);
    }
  }
  return result;
}

/// What x is where x * scale + shift is 0: the arithmetic in front of padding, seen from behind. Nothing
/// if there is no such number, or one so large that nothing else would be left of a sum.
std::optional<Tensor> border_of(const Affine& affine, std::int64_t channels) {
  constexpr double kLargest = 1e4;
  Tensor border = Tensor::uninitialized(DType::float32, {channels});
  for (std::int64_t c = 0; c < channels; ++c) {
    const auto channel = static_cast<std::size_t>(c);
    const double shift = affine.shift_of(channel);
    const double value = shift == 0 ? 0 : -shift / affine.scale_of(channel);
    if (!(std::abs(value) <= kLargest)) return std::nullopt;
    border.data<float>()[c] = static_cast<float>(value);
  }
  return border;
}

bool shifts(const Affine& affine) {
  return std::any_of(affine.shift.begin(), affine.shift.end(), [](double shift) { return shift != 0; });
}

/// Gives the node what it is without the arithmetic. Inputs behind weight and bias stay.
void replace(Graph& graph, std::size_t id, const Ahead& ahead, const Weights& weights, const Parameter* bias,
             std::optional<Tensor> border) {
  std::vector<double> added(static_cast<std::size_t>(weights.weight->shape()[0]));
  Tensor new_weight = folded(weights, ahead.affine, added);
  Tensor new_bias = Tensor::uninitialized(DType::float32, {weights.weight->shape()[0]});
  const auto old_bias = bias != nullptr ? bias->value() : nullptr;
  for (std::size_t m = 0; m < added.size(); ++m) {
    const double old = bias != nullptr ? old_bias->data<float>()[m] : 0.0;
    new_bias.data<float>()[m] = static_cast<float>(old + added[m]);
  }
  Node node = graph.nodes[id];
  std::vector<Value> inputs{ahead.data,
                            append_parameter(graph, node.name + "_scaled_weight", std::move(new_weight)),
                            append_parameter(graph, node.name + "_shifted_bias", std::move(new_bias))};
  if (border) {
    inputs.push_back(append_parameter(graph, node.name + "_border", std::move(*border)));
    node.attrs.set("border", true);
  }
  inputs.insert(inputs.end(), node.inputs.begin() + (bias != nullptr ? 3 : 2), node.inputs.end());
  node.inputs = std::move(inputs);
  node.attrs.set("no_bias", false);
  for (const std::string& name : ahead.names) node.notes.push_back("'" + name + "' in front folded in");
  graph.nodes[id] = std::move(node);
}

/// Weight and bias, if both are parameters that belong together.
bool has_weights(const Graph& graph, const Node& node, const Parameter** weight, const Parameter** bias) {
  *weight = float_parameter(graph, node, 1);
  *bias = node.attrs.flag("no_bias") ? nullptr : float_parameter(graph, node, 2);
  if (*weight == nullptr || (*weight)->shape().rank() < 2 || (*weight)->elements() == 0) return false;
  return node.attrs.flag("no_bias") || (*bias != nullptr && (*bias)->elements() == (*weight)->shape()[0]);
}

void fold_into_product(Graph& graph, const Uses& uses, std::size_t id) {
  const Node& node = graph.nodes[id];
  const Parameter *weight, *bias;
  if (!has_weights(graph, node, &weight, &bias) || weight->shape().rank() != 2) return;
  const std::int64_t columns = weight->shape()[1];
  // Without flatten the columns are the last dimension of the data, whichever that is.
  const bool flattens = node.attrs.flag("flatten");
  const Ahead ahead = walk_back(graph, uses, node.inputs[0], flattens ? 1 : -1, columns, flattens);
  if (ahead.names.empty()) return;
  const std::int64_t repeat =
      ahead.affine.is_uniform() ? 1 : columns / static_cast<std::int64_t>(ahead.affine.channels());
  replace(graph, id, ahead, {weight, weight->shape()[0], columns, 1, repeat}, bias, std::nullopt);
}

void fold_into_convolution(Graph& graph, const Uses& uses, std::size_t id) {
  const Node& node = graph.nodes[id];
  const Parameter *weight, *bias;
  if (!has_weights(graph, node, &weight, &bias) || node.attrs.flag("border")) return;
  const Shape& shape = weight->shape();
  const auto given = groups_of(node, shape[0]);
  if (!given) return;
  const std::int64_t groups = *given, channels = shape[1] * groups;
  const std::int64_t axis = node.attrs.flag("planes") ? 1 : static_cast<std::int64_t>(shape.rank()) - 1;
  const Ahead ahead = walk_back(graph, uses, node.inputs[0], axis, channels, false);
  if (ahead.names.empty()) return;
  const auto pad = node.attrs.tuple("pad");
  const bool pads = std::any_of(pad.begin(), pad.end(), [](std::int64_t size) { return size != 0; });
  std::optional<Tensor> border;
  if (pads && shifts(ahead.affine)) {
    // Of the kernels, the one of a filter for each channel knows no border.
    if (shape[1] == 1 && groups > 1) return;
    border = border_of(ahead.affine, channels);
    if (!border) return;
  }
  replace(graph, id, ahead, {weight, shape[0] / groups, shape[1], shape.elements(2, shape.rank()), 1}, bias,
          std::move(border));
}

template <typename Fold>
void fold_all(Graph& graph, const char* op_name, const Fold& fold) {
  const Uses uses = graph::count_uses(graph);
  for (std::size_t id = 0; id < uses.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.op != nullptr && node.op->name == op_name && !node.inputs.empty()) fold(graph, uses, id);
  }
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace

// BatchNorm on channels or arithmetic with one number in front of FullyConnected: it goes into weight and
// bias. weight'[o][c] = weight[o][c] * s[c], bias'[o] = bias[o] + sum over c of weight[o][c] * t[c].
void fold_ahead_of_products(Graph& graph, const Goal& /*goal*/) {
  fold_all(graph, "FullyConnected", fold_into_product);
}

// Behind channels_last: the same in front of convolutions. Padding then holds what the arithmetic would make
// 0 of, and the convolution is given that, for each channel, as its border.
void fold_ahead_of_convolutions(Graph& graph, const Goal& /*goal*/) {
  fold_all(graph, "_mxinfer_convolution_nhwc", fold_into_convolution);
}

}  // namespace mxinfer::passes
