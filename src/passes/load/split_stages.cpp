#include <algorithm>
#include <map>
#include <set>

#include "base/fail.h"
#include "graph/hints.h"
#include "ops/op_def.h"
#include "passes/load/stages.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

Node variable(const std::string& name) {
  Node node;
  node.name = name;
  return node;
}

// Makes the node of each boundary a free variable. A connector carries the hints of the variable that it
// stands for (__shape__ and so on).
void make_variables(Graph& graph, const Boundaries& boundaries) {
  for (const InputBoundary& boundary : boundaries.inputs) {
    Node& node = graph.nodes[static_cast<std::size_t>(boundary.value.node)];
    Node input = variable(boundary.name);
    for (const char* hint : graph::kHints) {
      const auto found = node.raw_attrs.find(hint);
      if (found != node.raw_attrs.end()) input.raw_attrs.insert(*found);
    }
    node = std::move(input);
  }
}

bool is_stage_input(const Node& node) {
  return node.is_variable() && !node.constant;
}

// The first input that transforms begin at and that is read around them; empty if none is.
std::string read_around(const Graph& graph, const Boundaries& boundaries,
                        const std::vector<std::int32_t>& new_id) {
  for (const InputBoundary& boundary : boundaries.inputs) {
    for (const std::int32_t variable : boundary.variables) {
      const std::int32_t id = new_id[static_cast<std::size_t>(variable)];
      if (id >= 0) return graph.nodes[static_cast<std::size_t>(id)].name;
    }
  }
  return {};
}

bool is_reader(const Node& node) {
  return node.op != nullptr && ops::reads_file(node.op->traits.image_source);
}

// Takes the node that makes an image of bytes out of an item's graph, which then begins behind it.
std::optional<ImageReader> take_reader(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (!is_reader(node)) continue;
    const Node& source = graph.nodes[static_cast<std::size_t>(node.inputs.at(0).node)];
    if (!is_stage_input(source)) {
      fail(ErrorCode::unsupported, graph::describe(node), " reads ", graph::describe(source),
           "; images can be decoded only as the first operator of an input");
    }
    ImageReader reader;
    reader.from_path = node.op->traits.image_source == ops::ImageSource::path;
    reader.color = node.attrs.integer("flag") != 0;
    reader.rgb = node.attrs.flag("to_rgb");
    const std::string name = source.name;
    node = variable(name);
    graph::remove_dead_nodes(graph);
    return reader;
  }
  return std::nullopt;
}

bool contains_any(const Graph& graph, const std::set<std::string>& ops) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return node.op != nullptr && ops.count(node.op->name) > 0; });
}

const std::set<std::string>& resizing_ops() {
  static const std::set<std::string>& ops = *new std::set<std::string>{
      "_image_resize",      "_cvimresize",           "_image_crop",        "_mxinfer_center_crop",
      "_mxinfer_letterbox", "_mxinfer_resize_short", "_image_random_crop", "_image_random_resized_crop"};
  return ops;
}

const std::set<std::string>& normalizing_ops() {
  static const std::set<std::string>& ops = *new std::set<std::string>{
      "_image_to_tensor", "_image_normalize", "_plus_scalar",  "_minus_scalar", "_mul_scalar",
      "_div_scalar",      "broadcast_add",    "broadcast_sub", "broadcast_mul", "broadcast_div"};
  return ops;
}

/// A node may be part of the transforms of so many inputs on the average.
constexpr std::size_t kMostShared = 64;

// The nodes that a value needs, as a graph of their own, in their order.
Graph part_behind(const Graph& graph, Value head) {
  std::map<std::int32_t, std::int32_t> new_id;
  std::vector<std::int32_t> open{head.node};
  while (!open.empty()) {
    const std::int32_t id = open.back();
    open.pop_back();
    if (!new_id.emplace(id, 0).second) continue;
    for (Value input : graph.nodes[static_cast<std::size_t>(id)].inputs) open.push_back(input.node);
  }
  Graph part;
  part.mxnet_version = graph.mxnet_version;
  for (auto& [id, at] : new_id) {
    Node node = graph.nodes[static_cast<std::size_t>(id)];
    for (Value& input : node.inputs) input.node = new_id.at(input.node);
    std::vector<std::int32_t> deps;
    for (std::int32_t dep : node.control_deps) {
      if (const auto found = new_id.find(dep); found != new_id.end()) deps.push_back(found->second);
    }
    node.control_deps = std::move(deps);
    at = graph::append(part, std::move(node));
  }
  part.heads = {{new_id.at(head.node), head.index}};
  return part;
}

