#include "plan/lower/device_placement.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/fail.h"
#include "ops/backend.h"
#include "ops/registry.h"
#include "plan/lower/node_view.h"

namespace mxinfer::plan {
namespace {

constexpr const char* kToDevice = "_mxinfer_copy_to_device";
constexpr const char* kToHost = "_mxinfer_copy_to_host";

bool runs_on_device(const graph::Graph& graph, const shapes::ValueTypes& types, std::size_t id,
                    const PlanOptions& options) {
  const graph::Node& node = graph.nodes[id];
  if (node.is_variable()) return false;
  const bool empty = std::all_of(types[id].begin(), types[id].end(),
                                 [](const auto& type) { return ops::bytes_of(type) == 0; });
  if (empty) return false;
  const NodeProblem problem(graph, types, id, options);
  return in_context([&] { return graph::describe(node); },
                    [&] { return !ops::accepted(options.backend->implementations(problem)).empty(); });
}

class Placer {
 public:
  Placer(const graph::Graph& graph, const shapes::ValueTypes& types, const PlanOptions& options)
      : from_(graph), types_(types), options_(options), ids_(graph.nodes.size()) {
    graph_.attrs = graph.attrs;
    graph_.unknown_keys = graph.unknown_keys;
    graph_.mxnet_version = graph.mxnet_version;
  }

  Placement place() {
    for (std::size_t id = 0; id < from_.nodes.size(); ++id) {
      graph::Node node = from_.nodes[id];
      const bool is_given = from_.nodes[id].is_variable() && options_.operands_on_device;
      const bool on_device = is_given || runs_on_device(from_, types_, id, options_);
      for (graph::Value& input : node.inputs) input = value_on(on_device, input);
      for (std::int32_t& dependency : node.control_deps)
        dependency = ids_[static_cast<std::size_t>(dependency)];
      ids_[id] = add(std::move(node), types_[id], on_device);
    }
    for (const graph::Value head : from_.heads)
      graph_.heads.push_back(value_on(options_.operands_on_device, head));
    placement_.made = std::move(graph_);
    return std::move(placement_);
  }

 private:
  std::int32_t add(graph::Node node, std::vector<ops::TensorType> types, bool on_device) {
    placement_.types.push_back(std::move(types));
    placement_.on_device.push_back(on_device);
    return graph::append(graph_, std::move(node));
  }

  // A value of the given graph on the side of its reader. One copy serves all readers.
  graph::Value value_on(bool device, graph::Value given) {
    const graph::Value value{ids_[static_cast<std::size_t>(given.node)], given.index};
    const auto producer = static_cast<std::size_t>(value.node);
    const bool is_parameter = graph_.nodes[producer].constant != nullptr;
    if (is_parameter || placement_.on_device[producer] == device) return value;
    const auto [found, is_new] = copies_.try_emplace({value.node, value.index});
    if (!is_new) return found->second;
    const std::string target = device ? options_.device->name() : "host";
    graph::Node copy = ops::make_node(concat(graph_.nodes[producer].name, "_to_", target),
                                      device ? kToDevice : kToHost, {}, {value});
    const ops::TensorType type = placement_.types[producer][static_cast<std::size_t>(value.index)];
    return found->second = {add(std::move(copy), {type}, device), 0};
  }

  const graph::Graph& from_;
  const shapes::ValueTypes& types_;
  const PlanOptions& options_;
  std::vector<std::int32_t> ids_;  ///< by node of from_
  std::map<std::pair<std::int32_t, std::int32_t>, graph::Value> copies_;
  graph::Graph graph_;  ///< with the copies
  Placement placement_;
};

}  // namespace

Placement place_on_device(const graph::Graph& graph, const shapes::ValueTypes& types,
                          const PlanOptions& options) {
  return Placer(graph, types, options).place();
}

bool node_is_on_device(const Placement& placement, std::size_t id) {
  return placement.on_device[id] && placement.graph().nodes[id].op_name != kToDevice;
}

bool is_device_copy(const graph::Node& node) {
  return node.op_name == kToDevice || node.op_name == kToHost;
}

bool reads_device(const Placement& placement, std::size_t id) {
  return node_is_on_device(placement, id) || placement.graph().nodes[id].op_name == kToHost;
}

}  // namespace mxinfer::plan
