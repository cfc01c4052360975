#include "formats/json/resolve_symbol.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "graph/attrs.h"
#include "ops/op_def.h"
#include "ops/quantized/fused_subgraph.h"
#include "ops/registry.h"
#include "ops/unify.h"

namespace mxinfer::formats {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

// Options of variables that old front ends wrote under bare names; today __lr_mult__ and so on.
constexpr std::array<std::string_view, 5> kAnnotations = {"ctx_group", "lr_mult", "wd_mult",
                                                          "force_mirroring", "mirror_stage"};

// Attributes from which operators make their inputs or outputs.
constexpr std::array<std::string_view, 6> kCounts = {"num_args",    "num_outputs", "num_weights",
                                                     "num_tensors", "num_arrays",  "sections"};

// Tuples for which MXNet treats None like a missing attribute: its Python front end writes whatever it gets.
struct Unset {
  std::string_view op, attribute;
};
constexpr std::array<Unset, 10> kUnset = {{{"Deconvolution", "target_shape"},
                                           {"Dropout", "axes"},
                                           {"Pooling", "kernel"},
                                           {"Reshape", "target_shape"},
                                           {"_contrib_AdaptiveAvgPooling2D", "output_size"},
                                           {"_slice_assign", "step"},
                                           {"_slice_assign_scalar", "step"},
                                           {"broadcast_axis", "axis"},
                                           {"broadcast_axis", "size"},
                                           {"slice", "step"}}};

bool has_attribute(const ops::OpDef& op, std::string_view name) {
  return std::any_of(op.attrs.begin(), op.attrs.end(), [&](const auto& spec) { return spec.name == name; });
}

std::string hidden(std::string_view name) {
  return concat("__", name, "__");
}

bool is_hidden(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__");
}

// "weight_lr_mult" on an operator means lr_mult of its input "weight".
struct InputAnnotation {
  std::string input, key, value;
};

std::optional<InputAnnotation> as_input_annotation(const std::string& name, const std::string& value) {
  for (std::string_view key : kAnnotations) {
    if (name.size() > key.size() + 1 && std::string_view(name).ends_with(key) &&
        name[name.size() - key.size() - 1] == '_') {
      return InputAnnotation{name.substr(0, name.size() - key.size() - 1), hidden(key), value};
    }
  }
  return std::nullopt;
}

class Resolver {
 public:
  Resolver(const SymbolLimits& limits, int version, std::set<std::string>& missing,
           std::vector<NodeProblem>* problems)
      : limits_(limits), version_(version), missing_(missing), problems_(problems) {}

  Graph resolve(RawSymbol raw) {
    Graph graph = std::move(raw.graph);
    graph.mxnet_version = version_;  // a subgraph does not say
    if (const auto entry = graph.attrs.find(ops::kNumpyShape); entry != graph.attrs.end())
      numpy_shapes_ = entry->second.second == "1";  // of subgraphs too
    find_operators(graph);
    for (auto& entry : raw.subgraphs) {
      Node& node = graph.nodes[static_cast<std::size_t>(entry.first)];
      in_context([&] { return graph::describe(node); },
                 [&] {
                   const std::size_t outside = prefix_.size();
                   prefix_ += node.name + "/";
                   for (auto& subgraph : entry.second) {
                     number_inputs(subgraph->graph);
                     node.subgraphs.push_back(std::make_shared<Graph>(resolve(std::move(*subgraph))));
                   }
                   prefix_.resize(outside);
                 });
    }
    const std::size_t count = graph.nodes.size();
    for (std::size_t id = 0; id < count; ++id) {
      if (graph.nodes[id].op == nullptr) continue;
      const std::string where = graph::describe(graph.nodes[id]);
      in_context([&]() -> const std::string& { return where; }, [&] { resolve_or_note(graph, id, raw); });
    }
    if (graph.nodes.size() > count) graph::sort_topologically(graph);
    size_unknown_nodes(graph);
    return graph;
  }

 private:
  void find_operators(Graph& graph) {
    for (Node& node : graph.nodes) {
      if (node.is_variable()) {
        rename_annotations(node);
        continue;
      }
      node.op = ops::find_op(node.op_name);
      if (node.op == nullptr) missing_.insert(node.op_name);
      if (node.op != nullptr && node.op->made_by_passes) reject_made_by_passes(node);
    }
  }

