#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "graph/hints.h"
#include "graph/redirects.h"
#include "ops/is_op.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/as_float32.h"
#include "passes/cast_head.h"
#include "passes/passes.h"
#include "passes/value_dtypes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

bool runs_on_gpus_alone(const Node& node) {
  if (node.op == nullptr) return false;
  const auto in_body = [](const std::shared_ptr<Graph>& body) {
    return std::any_of(body->nodes.begin(), body->nodes.end(), runs_on_gpus_alone);
  };
  return node.op->traits.float16_on_gpus ||
         std::any_of(node.subgraphs.begin(), node.subgraphs.end(), in_body);
}

bool is_cast(const Node& node) {
  return node.op != nullptr && (node.op->name == "Cast" || node.op->name == "amp_cast");
}

/// Whether that attribute tells an operator to give halves.
bool makes_half(const Node& node, const std::string& attribute) {
  if (node.op == nullptr || !node.attrs.has(attribute)) return false;
  const auto& specs = node.op->attrs;
  const bool known =
      std::any_of(specs.begin(), specs.end(), [&](const auto& spec) { return spec.name == attribute; });
  return known && is_half(node.attrs.dtype(attribute));
}

/// What needs no knowledge of dtypes: parameters, and operators that are told to give halves.
void widen_nodes(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (node.constant && is_half(node.constant->dtype())) node.constant = as_float32(node.constant);
    for (const char* attribute : {"dtype", "out_dtype"}) {
      if (!makes_half(node, attribute)) continue;
      node.attrs.set(attribute, std::string("float32"));
      node.notes.push_back("float16 values are kept in float32");
    }
    for (std::shared_ptr<Graph>& body : node.subgraphs) {
      // Copies of a graph share their bodies.
      body = std::make_shared<Graph>(*body);
      widen_nodes(*body);
    }
  }
}

/// Casts to float32 of what is surely that.
void remove_idle_casts(Graph& graph) {
  const ValueDTypes dtypes(graph);
  const auto is_float32 = [&](Value value) { return dtypes.of(value).is_surely(DType::float32); };
  graph::Redirects redirects;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    const bool casts =
        (is_cast(node) && node.attrs.dtype("dtype") == DType::float32) || ops::is_op(node, "amp_multicast");
    if (!casts || !std::all_of(node.inputs.begin(), node.inputs.end(), is_float32)) continue;
    for (std::size_t o = 0; o < node.inputs.size(); ++o)
      redirects.add({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)}, node.inputs[o]);
  }
  redirects.apply(graph);
}

class Ends {
 public:
  explicit Ends(Graph& graph) : graph_(graph), count_(graph.nodes.size()), dtypes_(graph) {
    for (Value head : graph.heads) heads_.push_back(dtypes_.of(head));
  }

  /// Readers of an input that may be of halves read it as float32, but casts, which do so themselves.
  void widen_inputs() {
    std::map<Value, Value> wide;
    for (std::size_t id = 0; id < count_; ++id) {
      if (is_cast(graph_.nodes[id])) continue;
      for (std::size_t i = 0; i < graph_.nodes[id].inputs.size(); ++i) {
        const Value input = graph_.nodes[id].inputs[i];
        if (!is_floating_input(input)) continue;
        const auto [found, is_new] = wide.try_emplace(input);
        if (is_new) found->second = append("_mxinfer_to_float32", "_float32", {input});
        const Value read = found->second;
        graph_.nodes[id].inputs[i] = read;
      }
    }
  }

  /// Outputs have the dtypes that they would have.
  void cast_outputs() {
    for (std::size_t h = 0; h < heads_.size(); ++h) {
      const ValueDType& before = heads_[h];
      const Value head = graph_.heads[h];
      const bool is_input = head.node == before.input;
      if (before.input >= 0 && before.dtype && is_float(*before.dtype) && !is_input) {
        graph_.heads[h] = append("_mxinfer_cast_like", "_cast", {head, {before.input, 0}});
      } else if (before.input < 0 && is_half(before.dtype)) {
        cast_head(graph_, h, *before.dtype);
      }
    }
  }

 private:
  bool is_floating_input(Value value) const {
    const Node& node = graph_.nodes[static_cast<std::size_t>(value.node)];
    const ValueDType dtype = dtypes_.of(value);
    return node.is_variable() && !node.constant && dtype.dtype && is_float(*dtype.dtype);
  }

