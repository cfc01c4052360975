#include "ops/tensor/algebra/unify_products.h"

#include <cstddef>

#include "ops/common/unify_sizes.h"

namespace mxinfer::ops {
namespace {

// The rank of a side beside one of `other`: a product has all dimensions but the two that meet.
std::size_t rank_beside(const Shape& other, const PartialShape& out) {
  const bool tells = out && out->rank() + 1 > other.rank();
  return tells ? out->rank() + 2 - other.rank() : 2;
}

// Whether both ranks are known, or taken, and fit the result's.
bool take_ranks(PartialShape& a, PartialShape& b, PartialShape& out) {
  if (!a && !b) return false;
  if (!a) a = open_shape(rank_beside(*b, out));
  if (!b) b = open_shape(rank_beside(*a, out));
  if (a->rank() == 0 || b->rank() == 0) return false;
  const std::size_t rank = a->rank() + b->rank() - 2;
  if (!out && rank > 0 && rank <= Shape::kMaxRank) out = open_shape(rank);
  return true;
}

// The other dimensions of a side are those of the result from `at` on.
void unify_rest(Shape& side, std::size_t depth, Shape& out, std::size_t at) {
  for (std::size_t d = 0; d < side.rank(); ++d) {
    if (d != depth) unify(side[d], out[at++]);
  }
}

bool take_common_rank(PartialShape& a, PartialShape& b, PartialShape& out) {
  const PartialShape known = a ? a : b ? b : out;
  if (!known || known->rank() < 2) return false;
  for (PartialShape* shape : {&a, &b, &out}) {
    if (!*shape) *shape = open_shape(known->rank());
    if ((*shape)->rank() != known->rank()) return false;
  }
  return true;
}

}  // namespace

void unify_dot(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &a = inputs[0], &b = inputs[1], &out = outputs[0];
  if (!take_ranks(a, b, out)) return;
  const std::size_t depth_a = attrs.flag("transpose_a") ? 0 : a->rank() - 1;
  const std::size_t depth_b = attrs.flag("transpose_b") ? b->rank() - 1 : 0;
  unify((*a)[depth_a], (*b)[depth_b]);
  if (!out || out->rank() + 2 != a->rank() + b->rank()) return;
  unify_rest(*a, depth_a, *out, 0);
  unify_rest(*b, depth_b, *out, a->rank() - 1);
}

void unify_stacked_matrices(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  if (attrs.given("axis") && attrs.integer("axis") != -2) return;
  PartialShape &a = inputs[0], &b = inputs[1], &out = outputs[0];
  if (!take_common_rank(a, b, out)) return;
  const std::size_t last = a->rank() - 1;
  for (std::size_t d = 0; d + 1 < last; ++d) {
    unify((*a)[d], (*b)[d]);
    unify((*a)[d], (*out)[d]);
    unify((*b)[d], (*out)[d]);
  }
  const bool turns_a = attrs.flag("transpose_a"), turns_b = attrs.flag("transpose_b");
  unify((*a)[turns_a ? last - 1 : last], (*b)[turns_b ? last : last - 1]);
  unify((*a)[turns_a ? last : last - 1], (*out)[last - 1]);
  unify((*b)[turns_b ? last - 1 : last], (*out)[last]);
  if (inputs.size() > 2) unify(inputs[2], out);
}

}  // namespace mxinfer::ops
