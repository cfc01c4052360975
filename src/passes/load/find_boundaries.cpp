#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "graph/node_of.h"
#include "ops/op_def.h"
#include "passes/load/stages.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

const std::string* annotation(const Node& node, const char* key) {
  const auto found = node.raw_attrs.find(key);
  return found == node.raw_attrs.end() ? nullptr : &found->second;
}

bool is_input(const Node& node) {
  return node.is_variable() && !node.constant;
}

std::size_t connector_index(const Node& node) {
  const std::string* text = annotation(node, "__mxinfer_index__");
  std::size_t index = 0;
  const char* end = text == nullptr ? nullptr : text->data() + text->size();
  const bool parsed = text != nullptr && !text->empty() && text->size() <= 6 &&
                      std::from_chars(text->data(), end, index).ptr == end;
  if (parsed) return index;
  fail(ErrorCode::malformed, "attribute __mxinfer_index__ of ", graph::describe(node), " is ",
       text == nullptr ? std::string("missing") : "\"" + printable(*text) + "\"",
       "; expected which input or output of the network the connector stands for, from 0 on");
}

constexpr std::int32_t kNone = -1, kSeveral = -2;

// By node: the one free variable that it follows from, kNone or kSeveral.
std::vector<std::int32_t> only_inputs(const Graph& graph) {
  std::vector<std::int32_t> only(graph.nodes.size(), kNone);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (is_input(node)) only[id] = static_cast<std::int32_t>(id);
    for (Value input : node.inputs) {
      const std::int32_t other = only[static_cast<std::size_t>(input.node)];
      if (other == kNone || other == only[id]) continue;
      only[id] = only[id] == kNone ? other : kSeveral;
    }
  }
  return only;
}

InputBoundary marked_input(const Graph& graph, const std::vector<std::int32_t>& only_input, std::int32_t id) {
  const Node& node = graph.nodes[static_cast<std::size_t>(id)];
  InputBoundary boundary;
  boundary.value = {id, 0};
  const std::int32_t variable = only_input[static_cast<std::size_t>(id)];
  if (variable < 0) {
    fail(ErrorCode::malformed, "connector ", graph::describe(node), " follows from ",
         variable == kNone ? "no input" : "several inputs", "; expected the transforms of one input");
  }
  boundary.variables = {variable};
  boundary.index = connector_index(node);
  const std::string* name = annotation(node, "__mxinfer_name__");
  boundary.name = name != nullptr ? *name : graph.nodes[static_cast<std::size_t>(variable)].name;
  return boundary;
}

/// Connectors of columns and texts may look at so many nodes of the graph on the average.
constexpr std::size_t kMostVisits = 64;

// The free variables that a node follows from, ascending; adds the nodes it looked at to `visits`.
std::vector<std::int32_t> inputs_behind(const Graph& graph, std::int32_t id, std::size_t& visits) {
  std::set<std::int32_t> seen;
  std::vector<std::int32_t> open{id}, inputs;
  while (!open.empty()) {
    const std::int32_t next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    for (Value input : graph.nodes[static_cast<std::size_t>(next)].inputs) open.push_back(input.node);
  }
  visits += seen.size();
  std::copy_if(seen.begin(), seen.end(), std::back_inserter(inputs),
               [&](std::int32_t each) { return is_input(graph.nodes[static_cast<std::size_t>(each)]); });
  return inputs;
}

