#include "passes/passes.h"

namespace mxinfer::passes {

void optimize(graph::Graph& graph) {
  remove_identities(graph);
  fuse_image_chain(graph);
  fold_batch_norm(graph);
  fuse_residual(graph);
  fuse_activation(graph);
  specialize_subgraphs(graph);
}

}  // namespace mxinfer::passes
