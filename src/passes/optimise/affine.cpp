#include "passes/optimise/affine.h"

#include <algorithm>
#include <cmath>

#include "graph/node_of.h"
#include "ops/op_def.h"

namespace mxinfer::passes {
namespace {

std::optional<Affine> of_batch_norm(const graph::Graph& graph, const graph::Node& node, std::int64_t axis) {
  if (node.attrs.integer("axis") != axis) return std::nullopt;
  std::shared_ptr<const Tensor> vectors[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const Parameter* vector = float_parameter(graph, node, i + 1);
    if (vector == nullptr) return std::nullopt;
    vectors[i] = vector->value();
    if (vectors[i]->shape() != vectors[0]->shape()) return std::nullopt;
  }
  const float *gamma = vectors[0]->data<float>(), *beta = vectors[1]->data<float>(),
              *mean = vectors[2]->data<float>(), *variance = vectors[3]->data<float>();
  const double eps = node.attrs.number("eps");
  const bool fix_gamma = node.attrs.flag("fix_gamma");
  Affine affine{{}, {}};
  for (std::int64_t c = 0; c < vectors[0]->elements(); ++c) {
    const double scale = (fix_gamma ? 1.0 : gamma[c]) / std::sqrt(variance[c] + eps);
    affine.scale.push_back(scale);
    affine.shift.push_back(beta[c] - mean[c] * scale);
  }
  return affine;
}

// The number as the operator reads it.
std::optional<Affine> of_scalar(const graph::Node& node) {
  const std::string& name = node.op->name;
  if (name != "_plus_scalar" && name != "_minus_scalar" && name != "_rminus_scalar" &&
      name != "_mul_scalar" && name != "_div_scalar")
    return std::nullopt;
  const double number = node.attrs.number32("scalar");
  if (name == "_plus_scalar") return Affine{{1.0}, {number}};
  if (name == "_minus_scalar") return Affine{{1.0}, {-number}};
  if (name == "_rminus_scalar") return Affine{{-1.0}, {number}};
  if (number == 0.0) return std::nullopt;  // what it makes of infinity would be lost
  return Affine{{name == "_mul_scalar" ? number : 1.0 / number}, {0.0}};
}

bool is_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

}  // namespace

std::optional<Affine> affine_of(const graph::Graph& graph, const graph::Node& node, std::int64_t axis) {
  if (node.op == nullptr || !node.post_ops.empty()) return std::nullopt;
  auto affine = node.op->name == "BatchNorm" ? of_batch_norm(graph, node, axis) : of_scalar(node);
  if (affine && !(is_finite(affine->scale) && is_finite(affine->shift))) affine.reset();
  return affine;
}

std::optional<Affine> in_turn(const Affine& first, const Affine& second) {
  if (!first.is_uniform() && !second.is_uniform() && first.channels() != second.channels())
    return std::nullopt;
  Affine both{{}, {}};
  for (std::size_t c = 0; c < std::max(first.channels(), second.channels()); ++c) {
    both.scale.push_back(first.scale_of(c) * second.scale_of(c));
    both.shift.push_back(first.shift_of(c) * second.scale_of(c) + second.shift_of(c));
  }
  return both;
}

const Parameter* float_parameter(const graph::Graph& graph, const graph::Node& node, std::size_t i) {
  if (i >= node.inputs.size()) return nullptr;
  const Parameter* parameter = node_of(graph, node.inputs[i]).constant.get();
  return parameter != nullptr && parameter->dtype() == DType::float32 ? parameter : nullptr;
}

std::optional<std::int64_t> groups_of(const graph::Node& node, std::int64_t size) {
  const std::int64_t groups = node.attrs.integer("num_group");
  if (size < 1 || groups < 1 || size % groups != 0) return std::nullopt;
  return groups;
}

graph::Value append_parameter(graph::Graph& graph, std::string name, std::shared_ptr<const Parameter> value) {
  graph::Node variable;
  variable.name = std::move(name);
  variable.constant = std::move(value);
  return {graph::append(graph, std::move(variable)), 0};
}

graph::Value append_parameter(graph::Graph& graph, std::string name, Tensor value) {
  return append_parameter(graph, std::move(name), make_parameter(std::move(value)));
}

}  // namespace mxinfer::passes
