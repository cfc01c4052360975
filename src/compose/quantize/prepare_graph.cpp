#include "compose/quantize/prepare_graph.h"

#include <array>
#include <charconv>
#include <set>
#include <string>
#include <utility>

#include "base/fail.h"
#include "graph/redirects.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/as_float32.h"
#include "passes/passes.h"
#include "pipeline/fold_constants.h"
#include "tensor/floating.h"

namespace mxinfer::api {
namespace {

using graph::Attrs;
using graph::AttrSpec;
using graph::Graph;
using graph::Node;

constexpr const char* kConnector = "__mxinfer_connector__";

// Those that mark the ends of transforms stay: loading looks for them.
void remove_unmarked_identities(Graph& graph) {
  graph::Redirects redirects;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    const bool passes_on =
        node.op != nullptr && node.op->op_class == ops::OpClass::identity && !node.inputs.empty();
    if (!passes_on || node.raw_attrs.count(kConnector) > 0) continue;
    redirects.add({static_cast<std::int32_t>(id), 0}, node.inputs[0]);
  }
  // Heads keep their names.
  const std::vector<graph::Value> heads = graph.heads;
  redirects.apply(graph);
  graph.heads = heads;
}

bool has_spec(const Node& node, const char* name) {
  for (const AttrSpec& spec : node.op->attrs) {
    if (spec.name == name) return true;
  }
  return false;
}

// A network of halves as one of float32.
void widen_halves_of(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (node.constant && is_half(node.constant->dtype())) node.constant = passes::as_float32(node.constant);
    if (node.op == nullptr) continue;
    for (const char* name : {"dtype", "out_dtype"}) {
      if (has_spec(node, name) && node.attrs.has(name) && is_half(node.attrs.dtype(name)))
        node.attrs.set(name, std::string("float32"));
    }
  }
}

/// Casts at the ends of a network that is stated to take or give halves.
void cast_ends(Graph& graph, const Signature& signature) {
  const auto cast = [&](const std::string& name, graph::Value value, DType dtype) {
    return graph::append(graph, ops::make_node(name, "Cast", {{"dtype", to_string(dtype)}}, {value}));
  };
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    const std::int32_t index = graph.nodes[id].input_index;
    if (!graph.nodes[id].is_variable() || index < 0) continue;
    const auto input = static_cast<std::size_t>(index);
    if (input >= signature.inputs.size() || !is_half(signature.inputs[input].dtype)) continue;
    const graph::Value narrow{static_cast<std::int32_t>(id), 0};
    const std::int32_t wide = cast(graph.nodes[id].name + "_float32", narrow, DType::float32);
    for (std::size_t reader = 0; reader < count; ++reader) {
      for (graph::Value& value : graph.nodes[reader].inputs) {
        if (value == narrow) value = {wide, 0};
      }
    }
  }
  for (std::size_t h = 0; h < graph.heads.size() && h < signature.outputs.size(); ++h) {
    const DType dtype = signature.outputs[h].dtype;
    if (!is_half(dtype)) continue;
    const std::string name = graph.nodes[static_cast<std::size_t>(graph.heads[h].node)].name;
    graph.heads[h] = {cast(name + "_" + to_string(dtype), graph.heads[h], dtype), 0};
  }
  graph::sort_topologically(graph);
}

/// Whether .params files can hold it.
bool is_storable(const Parameter& parameter) {
  return parameter.shape().rank() > 0 && parameter.elements() > 0;
}

/// Weights that are computed from parameters become parameters.
Graph with_folded_constants(Graph graph, kernels::Target target) {
  Graph folded = graph;
  pipeline::fold_constants(folded, target);
  for (const Node& node : folded.nodes) {
    if (node.constant && !is_storable(*node.constant)) return graph;
  }
  return folded;
}

void make_names_unique(Graph& graph) {
  std::set<std::string> taken;
  for (const Node& node : graph.nodes) {
    if (node.is_variable()) taken.insert(node.name);
  }
  for (Node& node : graph.nodes) {
    if (node.is_variable()) continue;
    const std::string name = node.name;
    for (int number = 2; !taken.insert(node.name).second; ++number)
      node.name = name + "_" + std::to_string(number);
  }
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

template <typename Values, typename Text>
std::string tuple_text(const Values& values, const Text& text) {
  std::string all = "(";
  for (std::size_t i = 0; i < values.size(); ++i) all += (i > 0 ? ", " : "") + text(values[i]);
  return all + (values.size() == 1 ? ",)" : ")");
}

// As files have it.
std::string attribute_text(const AttrSpec& spec, const Attrs& attrs) {
  if (!attrs.has(spec.name)) return "None";
  switch (spec.kind) {
    case graph::AttrKind::integer:
      return std::to_string(attrs.integer(spec.name));
    case graph::AttrKind::number:
      return number_text(attrs.number(spec.name));
    case graph::AttrKind::flag:
      return attrs.flag(spec.name) ? "True" : "False";
    case graph::AttrKind::text:
    case graph::AttrKind::choice:
      return attrs.text(spec.name);
    case graph::AttrKind::int_tuple:
      return tuple_text(attrs.optional_tuple(spec.name),
                        [](graph::OptionalInt i) { return i ? std::to_string(*i) : std::string("None"); });
    case graph::AttrKind::number_tuple:
      return tuple_text(attrs.number_tuple(spec.name), number_text);
  }
  fail(ErrorCode::internal, "attribute ", spec.name, " has no kind");
}

void state_attributes_of(Node& node) {
  const Attrs stated = graph::parse_attrs(node.op->attrs, node.raw_attrs);
  for (const AttrSpec& spec : node.op->attrs) {
    const std::string text = attribute_text(spec, node.attrs);
    if (text != attribute_text(spec, stated)) node.raw_attrs[spec.name] = text;
  }
}

}  // namespace

void state_attributes(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (node.op == nullptr) continue;
    in_context([&] { return graph::describe(node); }, [&] { state_attributes_of(node); });
  }
}

Graph prepare_for_quantization(Graph graph, const Signature& signature) {
  const passes::Goal goal;
  // The order of simplify.inc. Not here: what gives nodes post-ops or operators that files may not contain.
  passes::remove_amp_casts(graph, goal);
  widen_halves_of(graph);
  cast_ends(graph, signature);
  remove_unmarked_identities(graph);
  passes::channels_first(graph, goal);
  graph = with_folded_constants(std::move(graph), goal.target);
  passes::fold_batch_norm(graph, goal);
  passes::fold_ahead_of_products(graph, goal);
  passes::plain_additions(graph, goal);
  graph::remove_dead_nodes(graph);
  // Other nodes have the indices that told values of one name apart.
  for (Node& node : graph.nodes) node.value_names.clear();
  make_names_unique(graph);
  state_attributes(graph);
  return graph;
}

}  // namespace mxinfer::api
