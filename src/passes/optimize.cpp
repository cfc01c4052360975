#include "passes/passes.h"
#include "passes/propagate_stride.h"

namespace mxinfer::passes {

void simplify(graph::Graph& graph) {
  remove_identities(graph);
  fuse_image_chain(graph);
  fold_batch_norm(graph);
  fuse_residual(graph);
  fuse_activation(graph);
  propagate_stride(graph);
}

void optimize(graph::Graph& graph) {
  simplify(graph);
  channels_last(graph);
  fuse_separable(graph);
  specialize_subgraphs(graph);
}

}  // namespace mxinfer::passes
