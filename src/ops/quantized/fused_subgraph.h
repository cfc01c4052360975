// What nodes that MXNet fused for oneDNN (_sg_mkldnn_conv, _sg_mkldnn_fully_connected) keep in their
// subgraphs: the operators that they were, in a chain, whose variables are the node's inputs in order.
#pragma once

#include "ops/quantized/ranges.h"

namespace mxinfer::ops {

/// Whether the node is one of theirs.
bool is_fused_for_onednn(const graph::Node& node);

/// Adds what its subgraph says to the attributes of such a node, before its inputs and outputs are counted;
/// does nothing to others. Throws Error(malformed) if they contradict each other.
void read_fused_subgraph(graph::Node& node);
/// The same for one of the two.
void read_fused_convolution(graph::Node& node);
void read_fused_rows(graph::Node& node);

/// The operators of a chain; null for those that it does not have.
struct FusedChain {
  const graph::Node *product = nullptr, *batch_norm = nullptr, *before = nullptr, *sum = nullptr,
                    *after = nullptr;
};

/// The chain of a node: an operator `product`, then perhaps a BatchNorm, an activation, an elemwise_add with
/// an input of the node, and another activation. Throws Error(malformed) for any other subgraph, and for one
/// whose variables are not in the order data, weight, bias, gamma, beta, mean, var, sum.
FusedChain fused_chain(const graph::Node& node, const std::string& product);

/// Attributes that say what an activation is, under `prefix`, and the activation that they say.
void set_activation(Attrs& attrs, const std::string& prefix, const graph::Node* activation);
void set_activation(Attrs& attrs, const std::string& prefix, const kernels::PostOps& function);
kernels::PostOps activation_of(const Attrs& attrs, const std::string& prefix);

}  // namespace mxinfer::ops
