#include "load/fitting_arrays.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/recurrent/rnn_layout.h"
#include "ops/op_def.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

constexpr std::int64_t kFree = -1;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Shape convolution_weight(const Node& node) {
  const bool transposed = node.op->name == "Deconvolution";
  const std::int64_t filters = node.attrs.integer("num_filter");
  const std::int64_t groups = std::max<std::int64_t>(1, node.attrs.integer("num_group"));
  Shape shape{transposed ? kFree : filters, transposed ? filters / groups : kFree};
  for (const std::int64_t size : node.attrs.tuple("kernel")) shape.push_back(size);
  return ops::in_layout(node.attrs, shape);
}

// The parameter's shape by the node's attributes, with kFree for sizes that they leave free.
std::optional<Shape> stated_shape(const Node& node, std::string_view port) {
  const std::string_view op = node.op->name;
  if (is_one_of(op, {"Convolution", "Deconvolution"})) {
    return port == "bias" ? Shape{node.attrs.integer("num_filter")} : convolution_weight(node);
  }
  if (op == "FullyConnected") {
    const std::int64_t hidden = node.attrs.integer("num_hidden");
    return port == "bias" ? Shape{hidden} : Shape{hidden, kFree};
  }
  if (op == "Embedding") return Shape{node.attrs.integer("input_dim"), node.attrs.integer("output_dim")};
  return std::nullopt;
}

// All parameters of a normalization have the same shape.
std::optional<Shape> shape_of_siblings(const Graph& graph, const Node& node) {
  if (!is_one_of(node.op->name, {"BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm"})) return std::nullopt;
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const Node& variable = graph.nodes[static_cast<std::size_t>(node.inputs[i].node)];
    if (variable.constant) return variable.constant->shape();
  }
  return Shape{kFree};
}

// The size of an RNN's packed array is linear in the elements of a step.
bool fits_rnn(const Node& node, std::int64_t elements) {
  try {
    const std::int64_t smallest = ops::rnn_layout(node.attrs, 1).elements;
    const std::int64_t more = ops::rnn_layout(node.attrs, 2).elements - smallest;
    return elements >= smallest && (elements - smallest) % more == 0;
  } catch (const Error&) {
    return false;
  }
}

bool is_concrete(const Shape& shape) {
  return std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size >= 0; });
}

bool could_be(const Shape& stated, const Shape& given) {
  return mxinfer::fits(stated, given) || (is_concrete(stated) && stated.elements() == given.elements());
}

std::size_t common_end(std::string_view a, std::string_view b) {
  const auto differing = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  return static_cast<std::size_t>(differing.first - a.rbegin());
}

}  // namespace

std::vector<std::string> fitting_arrays(const Graph& graph, const Node& node, std::string_view port,
                                        const std::string& name,
                                        const std::vector<formats::NamedParameter>& unused) {
  std::vector<std::string> texts;
  if (node.op == nullptr) return texts;
  const bool is_rnn = node.op->name == "RNN" && port == "parameters";
  std::optional<Shape> stated = stated_shape(node, port);
  if (!stated) stated = shape_of_siblings(graph, node);
  if (!is_rnn && !stated) return texts;
  std::vector<const formats::NamedParameter*> fitting;
  for (const formats::NamedParameter& array : unused) {
    const Shape& shape = array.value->shape();
    if (is_rnn ? fits_rnn(node, shape.elements()) : could_be(*stated, shape)) fitting.push_back(&array);
  }
  std::stable_sort(fitting.begin(), fitting.end(), [&](const auto* a, const auto* b) {
    return common_end(a->name, name) > common_end(b->name, name);
  });
  for (const auto* array : fitting) {
    texts.push_back(concat("'", printable(array->name), "' ", to_string(array->value->dtype()), " ",
                           to_string(array->value->shape())));
  }
  return texts;
}

}  // namespace mxinfer::api
