#include "ops/unify.h"

#include <algorithm>

namespace mxinfer::ops {
namespace {

// Calls body for each of them, inputs first.
template <typename Body>
void for_all(PartialShapes& inputs, PartialShapes& outputs, const Body& body) {
  for (PartialShape& shape : inputs) body(shape);
  for (PartialShape& shape : outputs) body(shape);
}

}  // namespace

bool is_known(const PartialShape& shape) {
  return shape &&
         std::none_of(shape->begin(), shape->end(), [](std::int64_t dim) { return dim == kUnknown; });
}

void unify(std::int64_t& a, std::int64_t& b) {
  if (a == kUnknown) a = b;
  if (b == kUnknown) b = a;
}

void unify(PartialShape& a, PartialShape& b) {
  if (!a) a = b;
  if (!b) b = a;
  if (!a || a->rank() != b->rank()) return;
  for (std::size_t i = 0; i < a->rank(); ++i) unify((*a)[i], (*b)[i]);
}

void learn(PartialShape& shape, Shape stated) {
  PartialShape other = stated;
  unify(shape, other);
}

void unify_equal(const graph::Attrs& /*attrs*/, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape common;
  for_all(inputs, outputs, [&](PartialShape& shape) { unify(common, shape); });
  for_all(inputs, outputs, [&](PartialShape& shape) { unify(common, shape); });
}

void unify_except(std::int64_t axis, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape common;
  const auto share = [&](PartialShape& shape) {
    PartialShape part = shape ? shape : common;
    if (!part) return;
    const auto rank = static_cast<std::int64_t>(part->rank());
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) return;
    const std::int64_t own = shape ? (*shape)[static_cast<std::size_t>(at)] : kUnknown;
    (*part)[static_cast<std::size_t>(at)] = kUnknown;
    unify(common, part);
    (*part)[static_cast<std::size_t>(at)] = own;
    shape = part;
  };
  for_all(inputs, outputs, share);
  for_all(inputs, outputs, share);
}

}  // namespace mxinfer::ops