InputBoundary marked_columns(const Graph& graph, std::int32_t id, std::size_t& visits) {
  const Node& node = graph.nodes[static_cast<std::size_t>(id)];
  InputBoundary boundary;
  boundary.value = {id, 0};
  boundary.joins_columns = true;
  boundary.variables = inputs_behind(graph, id, visits);
  if (visits > kMostVisits * graph.nodes.size()) {
    fail(ErrorCode::unsupported,
         "the columns or texts of the network's inputs share so many operators that, copied for each input, "
         "they are more than ",
         kMostVisits, " times as large as the whole graph");
  }
  if (boundary.variables.empty()) {
    fail(ErrorCode::malformed, "connector ", graph::describe(node),
         " follows from no input; expected the columns of a table, or texts");
  }
  const std::string* name = annotation(node, "__mxinfer_name__");
  if (name == nullptr) {
    fail(ErrorCode::malformed, "connector ", graph::describe(node),
         " has no attribute __mxinfer_name__; expected the name of the network's input");
  }
  boundary.index = connector_index(node);
  boundary.name = *name;
  return boundary;
}

void refuse_same_index(const Graph& graph, const std::vector<InputBoundary>& boundaries) {
  for (std::size_t i = 0; i + 1 < boundaries.size(); ++i) {
    if (boundaries[i].index != boundaries[i + 1].index) continue;
    fail(ErrorCode::malformed, "connectors ", graph::describe(node_of(graph, boundaries[i].value)), " and ",
         graph::describe(node_of(graph, boundaries[i + 1].value)), " both stand for input ",
         boundaries[i].index, " of the network (__mxinfer_index__)");
  }
}

void find_marked(const Graph& graph, Boundaries& boundaries) {
  std::vector<std::pair<std::size_t, Value>> outputs;
  const std::vector<std::int32_t> only_input = only_inputs(graph);
  std::size_t visits = 0;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    const std::string* kind = annotation(node, "__mxinfer_connector__");
    if (kind == nullptr) continue;
    if (node.inputs.size() != 1 || node.num_outputs != 1) {
      fail(ErrorCode::malformed, "connector ", graph::describe(node), " has ", node.inputs.size(),
           " inputs and ", node.num_outputs, " outputs; expected one of each");
    }
    if (*kind == "batchify") {
      boundaries.inputs.push_back(marked_input(graph, only_input, static_cast<std::int32_t>(id)));
    } else if (*kind == "columns" || *kind == "text") {
      boundaries.inputs.push_back(marked_columns(graph, static_cast<std::int32_t>(id), visits));
      boundaries.inputs.back().is_text = *kind == "text";
    } else if (*kind == "no_op") {
      outputs.emplace_back(connector_index(node), node.inputs[0]);
    } else {
      fail(ErrorCode::unsupported, "attribute __mxinfer_connector__ of ", graph::describe(node), " is \"",
           printable(*kind), "\"; this version knows \"batchify\", \"columns\", \"text\" and \"no_op\"");
    }
  }
  const auto by_index = [](const auto& a, const auto& b) { return a.index < b.index; };
  std::stable_sort(boundaries.inputs.begin(), boundaries.inputs.end(), by_index);
  refuse_same_index(graph, boundaries.inputs);
  std::stable_sort(outputs.begin(), outputs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [index, value] : outputs) boundaries.network_outputs.push_back({value, index});
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Operators that nothing but an image goes through.
bool is_image_operator(const Node& node) {
  static constexpr std::string_view kPrefixes[] = {"_image_", "_cvim", "_cvcopyMakeBorder", "_mxinfer_"};
  if (node.op == nullptr || node.op->traits.part != ops::ModelPart::image_transforms) return false;
  // What transforms boxes or masks along with images is no item's own.
  if (node.num_outputs != 1) return false;
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](auto prefix) { return starts_with(node.op->name, prefix); });
}

// Arithmetic with one number for each channel, or one for all.
bool is_channel_arithmetic(const Graph& graph, const Node& node) {
  static const std::set<std::string_view>& kWithScalar =
      *new std::set<std::string_view>{"_plus_scalar", "_minus_scalar", "_mul_scalar", "_div_scalar"};
  static const std::set<std::string_view>& kWithTensor =
      *new std::set<std::string_view>{"broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_div"};
  if (node.op == nullptr) return false;
  if (kWithScalar.count(node.op->name) > 0) return true;
  if (kWithTensor.count(node.op->name) == 0) return false;
  const Parameter* constant = node_of(graph, node.inputs[1]).constant.get();
  if (constant == nullptr || constant->shape().rank() > 4) return false;
  const auto elements = constant->elements();
  return elements == 1 || elements == 3;
}