  Value append(const char* op, const char* suffix, const std::vector<Value>& inputs) {
    const std::string& source = graph_.nodes[static_cast<std::size_t>(inputs[0].node)].name;
    return {graph::append(graph_, ops::make_node(source + suffix, op, {}, inputs)), 0};
  }

  Graph& graph_;
  std::size_t count_;
  ValueDTypes dtypes_;
  std::vector<ValueDType> heads_;
};

/// Whether the file states all parameters that such an operator reads as float16; nothing if it reads none of
/// floats.
std::optional<bool> states_float16_parameters(const Graph& graph, const Node& node) {
  std::optional<bool> all;
  for (Value input : node.inputs) {
    const Node& variable = graph.nodes[static_cast<std::size_t>(input.node)];
    if (!variable.constant || !is_float(variable.constant->dtype())) continue;
    const bool is_stated = graph::dtype_hint(variable) == DType::float16;
    all = all.value_or(true) && is_stated && variable.constant->dtype() == DType::float16;
  }
  return all;
}

/// Whether an operator of GPUs alone reads values of which that is true.
bool gpus_alone_read(const Graph& graph, const std::vector<DType>& inputs, bool (*holds)(DType dtype)) {
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), runs_on_gpus_alone)) return false;
  const ValueDTypes dtypes(graph, inputs);
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    return runs_on_gpus_alone(node) && std::any_of(node.inputs.begin(), node.inputs.end(), [&](Value input) {
             const std::optional<DType> dtype = dtypes.of(input).dtype;
             return dtype && holds(*dtype);
           });
  });
}

/// The type of products, if they are of halves and the goal's device has instructions for it.
std::optional<DType> type_of_products(const Graph& graph, const Goal& goal) {
  if (goal.device != device::Kind::cuda) return std::nullopt;
  if (gpus_alone_read(graph, {}, [](DType dtype) { return dtype == DType::float16; })) return DType::float16;
  const bool is_bfloat16 =
      goal.has_bfloat16 && gpus_alone_read(graph, {}, [](DType dtype) { return dtype == DType::bfloat16; });
  return is_bfloat16 ? std::optional(DType::bfloat16) : std::nullopt;
}

}  // namespace

bool has_halves_for_gpus(const Graph& graph, const std::vector<DType>& inputs) {
  return gpus_alone_read(graph, inputs, [](DType dtype) { return mxinfer::is_half(dtype); });
}

// A network that MXNet computes from float16 or bfloat16 on GPUs alone (ops::Traits::float16_on_gpus) runs
// in float32 throughout: its parameters become float32, casts to halves go, inputs of halves are cast when
// they are read, and outputs have the dtypes that they would have. Any other network stays as it is. After
// remove_amp_casts. A plan for a GPU computes the products in their type all the same (Graph::was_halves),
// and stores what lies between them so.
void halves_in_float32(Graph& graph, const Goal& goal) {
  if (!has_halves_for_gpus(graph)) return;
  graph.was_halves = type_of_products(graph, goal);
  Ends ends(graph);
  widen_nodes(graph);
  ends.widen_inputs();
  ends.cast_outputs();
  graph::sort_topologically(graph);
  remove_idle_casts(graph);
  graph::remove_dead_nodes(graph);
}

std::set<std::int32_t> inputs_stated_as_float16(const Graph& graph) {
  const auto is_float16 = [](const Node& node) {
    return node.constant && node.constant->dtype() == DType::float16;
  };
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_float16)) return {};
  std::map<std::int32_t, bool> all;  // by input: whether all parameters behind it are
  const ValueDTypes dtypes(graph);
  for (const Node& node : graph.nodes) {
    if (node.op == nullptr || !node.op->traits.float16_on_gpus || node.inputs.empty()) continue;
    const std::int32_t input = dtypes.of(node.inputs[0]).input;
    const std::optional<bool> halves = states_float16_parameters(graph, node);
    if (input < 0 || !halves) continue;
    const auto [found, is_new] = all.emplace(input, *halves);
    if (!is_new) found->second = found->second && *halves;
  }
  std::set<std::int32_t> inputs;
  for (const auto& [input, halves] : all) {
    if (halves) inputs.insert(input);
  }
  return inputs;
}

}  // namespace mxinfer::passes
