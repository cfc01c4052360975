#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "graph/redirects.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/as_float32.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;

bool is_op(const Node& node, std::string_view name) {
  return node.op != nullptr && node.op->name == name;
}

bool is_amp(const Node& node) {
  return is_op(node, "amp_cast") || is_op(node, "amp_multicast");
}

bool is_short_float(DType dtype) {
  return dtype == DType::float16 || dtype == DType::bfloat16;
}

/// Whether the file says that an input has a floating point dtype other than float32.
bool states_other_float(const Node& node) {
  if (!node.is_variable() || node.constant) return false;
  const auto dtype = node.raw_attrs.find("__dtype__");
  if (dtype == node.raw_attrs.end()) return false;
  return dtype->second == "1" || dtype->second == "2" || dtype->second == "12";
}

std::shared_ptr<const Parameter> float32_parameter(const Tensor& tensor) {
  Tensor wide = Tensor::uninitialized(DType::float32, tensor.shape());
  write_as_float32(tensor, wide.raw());
  return make_parameter(std::move(wide));
}

void hand_on(const graph::Graph& graph, std::size_t id, graph::Redirects& redirects) {
  const std::vector<Value>& inputs = graph.nodes[id].inputs;
  const auto outputs = static_cast<std::size_t>(graph.nodes[id].num_outputs);
  for (std::size_t o = 0; o < outputs && o < inputs.size(); ++o)
    redirects.add({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)}, inputs[o]);
}

using MaybeDType = std::optional<DType>;

bool is_floating(DType dtype) {
  return is_short_float(dtype) || dtype == DType::float32 || dtype == DType::float64;
}

/// Operators without an attribute dtype whose output has not the dtype of their first input.
bool makes_own_dtype(std::string_view op) {
  static const std::set<std::string_view>& kOps = *new std::set<std::string_view>{
      "_contrib_allclose", "_contrib_index_array", "_histogram",  "_image_to_tensor", "all_finite",
      "multi_all_finite",  "multi_sum_sq",         "shape_array", "size_array"};
  const bool compares = op.starts_with("_npi_") && (op.find("equal") != std::string_view::npos ||
                                                    op.find("greater") != std::string_view::npos ||
                                                    op.find("less") != std::string_view::npos);
  return compares || kOps.count(op) > 0;
}

/// Which input the dtype of the first output is that of.
std::size_t typing_input(std::string_view op) {
  return op == "where" || op == "Embedding" || op == "_contrib_SparseEmbedding" ? 1 : 0;
}

/// The dtypes of the values of a graph as far as dtypes alone tell. Inputs of the network are float32 unless
/// the file says that they are not.
class DTypes {
 public:
  explicit DTypes(const graph::Graph& graph) {
    for (const Node& node : graph.nodes) known_.push_back(outputs_of(node));
  }
  MaybeDType of(Value value) const {
    const auto& outputs = known_[static_cast<std::size_t>(value.node)];
    const auto index = static_cast<std::size_t>(value.index);
    return index < outputs.size() ? outputs[index] : std::nullopt;
  }

 private:
  std::vector<MaybeDType> outputs_of(const Node& node) const {
    if (node.constant) return {node.constant->dtype()};
    if (node.is_variable()) {
      const auto stated = node.raw_attrs.find("__dtype__");
      const bool other = stated != node.raw_attrs.end() && stated->second != "0";
      return {other ? MaybeDType() : DType::float32};
    }
    if (node.op == nullptr || node.inputs.empty() || !node.subgraphs.empty()) return {};
    if (is_op(node, "amp_multicast")) return multicast(node);
    if (is_op(node, "SliceChannel") || is_op(node, "_split_v2"))
      return std::vector<MaybeDType>(static_cast<std::size_t>(node.num_outputs), of(node.inputs[0]));
    return {first_output(node)};
  }

  MaybeDType first_output(const Node& node) const {
    const std::size_t typing = typing_input(node.op->name);
    const MaybeDType input = typing < node.inputs.size() ? of(node.inputs[typing]) : std::nullopt;
    if (is_op(node, "Cast")) return node.attrs.dtype("dtype");
    if (is_op(node, "amp_cast")) return input && is_floating(*input) ? node.attrs.dtype("dtype") : input;
    if (is_op(node, "norm") && node.attrs.has("out_dtype")) return node.attrs.dtype("out_dtype");
    const auto& specs = node.op->attrs;
    const bool has_dtype =
        std::any_of(specs.begin(), specs.end(), [](const auto& spec) { return spec.name == "dtype"; });
    if (typing == 0 && has_dtype && node.attrs.has("dtype")) return std::nullopt;
    return makes_own_dtype(node.op->name) ? std::nullopt : input;
  }

  // The widest floating point dtype of the inputs, or the narrowest.
  std::vector<MaybeDType> multicast(const Node& node) const {
    const bool narrow = node.attrs.flag("cast_narrow");
    MaybeDType common;
    std::vector<MaybeDType> outputs;
    for (Value value : node.inputs) {
      const MaybeDType input = of(value);
      outputs.push_back(input);
      if (!input) return {};
      if (!is_floating(*input)) continue;
      const bool better =
          !common || (narrow ? size_of(*input) < size_of(*common) : size_of(*input) > size_of(*common));
      if (better) common = input;
    }
    for (MaybeDType& output : outputs) {
      if (is_floating(*output)) output = common;
    }
    return outputs;
  }

  std::vector<std::vector<MaybeDType>> known_;
};

/// Casts the outputs that were `dtypes` of a short float to it again.
void restore_outputs(graph::Graph& graph, const std::vector<MaybeDType>& dtypes) {
  const DTypes now(graph);
  for (std::size_t h = 0; h < graph.heads.size(); ++h) {
    if (!dtypes[h] || !is_short_float(*dtypes[h]) || now.of(graph.heads[h]) == dtypes[h]) continue;
    const std::string& source = graph.nodes[static_cast<std::size_t>(graph.heads[h].node)].name;
    Node cast =
        ops::make_node(source + "_cast", "Cast", {{"dtype", to_string(*dtypes[h])}}, {graph.heads[h]});
    cast.notes.push_back(concat("the output stays ", to_string(*dtypes[h])));
    graph.heads[h] = {graph::append(graph, std::move(cast)), 0};
  }
}

}  // namespace

void remove_amp_casts(graph::Graph& graph) {
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_amp) ||
      std::any_of(graph.nodes.begin(), graph.nodes.end(), states_other_float)) {
    return;
  }
  const DTypes before(graph);
  std::vector<MaybeDType> outputs;
  for (Value head : graph.heads) outputs.push_back(before.of(head));
  graph::Redirects redirects;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (is_amp(node)) hand_on(graph, id, redirects);
    if (node.constant && is_short_float(node.constant->dtype()))
      node.constant = float32_parameter(*node.constant->value());
  }
  redirects.apply(graph);
  restore_outputs(graph, outputs);
}

}  // namespace mxinfer::passes