bool is_carrier(const Node& node) {
  static const std::set<std::string_view>& kCarriers =
      *new std::set<std::string_view>{"Cast", "_copy", "transpose", "expand_dims"};
  return node.op != nullptr && kCarriers.count(node.op->name) > 0;
}

// The readers of each value.
class Readers {
 public:
  explicit Readers(const Graph& graph)
      : graph_(graph), readers_(graph.nodes.size()), heads_(graph.heads.begin(), graph.heads.end()) {
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
      const auto& inputs = graph.nodes[id].inputs;
      for (std::size_t k = 0; k < inputs.size(); ++k)
        readers_[static_cast<std::size_t>(inputs[k].node)].push_back({static_cast<std::int32_t>(id), k});
    }
  }

  bool is_head(Value value) const { return heads_.count(value) > 0; }

  // The one node that reads a value through its first input; nothing if there are others, or it is a head.
  std::optional<std::int32_t> only(Value value) const {
    std::optional<std::int32_t> reader;
    for (const auto& [id, k] : readers_[static_cast<std::size_t>(value.node)]) {
      if (!(graph_.nodes[static_cast<std::size_t>(id)].inputs[k] == value)) continue;
      if (reader || k > 0) return std::nullopt;
      reader = id;
    }
    return is_head(value) ? std::nullopt : reader;
  }

 private:
  const Graph& graph_;
  std::vector<std::vector<std::pair<std::int32_t, std::size_t>>>
      readers_;  // by node: reader, which of its inputs
  std::set<Value> heads_;
};

// Channels last to channels first, as GluonCV's export_block puts it in front of a network.
bool moves_channels_first(const Node& node) {
  if (node.op == nullptr || node.op->name != "transpose") return false;
  const auto axes = node.attrs.tuple("axes");
  return axes == std::vector<std::int64_t>{0, 3, 1, 2} || axes == std::vector<std::int64_t>{2, 0, 1};
}

// Follows an input through what may be transforms; the end of what certainly is.
std::optional<Value> end_of_transforms(const Graph& graph, const Readers& readers, std::int32_t variable) {
  Value value{variable, 0};
  std::optional<Value> end;
  bool moved = false;
  int constants = 0;
  while (const auto id = readers.only(value)) {
    const Node& node = graph.nodes[static_cast<std::size_t>(*id)];
    const bool arithmetic = is_channel_arithmetic(graph, node);
    if (!is_image_operator(node) && !arithmetic && !is_carrier(node)) break;
    if (readers.is_head({*id, 0})) break;
    value = {*id, 0};
    moved = moved || moves_channels_first(node);
    if (arithmetic && node.inputs.size() == 2) ++constants;
    // A mean and a deviation for each channel are GluonCV's; scalars alone are the network's own.
    const bool export_block = arithmetic && (moved || constants >= 2);
    if (is_image_operator(node) || export_block) end = value;
  }
  return end;
}

void recognize(const Graph& graph, Boundaries& boundaries) {
  const Readers readers(graph);
  std::size_t index = 0;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (!is_input(graph.nodes[id])) continue;
    const auto variable = static_cast<std::int32_t>(id);
    if (const auto end = end_of_transforms(graph, readers, variable)) {
      boundaries.inputs.push_back({*end, {variable}, false, index, graph.nodes[id].name});
    }
    ++index;
  }
}

}  // namespace

Boundaries find_boundaries(const Graph& graph) {
  Boundaries boundaries;
  find_marked(graph, boundaries);
  if (boundaries.empty()) recognize(graph, boundaries);
  return boundaries;
}

}  // namespace mxinfer::passes
