// _mxinfer_attention: the products, the mask and the softmax of multi-head attention in one operator, which
// the pass fuse_attention makes.
//
//   const AttentionNode attention = attention_node(node);
//   kernels::AttentionArgs args = attention.args;
//   attention.set_data(args, run.inputs, element_bytes);
//   args.dst = run.outputs[0];
#pragma once

#include "kernels/attention/attention.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct AttentionNode {
  kernels::AttentionArgs args{};  ///< without addresses and without the type of elements
  /// The inputs with keys and values; those with queries are input 0. Where they begin there, in elements.
  std::size_t keys = 0, values = 0;
  std::int64_t first_key = 0, first_value = 0;
  std::optional<std::size_t> mask{};  ///< an input

  /// `inputs`: the addresses of all. `bytes`: of an element.
  void set_data(kernels::AttentionArgs& to, const void* const* inputs, std::size_t bytes) const;
};

/// How many of a node's inputs are projections (queries, keys, values): the first ones.
std::size_t attention_projections(const Attrs& attrs);

AttentionNode attention_node(const OpProblem& node);

}  // namespace mxinfer::ops
