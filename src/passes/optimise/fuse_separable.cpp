#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;

std::vector<std::int64_t> sizes(const Node& node, const char* name, std::int64_t unset) {
  const std::vector<std::int64_t> given = node.attrs.tuple(name);
  return given.empty() ? std::vector<std::int64_t>(node.attrs.tuple("kernel").size(), unset) : given;
}

bool all(const std::vector<std::int64_t>& numbers, std::int64_t value) {
  for (std::int64_t n : numbers) {
    if (n != value) return false;
  }
  return true;
}

// A channels-last convolution of images with parameters for weight and bias.
bool is_plain(const graph::Graph& graph, const Node& node) {
  return node.op != nullptr && node.op->name == "_mxinfer_convolution_nhwc" && !node.attrs.flag("planes") &&
         !node.attrs.flag("border") && !node.attrs.flag("no_bias") &&
         node.attrs.tuple("kernel").size() == 2 && all(sizes(node, "dilate", 1), 1) &&
         float_parameter(graph, node, 1) != nullptr && float_parameter(graph, node, 2) != nullptr;
}

bool is_pointwise(const graph::Graph& graph, const Node& node) {
  return is_plain(graph, node) && node.attrs.integer("num_group") == 1 && all(sizes(node, "kernel", 1), 1) &&
         all(sizes(node, "stride", 1), 1) && all(sizes(node, "pad", 0), 0);
}

bool is_depthwise(const graph::Graph& graph, const Node& node) {
  const std::int64_t groups = is_plain(graph, node) ? node.attrs.integer("num_group") : 1;
  return groups > 1 && groups == node.attrs.integer("num_filter") &&
         float_parameter(graph, node, 1)->shape()[1] == 1 && !node.post_ops.residual;
}

/// Adds weight and bias of a convolution to the inputs of what it is fused into.
void add_weights(Node& fused, const Node& convolution) {
  fused.inputs.insert(fused.inputs.end(), {convolution.inputs[1], convolution.inputs[2]});
}

/// Adds what its post-ops read.
void add_post_op_inputs(Node& fused, const Node& convolution) {
  fused.inputs.insert(fused.inputs.end(), convolution.inputs.begin() + 3, convolution.inputs.end());
}

Node fuse(const Node* expand, const Node& depthwise, const Node& project) {
  Node fused = project;
  fused.op = ops::find_op("_mxinfer_separable_nhwc");
  fused.attrs = graph::parse_attrs(fused.op->attrs, {{"kernel", "(1, 1)"}, {"num_filter", "1"}});
  for (const char* name : {"kernel", "stride", "pad"})
    fused.attrs.set(name, depthwise.attrs.optional_tuple(name));
  fused.attrs.set("num_filter", project.attrs.integer("num_filter"));
  fused.inputs = {expand != nullptr ? expand->inputs[0] : depthwise.inputs[0]};
  if (expand != nullptr) {
    fused.attrs.set("expand_filters", expand->attrs.integer("num_filter"));
    fused.inner_post_ops.push_back(expand->post_ops);
    fused.notes.push_back("convolution '" + expand->name + "' fused in");
    add_weights(fused, *expand);
  }
  fused.inner_post_ops.push_back(depthwise.post_ops);
  fused.notes.push_back("convolution '" + depthwise.name + "' fused in");
  add_weights(fused, depthwise);
  add_weights(fused, project);
  if (expand != nullptr) add_post_op_inputs(fused, *expand);
  add_post_op_inputs(fused, depthwise);
  add_post_op_inputs(fused, project);
  return fused;
}

}  // namespace

// Behind channels_last: a 1 x 1 convolution, one filter for each channel and a 1 x 1, or the latter two,
// become one operator, if nothing else reads what is between them.
void fuse_separable(graph::Graph& graph, const Goal& /*goal*/) {
  const auto uses = graph::count_uses(graph);
  const auto sole_source = [&](const Node& node) -> const Node* {
    const auto id = static_cast<std::size_t>(node.inputs[0].node);
    return uses[id][0] == 1 ? &graph.nodes[id] : nullptr;
  };
  for (Node& project : graph.nodes) {
    if (!is_pointwise(graph, project)) continue;
    const Node* depthwise = sole_source(project);
    if (depthwise == nullptr || !is_depthwise(graph, *depthwise)) continue;
    const Node* expand = sole_source(*depthwise);
    if (expand != nullptr && (!is_pointwise(graph, *expand) || expand->post_ops.residual)) expand = nullptr;
    project = fuse(expand, *depthwise, project);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
