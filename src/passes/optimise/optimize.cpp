#include "passes/optimise/propagate_stride.h"
#include "passes/passes.h"

namespace mxinfer::passes {

void simplify(graph::Graph& graph) {
  remove_identities(graph);
  merge_duplicates(graph);
  read_shapes_early(graph);
  fuse_image_chain(graph);
  fold_batch_norm(graph);
  fold_ahead_of_products(graph);
  fuse_residual(graph);
  fuse_activation(graph);
  propagate_stride(graph);
}

void optimize(graph::Graph& graph) {
  simplify(graph);
  channels_last(graph);
  fuse_prelu(graph);
  fuse_gated_activation(graph);
  fold_ahead_of_convolutions(graph);
  merge_groups(graph);
  fuse_separable(graph);
  fuse_pooling(graph);
  specialize_subgraphs(graph);
  fuse_elementwise(graph);
}

}  // namespace mxinfer::passes