  [[noreturn]] static void reject_made_by_passes(const Node& node) {
    fail(ErrorCode::malformed, graph::describe(node), ": mxinfer itself creates ", node.op->name,
         " when it prepares a network to run, and a file may not contain it; expected operators of MXNet, or "
         "those that `mxinfer fuse` writes: export the network from MXNet again");
  }

  // The inputs of a subgraph are its variables in the order of the file.
  static void number_inputs(Graph& subgraph) {
    std::int32_t next = 0;
    for (Node& node : subgraph.nodes) {
      if (node.is_variable()) node.input_index = next++;
    }
  }

  static void rename_annotations(Node& variable) {
    for (std::string_view name : kAnnotations) {
      auto entry = variable.raw_attrs.extract(std::string(name));
      if (entry.empty()) continue;
      entry.key() = hidden(name);
      variable.raw_attrs.insert(std::move(entry));
    }
  }

  void resolve_or_note(Graph& graph, std::size_t id, const RawSymbol& raw) {
    if (problems_ == nullptr) return resolve_node(graph, id, raw);
    try {
      resolve_node(graph, id, raw);
    } catch (const Error& e) {
      Node& node = graph.nodes[id];
      problems_->push_back({node.op_name, prefix_ + node.name, e.what()});
      node.op = nullptr;
      node.attrs = {};
      node.num_outputs = 1;  // or as many as are asked for
    }
  }

  void resolve_node(Graph& graph, std::size_t id, const RawSymbol& raw) {
    Node& node = graph.nodes[id];
    const auto attached = raw.attached.find(static_cast<std::int32_t>(id));
    const auto annotations =
        hide_annotations(node, attached == raw.attached.end() ? std::set<std::string>{} : attached->second);
    upgrade_attributes(node);
    node.attrs = graph::parse_attrs(node.op->attrs, node.raw_attrs);
    if (numpy_shapes_) node.attrs.set(ops::kNumpyShape, true);
    check_counts(node);
    if (node.subgraphs.size() != node.op->subgraphs && node.op->subgraphs > 0) {
      fail(ErrorCode::malformed, "it has ", node.subgraphs.size(), " subgraphs; ", node.op->name, " has ",
           node.op->subgraphs);
    }
    ops::read_fused_subgraph(node);
    const std::size_t outputs = ops::output_count(*node.op, node.attrs);
    add_outputs(outputs);
    node.num_outputs = static_cast<std::int32_t>(outputs);
    const ops::PortNames ports = ops::input_ports(*node.op, node.attrs);
    annotate_inputs(graph, node, ports, annotations);
    check_arity(graph, id, ports);
  }

  // Renames attributes that are not the operator's own, so that parsing skips them.
  std::vector<InputAnnotation> hide_annotations(Node& node, const std::set<std::string>& attached) {
    std::vector<InputAnnotation> for_inputs;
    std::map<std::string, std::string> kept;
    for (const auto& [name, value] : node.raw_attrs) {
      if (is_hidden(name) || has_attribute(*node.op, name)) {
        kept.emplace(name, value);
      } else if (std::find(kAnnotations.begin(), kAnnotations.end(), name) != kAnnotations.end()) {
        kept.emplace(hidden(name), value);
      } else if (auto annotation = as_input_annotation(name, value)) {
        for_inputs.push_back(std::move(*annotation));
      } else {
        kept.emplace(attached.count(name) > 0 ? hidden(name) : name, value);
      }
    }
    node.raw_attrs = std::move(kept);
    return for_inputs;
  }

  void upgrade_attributes(Node& node) const {
    for (const Unset& unset : kUnset) {
      const auto given = node.raw_attrs.find(std::string(unset.attribute));
      if (node.op->name == unset.op && given != node.raw_attrs.end() && given->second == "None")
        node.raw_attrs.erase(given);
    }
    // Until 0.9.5, an axis of -1 meant none.
    if (version_ >= 905 || (node.op->name != "argmax" && node.op->name != "argmin")) return;
    const auto axis = node.raw_attrs.find("axis");
    if (axis != node.raw_attrs.end() && axis->second == "-1") node.raw_attrs.erase(axis);
  }

  // Counts determine the number of ports, so check their bounds first.
  void check_counts(const Node& node) const {
    for (const auto& spec : node.op->attrs) {
      const bool counts = std::find(kCounts.begin(), kCounts.end(), spec.name) != kCounts.end();
      if (!counts || spec.kind != graph::AttrKind::integer) continue;
      if (!node.attrs.has(spec.name)) continue;
      const std::int64_t count = node.attrs.integer(spec.name);
      if (count < 0 || count > limits_.node_outputs) {
        fail(ErrorCode::malformed, "attribute ", spec.name, "=\"", count, "\": expected 0 to ",
             limits_.node_outputs);
      }
    }
  }