ItemStage make_item(const Graph& graph, const InputBoundary& boundary) {
  ItemStage item;
  item.input = graph.nodes[static_cast<std::size_t>(boundary.variables.at(0))].name;
  item.rest_input = boundary.name;
  item.graph = part_behind(graph, boundary.value);
  item.reader = take_reader(item.graph);
  for (Node& node : item.graph.nodes) {
    if (is_stage_input(node)) node.input_index = 0;
  }
  item.resizes = contains_any(item.graph, resizing_ops());
  item.normalizes = contains_any(item.graph, normalizing_ops());
  return item;
}

void take_network_outputs(Graph& graph, const Boundaries& boundaries) {
  graph.heads.clear();
  for (const OutputBoundary& boundary : boundaries.network_outputs) {
    if (boundary.index != graph.heads.size()) {
      fail(ErrorCode::malformed,
           "the no_op connectors do not number the network's outputs from 0 on: output ", graph.heads.size(),
           boundary.index > graph.heads.size() ? " is missing" : " is there twice");
    }
    graph.heads.push_back(boundary.value);
  }
}

}  // namespace

void number_inputs(Graph& graph, const Boundaries& boundaries) {
  std::map<std::string, std::size_t> wanted;
  std::set<std::size_t> taken;
  for (const InputBoundary& boundary : boundaries.inputs) {
    wanted.emplace(boundary.name, boundary.index);
    taken.insert(boundary.index);
  }
  std::vector<std::pair<std::size_t, std::size_t>> order;
  std::size_t next = 0;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (!is_stage_input(graph.nodes[id])) continue;
    const auto found = wanted.find(graph.nodes[id].name);
    if (found == wanted.end()) {
      while (taken.count(next) > 0) ++next;
    }
    order.emplace_back(found == wanted.end() ? next++ : found->second, id);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    graph.nodes[order[i].second].input_index = static_cast<std::int32_t>(i);
  }
}

std::string cut_inputs(Graph& graph, const Boundaries& boundaries) {
  make_variables(graph, boundaries);
  return read_around(graph, boundaries, graph::remove_dead_nodes(graph));
}

void remove_transforms(Graph& graph, const Boundaries& boundaries) {
  if (boundaries.empty()) return;
  if (!boundaries.network_outputs.empty()) take_network_outputs(graph, boundaries);
  const std::string around = cut_inputs(graph, boundaries);
  if (around.empty()) return;
  fail(ErrorCode::unsupported, "the network reads input '", printable(around),
       "' directly, beside its transforms, so they cannot be left out; load it with its transforms");
}

