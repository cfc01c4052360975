#include "ops/op_def.h"

#include <algorithm>

#include "base/files/aligned_memory.h"
#include "ops/layout/layout_rewriter.h"

namespace mxinfer::ops {
namespace {

PortNames stated_inputs(const OpDef& op, const Attrs& attrs) {
  return op.inputs ? op.inputs(attrs) : PortNames{{"data"}};
}

PortNames stated_outputs(const OpDef& op, const Attrs& attrs) {
  return op.outputs ? op.outputs(attrs) : PortNames{{"output"}};
}

std::size_t number_of_ports(const PortNames& ports, const Attrs& attrs) {
  const std::size_t stated =
      ports.count_attr.empty() ? ports.count : static_cast<std::size_t>(attrs.integer(ports.count_attr));
  return std::max(ports.names.size(), stated);
}

std::string name_of(const PortNames& ports, std::size_t i, std::string_view prefix) {
  return i < ports.names.size() ? ports.names[i] : concat(prefix, i);
}

PortNames expand(PortNames ports, const Attrs& attrs, std::string_view prefix) {
  const std::size_t count = number_of_ports(ports, attrs);
  for (std::size_t i = ports.names.size(); i < count; ++i) ports.names.push_back(name_of(ports, i, prefix));
  if (!ports.count_attr.empty()) ports.fixed = true;
  return ports;
}

}  // namespace

std::shared_ptr<const Subplan> LowerContext::subplan(std::size_t k,
                                                     const std::vector<TensorType>& /*inputs*/) {
  fail(ErrorCode::internal, "subgraph ", k, " was asked for where there are none");
}

void require_possible(const TensorType& type) {
  std::optional<std::int64_t> bytes = static_cast<std::int64_t>(size_of(type.dtype));
  for (const std::int64_t dim : type.shape) {
    if (dim < 0) {
      fail(ErrorCode::invalid_argument, "shape ", to_string(type.shape),
           " has a dimension that is not known");
    }
    bytes = checked_mul(*bytes, std::max<std::int64_t>(dim, 1));
    if (bytes && static_cast<std::size_t>(*bytes) <= kMostBytes) continue;
    fail(ErrorCode::invalid_argument, "a tensor of ", to_string(type), " is too large: more than ",
         kMostBytes >> 40, " TiB, sizes of 0 counted as 1");
  }
}

std::string to_string(const TensorType& type) {
  return concat(mxinfer::to_string(type.dtype), " ", mxinfer::to_string(type.shape));
}

std::string labelled(std::string_view name, kernels::Target target) {
  return concat(name, " [", kernels::to_string(target), "]");
}

std::string ref_kernel(std::string_view function, DType dtype) {
  return concat(function, "_ref_", mxinfer::to_string(dtype), " [ref]");
}

PortsFn named_ports(std::vector<std::string> names) {
  return [names = std::move(names)](const Attrs&) { return PortNames{names}; };
}

PortsFn counted_ports(std::string count_attr) {
  return [count_attr = std::move(count_attr)](const Attrs&) { return PortNames{{}, false, count_attr}; };
}

PortsFn any_ports() {
  return [](const Attrs&) { return PortNames{{}, false}; };
}

PortNames input_ports(const OpDef& op, const Attrs& attrs) {
  return expand(stated_inputs(op, attrs), attrs, "arg");
}

PortNames output_ports(const OpDef& op, const Attrs& attrs) {
  return expand(stated_outputs(op, attrs), attrs, "output");
}

std::size_t output_count(const OpDef& op, const Attrs& attrs) {
  return number_of_ports(stated_outputs(op, attrs), attrs);
}

std::string mxnet_output_name(const graph::Graph& graph, graph::Value value) {
  const graph::Node& node = graph.nodes[static_cast<std::size_t>(value.node)];
  if (node.op == nullptr) return graph::value_name(graph, value);
  const PortNames ports = stated_outputs(*node.op, node.attrs);
  const auto index = static_cast<std::size_t>(value.index);
  return index < number_of_ports(ports, node.attrs) ? node.name + "_" + name_of(ports, index, "output")
                                                    : graph::value_name(graph, value);
}

std::string output_name(const graph::Graph& graph, graph::Value value) {
  const graph::Node& node = graph.nodes[static_cast<std::size_t>(value.node)];
  const auto index = static_cast<std::size_t>(value.index);
  return index < node.value_names.size() ? node.value_names[index] : mxnet_output_name(graph, value);
}

bool has_implementation(const OpDef& op) {
  return op.lower != nullptr || op.implementations != nullptr;
}

bool follows_bfloat16(const graph::Node& node) {
  return node.op->traits.follows_bfloat16 != nullptr && !node.post_ops.residual &&
         node.op->traits.follows_bfloat16(node);
}

bool keeps_shape(const Traits& traits) {
  return traits.keeps_shape || traits.elementwise == Elementwise::same_shape;
}

bool keeps_channels(const Traits& traits) {
  return traits.keeps_channels || keeps_shape(traits) || traits.elementwise == Elementwise::broadcast;
}

std::optional<OutputRank> output_rank(const Traits& traits, const graph::Attrs& attrs) {
  if (traits.output_rank != nullptr) return traits.output_rank(attrs);
  return keeps_shape(traits) ? std::optional(kSameRank) : std::nullopt;
}

bool is_per_sample(const Traits& traits, const graph::Attrs& attrs, std::size_t rank) {
  if (traits.per_sample != nullptr) return traits.per_sample(attrs, rank);
  return traits.elementwise == Elementwise::same_shape;
}

bool has_batched_inputs(const Traits& traits) {
  return traits.batched_inputs || traits.elementwise == Elementwise::same_shape;
}

LayoutRule layout_rule(const Traits& traits) {
  if (traits.channels_last != nullptr) return traits.channels_last;
  switch (traits.elementwise) {
    case Elementwise::same_shape:
      return elementwise_layout;
    case Elementwise::broadcast:
      return broadcast_layout;
    case Elementwise::no:
      break;
  }
  return nullptr;
}

bool always_per_sample(const graph::Attrs& /*attrs*/, std::size_t /*rank*/) {
  return true;
}

bool strided_float32(const graph::Node& /*node*/, DType dtype, std::size_t /*rank*/) {
  return dtype == DType::float32;
}

std::optional<OutputRank> always_same_rank(const graph::Attrs& /*attrs*/) {
  return kSameRank;
}

bool always_follows(const graph::Node& /*node*/) {
  return true;
}

}  // namespace mxinfer::ops