  // A few bytes of a file make many outputs, each of which takes memory from here on.
  void add_outputs(std::size_t count) {
    outputs_ += count;
    if (outputs_ <= limits_.outputs) return;
    fail(ErrorCode::malformed, "with ", count, " more outputs the operators of the network have ", outputs_,
         ": expected at most ", limits_.outputs);
  }

  static void annotate_inputs(Graph& graph, const Node& node, const ops::PortNames& ports,
                              const std::vector<InputAnnotation>& annotations) {
    if (annotations.empty()) return;
    std::multimap<std::string_view, const InputAnnotation*> of_input;
    for (const InputAnnotation& annotation : annotations) of_input.emplace(annotation.input, &annotation);
    for (std::size_t i = 0; i < node.inputs.size() && i < ports.names.size(); ++i) {
      Node& variable = graph.nodes[static_cast<std::size_t>(node.inputs[i].node)];
      if (!variable.is_variable()) continue;
      const auto [first, last] = of_input.equal_range(ports.names[i]);
      for (auto found = first; found != last; ++found)
        variable.raw_attrs.emplace(found->second->key, found->second->value);
    }
  }

  void check_arity(Graph& graph, std::size_t id, const ops::PortNames& ports) const {
    const std::size_t given = graph.nodes[id].inputs.size();
    const std::size_t expected = ports.names.size();
    if (given == expected || (given > expected && !ports.fixed)) return;
    if (given < expected && version_ < 900) return append_missing_inputs(graph, id, ports);
    std::string names;
    for (std::size_t i = 0; i < expected && i < 10; ++i) names += (i > 0 ? ", " : "") + ports.names[i];
    if (expected > 10) names += ", ...";
    fail(ErrorCode::malformed, "it has ", given, given == 1 ? " input; expected " : " inputs; expected ",
         ports.fixed ? "" : "at least ", expected, " (", names, ")");
  }

  // Before 0.9 auxiliary states were not written: batch norm 'bn0' has its variables bn0_moving_mean and so
  // on.
  static void append_missing_inputs(Graph& graph, std::size_t id, const ops::PortNames& ports) {
    for (std::size_t i = graph.nodes[id].inputs.size(); i < ports.names.size(); ++i) {
      Node variable;
      const std::string& name = graph.nodes[id].name;
      variable.name = name.empty() ? ports.names[i] : name + "_" + ports.names[i];
      const Value value{graph::append(graph, std::move(variable)), 0};
      graph.nodes[id].inputs.push_back(value);
    }
  }

  // An unknown operator has as many outputs as are used.
  void size_unknown_nodes(Graph& graph) {
    const auto size = [&](Value value) {
      Node& node = graph.nodes[static_cast<std::size_t>(value.node)];
      if (node.op == nullptr && !node.is_variable())
        node.num_outputs = std::max(node.num_outputs, value.index + 1);
    };
    for (const Node& node : graph.nodes) std::for_each(node.inputs.begin(), node.inputs.end(), size);
    std::for_each(graph.heads.begin(), graph.heads.end(), size);
    for (const Node& node : graph.nodes) {
      if (node.op == nullptr && !node.is_variable()) add_outputs(static_cast<std::size_t>(node.num_outputs));
    }
  }

  const SymbolLimits& limits_;
  std::size_t outputs_ = 0;  // so far
  int version_;
  bool numpy_shapes_ = false;
  std::set<std::string>& missing_;
  std::vector<NodeProblem>* problems_;
  std::string prefix_;  ///< of names of the subgraph at hand
};

}  // namespace

Graph resolve_symbol(RawSymbol raw, const SymbolLimits& limits, std::vector<NodeProblem>* problems) {
  std::set<std::string> missing;
  const int version = raw.graph.mxnet_version;
  try {
    return Resolver(limits, version, missing, problems).resolve(std::move(raw));
  } catch (const Error& e) {
    // A dialect of MXNet shows in its attributes and in its operators: say both.
    if (missing.empty()) throw;
    std::string list;
    for (const std::string& op : missing) list += (list.empty() ? "" : ", ") + printable(op);
    throw Error(
        e.code(),
        concat(e.what(), "; the network also needs operators that this library does not have: ", list));
  }
}

}  // namespace mxinfer::formats
