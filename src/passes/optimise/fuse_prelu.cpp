#include "graph/node_of.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;

// Slopes for each of `filters`, if they are a float32 parameter; one slope for all is repeated. Others
// (one for each sample too) lie along more than the filters.
std::shared_ptr<const Parameter> slopes_of(const Graph& graph, const Node& prelu, std::int64_t filters) {
  const std::shared_ptr<const Parameter> gamma = node_of(graph, prelu.inputs[1]).constant;
  if (!gamma || gamma->dtype() != DType::float32) return nullptr;
  if (gamma->shape() == Shape{filters}) return gamma;
  if (gamma->elements() != 1) return nullptr;
  const auto given = gamma->value();
  Tensor slopes(DType::float32, Shape{filters});
  for (std::int64_t m = 0; m < filters; ++m) slopes.data<float>()[m] = given->data<float>()[0];
  return make_parameter(std::move(slopes));
}

}  // namespace

// Behind channels_last: a convolution multiplies its negative results by slopes (LeakyReLU's prelu) while it
// stores, if nothing else reads them.
void fuse_prelu(Graph& graph, const Goal& /*goal*/) {
  const auto uses = graph::count_uses(graph);
  for (std::size_t id = 0; id < uses.size(); ++id) {
    const Node prelu = graph.nodes[id];
    if (prelu.op == nullptr || prelu.op->name != "_mxinfer_prelu_nhwc" || !prelu.post_ops.empty()) continue;
    const auto producer = static_cast<std::size_t>(prelu.inputs[0].node);
    Node fused = graph.nodes[producer];
    if (fused.op == nullptr || fused.op->name != "_mxinfer_convolution_nhwc" || uses[producer][0] != 1)
      continue;
    if (fused.post_ops.activation != graph::Activation::none) continue;
    Node parameter;
    parameter.name = prelu.name + "_slopes";
    parameter.constant = slopes_of(graph, prelu, fused.attrs.integer("num_filter"));
    if (!parameter.constant) continue;
    fused.inputs.insert(fused.inputs.end() - (fused.post_ops.residual ? 1 : 0),
                        {graph::append(graph, std::move(parameter)), 0});
    fused.post_ops.activation = graph::Activation::prelu;
    fused.notes.push_back("activation '" + prelu.name + "' fused in");
    graph.nodes[id] = std::move(fused);
  }
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
