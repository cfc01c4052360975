#include "plan/lower/device_placement.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/fail.h"
#include "ops/backend.h"
#include "ops/registry.h"
#include "plan/lower/node_view.h"
#include "plan/lower/stored_halves.h"

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
    graph_.was_halves = graph.was_halves;
  }

  Placement place() {
    std::vector<bool> on_device;
    for (std::size_t id = 0; id < from_.nodes.size(); ++id)
      on_device.push_back(runs_on_device(from_, types_, id, options_));
    if (stored_type(options_) != DType::float32) stored_ = store_halves(from_, types_, on_device, options_);
    for (std::size_t id = 0; id < from_.nodes.size(); ++id) place(id, on_device[id]);
    for (const graph::Value head : from_.heads)
      graph_.heads.push_back(value_as(options_.operands_on_device, type_of(head).dtype, head));
    placement_.made = std::move(graph_);
    return std::move(placement_);
  }

 private:
  void place(std::size_t id, bool runs_on_device) {
    graph::Node node = from_.nodes[id];
    const bool is_given = node.is_variable() && options_.operands_on_device;
    const bool on_device = is_given || runs_on_device;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const DType dtype = stored_.empty() ? type_of(node.inputs[i]).dtype : stored_[id].inputs[i];
      node.inputs[i] = value_as(on_device, dtype, node.inputs[i]);
    }
    for (std::int32_t& dependency : node.control_deps)
      dependency = ids_[static_cast<std::size_t>(dependency)];
    std::vector<ops::TensorType> types = types_[id];
    for (std::size_t o = 0; o < types.size() && !stored_.empty(); ++o)
      types[o] = stored_as(types[o], stored_[id].outputs[o]);
    if (!stored_.empty() && !stored_[id].note.empty()) node.notes.push_back(stored_[id].note);
    ids_[id] = add(std::move(node), std::move(types), on_device);
  }

  const ops::TensorType& type_of(graph::Value given) const {
    return types_[static_cast<std::size_t>(given.node)][static_cast<std::size_t>(given.index)];
  }
  static ops::TensorType stored_as(ops::TensorType type, DType dtype) {
    type.is_stored_half = dtype != DType::float32 && (type.is_stored_half || dtype != type.dtype);
    type.dtype = dtype;
    return type;
  }

  std::int32_t add(graph::Node node, std::vector<ops::TensorType> types, bool on_device) {
    placement_.types.push_back(std::move(types));
    placement_.on_device.push_back(on_device);
    return graph::append(graph_, std::move(node));
  }

  // A value of the given graph on the side of its reader, in the type that this one reads.
  graph::Value value_as(bool device, DType dtype, graph::Value given) {
    graph::Value value{ids_[static_cast<std::size_t>(given.node)], given.index};
    const auto producer = static_cast<std::size_t>(value.node);
    if (graph_.nodes[producer].constant != nullptr) return value;
    if (placement_.on_device[producer]) value = in_type(dtype, value);
    if (placement_.on_device[producer] != device) value = on_side(device, value);
    return device ? in_type(dtype, value) : value;
  }

  // On the other side. One copy serves all readers.
  graph::Value on_side(bool device, graph::Value value) {
    const auto producer = static_cast<std::size_t>(value.node);
    const auto [found, is_new] = copies_.try_emplace({value.node, value.index});
    if (!is_new) return found->second;
    const std::string target = device ? options_.device->name() : "host";
    graph::Node copy = ops::make_node(concat(graph_.nodes[producer].name, "_to_", target),
                                      device ? kToDevice : kToHost, {}, {value});
    const ops::TensorType type = placement_.types[producer][static_cast<std::size_t>(value.index)];
    return found->second = {add(std::move(copy), {type}, device), 0};
  }

  // A value on the device in the type that its reader takes. One cast serves all readers: a value has two
  // types at most.
  graph::Value in_type(DType dtype, graph::Value value) {
    const auto producer = static_cast<std::size_t>(value.node);
    const ops::TensorType type = placement_.types[producer][static_cast<std::size_t>(value.index)];
    if (type.dtype == dtype) return value;
    const auto [found, is_new] = casts_.try_emplace({value.node, value.index});
    if (!is_new) return found->second;
    const std::string name = concat(graph_.nodes[producer].name, "_", to_string(dtype));
    graph::Node cast = ops::make_node(name, "Cast", {{"dtype", to_string(dtype)}}, {value});
    return found->second = {add(std::move(cast), {stored_as(type, dtype)}, true), 0};
  }

  const graph::Graph& from_;
  const shapes::ValueTypes& types_;
  const PlanOptions& options_;
  std::vector<std::int32_t> ids_;   ///< by node of from_
  std::vector<StoredNode> stored_;  ///< by node of from_; empty if values are stored as in the graph
  std::map<std::pair<std::int32_t, std::int32_t>, graph::Value> copies_, casts_;
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

DeviceCopy device_copy(const graph::Node& node) {
  if (node.op_name == kToDevice) return DeviceCopy::to_device;
  return node.op_name == kToHost ? DeviceCopy::to_host : DeviceCopy::none;
}

bool reads_device(const Placement& placement, std::size_t id) {
  return node_is_on_device(placement, id) || placement.graph().nodes[id].op_name == kToHost;
}

}  // namespace mxinfer::plan
