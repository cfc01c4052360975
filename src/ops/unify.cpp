#include "ops/unify.h"

#include <algorithm>

#include "base/checked.h"

namespace mxinfer::ops {
namespace {

// Calls body for each of them, inputs first.
template <typename Body>
void for_all(PartialShapes& inputs, PartialShapes& outputs, const Body& body) {
  for (PartialShape& shape : inputs) body(shape);
  for (PartialShape& shape : outputs) body(shape);
}

// `from` if its dimension d, or the dimension that goes to d, is dimension order[d].
PartialShape permuted(const PartialShape& from, const std::vector<std::size_t>& order, bool back) {
  if (!from || from->rank() != order.size()) return std::nullopt;
  PartialShape to = from;
  for (std::size_t d = 0; d < order.size(); ++d) {
    if (back) {
      (*to)[order[d]] = (*from)[d];
    } else {
      (*to)[d] = (*from)[order[d]];
    }
  }
  return to;
}

void unify_last(Shape& shape, std::int64_t size) {
  unify(shape[shape.rank() - 1], size);
}

void learn_size(std::int64_t& size, std::int64_t stated) {
  unify(size, stated);
}

// Beside a constant, or another value of which all is known.
void take_rank(PartialShape& shape, const PartialShape& other, const PartialShape& out) {
  if (shape || !is_known(other)) return;
  if (out) {
    shape = open_shape(out->rank());
  } else if (other->rank() > 1) {
    shape = open_shape(other->rank());
  }
}

// The dimension that is `from_end` from the end; nullptr if there is none.
std::int64_t* dimension(PartialShape& shape, std::size_t from_end) {
  return from_end < shape->rank() ? &(*shape)[shape->rank() - 1 - from_end] : nullptr;
}

void unify_broadcast_sizes(std::int64_t& a, std::int64_t& b, std::int64_t& out) {
  if (a > 1) {
    learn_size(b, a);
  } else if (b > 1) {
    learn_size(a, b);
  }
  if (a == 1) unify(b, out);
  if (b == 1) unify(a, out);
  if (a != kUnknown && b != kUnknown) learn_size(out, a == 1 ? b : a);
}

// The product of the known sizes, and the one that is not known.
struct KnownSizes {
  std::int64_t product = 1;
  std::int64_t* unknown = nullptr;
  bool is_usable = true;  ///< at most one is unknown, none is 0, and the product is a number
};

KnownSizes known_sizes(Shape& shape, std::size_t begin) {
  KnownSizes sizes;
  for (std::size_t i = begin; i < shape.rank(); ++i) {
    if (shape[i] == kUnknown) {
      sizes.is_usable = sizes.is_usable && sizes.unknown == nullptr;
      sizes.unknown = &shape[i];
      continue;
    }
    const auto product = checked_mul(sizes.product, shape[i]);
    sizes.is_usable = sizes.is_usable && product && *product > 0;
    sizes.product = product.value_or(1);
  }
  return sizes;
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

PartialShape open_shape(std::size_t rank) {
  Shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.push_back(kUnknown);
  return shape;
}

void unify_batch(const graph::Attrs& /*attrs*/, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &in = inputs[0], &out = outputs[0];
  if (in && !out) out = open_shape(in->rank());
  if (out && !in) in = open_shape(out->rank());
  if (in && in->rank() == out->rank() && in->rank() > 0) unify((*in)[0], (*out)[0]);
}

void unify_first(const graph::Attrs& /*attrs*/, PartialShapes& inputs, PartialShapes& outputs) {
  unify(inputs[0], outputs[0]);
}

void unify_rows(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &data = inputs[0], &out = outputs[0];
  const PartialShape& weight = inputs[1];
  const std::int64_t hidden = attrs.integer("num_hidden");
  if (!attrs.flag("flatten")) {
    PartialShapes in{data}, made{out};
    unify_except(-1, in, made);
    data = in[0];
    out = made[0];
    if (out && out->rank() > 0) unify_last(*out, hidden);
    if (weight && weight->rank() == 2 && data && data->rank() > 0) unify_last(*data, (*weight)[1]);
    return;
  }
  if (weight && weight->rank() == 2 && !data) data = Shape{kUnknown, (*weight)[1]};
  if (!data || data->rank() == 0) return;
  if (weight && weight->rank() == 2 && data->rank() == 2) unify_last(*data, (*weight)[1]);
  learn(out, Shape{(*data)[0], hidden});
  if (out->rank() == 2) unify((*data)[0], (*out)[0]);
}

void unify_with_weight(std::optional<Shape> (*input_shape)(const graph::Attrs& attrs, const Shape& weight),
                       const graph::Attrs& attrs, PartialShapes& inputs) {
  if (inputs.size() < 2 || !inputs[1]) return;
  if (const auto shape = input_shape(attrs, *inputs[1])) learn(inputs[0], *shape);
}

void unify_axis(PartialShape& shape, std::int64_t axis, const PartialShape& parameter) {
  if (!shape || !parameter || parameter->rank() != 1) return;
  const auto rank = static_cast<std::int64_t>(shape->rank());
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  if (at >= 0 && at < rank) learn_size((*shape)[static_cast<std::size_t>(at)], (*parameter)[0]);
}

void unify_broadcast(const graph::Attrs& /*attrs*/, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &a = inputs[0], &b = inputs[1], &out = outputs[0];
  take_rank(a, b, out);
  take_rank(b, a, out);
  if (!a || !b) return;
  if (!out) out = open_shape(std::max(a->rank(), b->rank()));
  for (std::size_t i = 0; i < out->rank(); ++i) {
    std::int64_t one_a = 1, one_b = 1;
    std::int64_t *const size_a = dimension(a, i), *const size_b = dimension(b, i);
    unify_broadcast_sizes(size_a != nullptr ? *size_a : one_a, size_b != nullptr ? *size_b : one_b,
                          *dimension(out, i));
  }
}

void unify_elements(Shape& a, Shape& b, std::size_t same) {
  for (std::size_t i = 0; i < same; ++i) unify(a[i], b[i]);
  const KnownSizes left = known_sizes(a, same), right = known_sizes(b, same);
  if (!left.is_usable || !right.is_usable) return;
  if (left.unknown != nullptr && right.unknown != nullptr) {
    if (left.product == right.product) unify(*left.unknown, *right.unknown);
  } else if (left.unknown != nullptr && right.product % left.product == 0) {
    *left.unknown = right.product / left.product;
  } else if (right.unknown != nullptr && left.product % right.product == 0) {
    *right.unknown = left.product / right.product;
  }
}

void unify_permuted(const std::vector<std::size_t>& order, PartialShape& input, PartialShape& output) {
  PartialShape turned = permuted(output, order, true);
  unify(input, turned);
  turned = permuted(input, order, false);
  unify(output, turned);
}

}  // namespace mxinfer::ops
