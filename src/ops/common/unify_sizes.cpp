#include "ops/common/unify_sizes.h"

namespace mxinfer::ops {
namespace {

PartialShape open_shape(std::size_t rank) {
  Shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.push_back(kUnknown);
  return shape;
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

}  // namespace

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
  learn(out, Shape{(*data)[0], hidden});
  if (out->rank() == 2) unify((*data)[0], (*out)[0]);
}

void unify_permuted(const std::vector<std::size_t>& order, PartialShape& input, PartialShape& output) {
  PartialShape turned = permuted(output, order, true);
  unify(input, turned);
  turned = permuted(input, order, false);
  unify(output, turned);
}

}  // namespace mxinfer::ops
