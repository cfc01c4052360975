#include <algorithm>

#include "kernels/conv/conv.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/goal.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;

// A convolution of images that rows of its outputs can be asked of: few input channels, in two dimensions.
bool is_first_convolution(const graph::Graph& graph, const Node& node) {
  if (node.op == nullptr || node.op->name != "_mxinfer_convolution_nhwc" || node.post_ops.residual)
    return false;
  const Parameter* weight = float_parameter(graph, node, 1);
  if (weight == nullptr || weight->shape().rank() != 4) return false;
  const std::vector<std::int64_t> dilate = node.attrs.tuple("dilate");
  kernels::ConvProblem shape;
  shape.groups = node.attrs.integer("num_group");
  shape.channels = weight->shape()[1] * shape.groups;
  shape.dilate[2] = dilate.empty() ? 1 : dilate.back();
  return kernels::reads_nchw(shape);
}

// The largest values of windows of channels-last images.
bool is_max_pooling(const Node& node) {
  return node.op != nullptr && node.op->name == "Pooling" && node.post_ops.empty() &&
         node.attrs.choice("pool_type") == "max" && !node.attrs.flag("global_pool") &&
         node.attrs.choice("pooling_convention") != "same" && node.attrs.has("layout") &&
         node.attrs.choice("layout") == "NHWC" && node.attrs.tuple("kernel").size() == 2;
}

Node fuse(const Node& convolution, const Node& pooling) {
  Node fused = convolution;
  fused.name = pooling.name;
  fused.op = ops::find_op("_mxinfer_convolution_pool_nhwc");
  fused.op_name = pooling.op_name;
  for (const char* name : {"kernel", "stride", "pad"})
    fused.attrs.set(std::string("pool_") + name, pooling.attrs.optional_tuple(name), true);
  fused.attrs.set("pool_convention", pooling.attrs.choice("pooling_convention"));
  fused.inner_post_ops = {convolution.post_ops};
  fused.post_ops = {};
  fused.notes.push_back("convolution '" + convolution.name + "' fused in");
  return fused;
}

}  // namespace

// Behind channels_last: a convolution of few input channels, as a network's first one, with the max pooling
// that alone reads it.
void fuse_pooling(graph::Graph& graph, const Goal& goal) {
  const auto uses = graph::count_uses(graph);
  for (Node& pooling : graph.nodes) {
    if (!is_max_pooling(pooling)) continue;
    const auto id = static_cast<std::size_t>(pooling.inputs[0].node);
    const bool is_alone = uses[id][0] == 1 && is_first_convolution(graph, graph.nodes[id]);
    const bool becomes_bfloat16 = goal.precision == kernels::Precision::bfloat16 && is_alone &&
                                  has_bfloat16_form(graph, graph.nodes[id]);
    if (is_alone && !becomes_bfloat16) pooling = fuse(graph.nodes[id], pooling);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