namespace {

// The node that makes a batch of one item by itself; -1 if the network takes a batch.
std::int32_t own_batch(const Graph& rest, const std::string& input) {
  for (std::size_t id = 0; id < rest.nodes.size(); ++id) {
    const Node& node = rest.nodes[id];
    if (node.op == nullptr || node.op->name != "expand_dims" || node.attrs.integer("axis") != 0) continue;
    const Node& from = rest.nodes[static_cast<std::size_t>(node.inputs[0].node)];
    if (from.input_index >= 0 && from.name == input) return static_cast<std::int32_t>(id);
  }
  return -1;
}

void pass_over(Graph& graph, std::int32_t node) {
  const Value from = graph.nodes[static_cast<std::size_t>(node)].inputs[0];
  const auto lead_around = [&](Value& value) {
    if (value.node == node) value = from;
  };
  for (Node& reader : graph.nodes) std::for_each(reader.inputs.begin(), reader.inputs.end(), lead_around);
  std::for_each(graph.heads.begin(), graph.heads.end(), lead_around);
  graph::remove_dead_nodes(graph);
}

// Those that items go through one by one.
Boundaries of_items(const Boundaries& all) {
  Boundaries items;
  std::copy_if(all.inputs.begin(), all.inputs.end(), std::back_inserter(items.inputs),
               [](const InputBoundary& boundary) { return !boundary.joins_columns; });
  return items;
}

// Items are given their batch here. A model that makes one of each image itself, with expand_dims, takes
// one image; if that is a file, it takes several too, and the expand_dims has nothing left to do.
bool takes_batches(Stages& stages) {
  for (const ItemStage& item : stages.items) {
    const std::int32_t node = own_batch(stages.rest, item.rest_input);
    if (node < 0) continue;
    if (!item.reader) return false;
    pass_over(stages.rest, node);
  }
  return true;
}

}  // namespace

std::optional<Stages> split_stages(const Graph& graph, const Boundaries& all) {
  const Boundaries boundaries = of_items(all);
  if (boundaries.inputs.empty()) return std::nullopt;
  Stages stages;
  stages.rest = graph;
  if (!cut_inputs(stages.rest, boundaries).empty()) return std::nullopt;
  number_inputs(stages.rest, boundaries);
  std::size_t nodes = 0;
  for (const InputBoundary& boundary : boundaries.inputs) {
    stages.items.push_back(make_item(graph, boundary));
    nodes += stages.items.back().graph.nodes.size();
    if (nodes <= kMostShared * graph.nodes.size()) continue;
    fail(ErrorCode::unsupported,
         "the transforms of the network's inputs share so many operators that, copied for each input, they "
         "are more than ",
         kMostShared, " times as large as the whole graph");
  }
  if (!takes_batches(stages)) return std::nullopt;
  return stages;
}

namespace {

// Appends the nodes of a graph and returns the new id of each. Free variables that are there already, by
// name, and those in `given` are not appended again.
std::vector<Value> append_graph(Graph& to, const Graph& from, const std::map<std::string, Value>& given) {
  std::map<std::string, std::int32_t> inputs;
  for (std::size_t id = 0; id < to.nodes.size(); ++id) {
    if (is_stage_input(to.nodes[id])) inputs.emplace(to.nodes[id].name, static_cast<std::int32_t>(id));
  }
  std::vector<Value> first_output;
  const auto translate = [&](Value value) {
    const Value first = first_output[static_cast<std::size_t>(value.node)];
    return Value{first.node, first.index + value.index};
  };
  for (const Node& original : from.nodes) {
    if (is_stage_input(original)) {
      const auto known = given.find(original.name);
      const auto same = inputs.find(original.name);
      if (known != given.end() || same != inputs.end()) {
        first_output.push_back(known != given.end() ? known->second : Value{same->second, 0});
        continue;
      }
    }
    Node node = original;
    for (Value& input : node.inputs) input = translate(input);
    for (std::int32_t& dep : node.control_deps) dep = first_output[static_cast<std::size_t>(dep)].node;
    first_output.push_back({graph::append(to, std::move(node)), 0});
  }
  return first_output;
}

}  // namespace

Graph join_stages(const Stages& stages) {
  Graph joined;
  joined.mxnet_version = stages.rest.mxnet_version;
  joined.was_halves = stages.rest.was_halves;
  std::map<std::string, Value> batches;
  for (const ItemStage& item : stages.items) {
    const auto ids = append_graph(joined, item.graph, {});
    const Value head = item.graph.heads.at(0);
    const Value first = ids[static_cast<std::size_t>(head.node)];
    batches[item.rest_input] = {first.node, first.index + head.index};
  }
  const auto ids = append_graph(joined, stages.rest, batches);
  for (Value head : stages.rest.heads) {
    const Value first = ids[static_cast<std::size_t>(head.node)];
    joined.heads.push_back({first.node, first.index + head.index});
  }
  return joined;
}

}  // namespace mxinfer::passes
