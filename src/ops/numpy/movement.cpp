// The same elements in another order: _np_moveaxis, _np_roll, _npi_rot90.
#include <algorithm>
#include <cstddef>

#include "ops/common/axes.h"
#include "ops/common/copy_step.h"

namespace mxinfer::ops {
namespace {

using Axes = std::vector<std::size_t>;

/// The input's dimension that becomes each of the output's.
Axes moved_order(const Attrs& attrs, const Shape& shape) {
  const std::size_t rank = shape.rank();
  const Axes from = resolve_axes("source", attrs.tuple("source"), rank);
  const Axes to = resolve_axes("destination", attrs.tuple("destination"), rank);
  if (from.size() != to.size()) {
    fail(ErrorCode::invalid_argument, "source and destination have ", from.size(), " and ", to.size(),
         " entries; they must have the same number");
  }
  Axes order(rank, rank);
  for (std::size_t i = 0; i < from.size(); ++i) order[to[i]] = from[i];
  std::size_t next = 0;
  for (std::size_t& d : order) {
    if (d != rank) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    d = next++;
  }
  return order;
}

std::vector<TensorType> infer_moveaxis(const InferContext& context) {
  Shape shape;
  for (const std::size_t d : moved_order(context.attrs, context.shape(0)))
    shape.push_back(context.shape(0)[d]);
  return {{context.dtype(0), shape}};
}

Step lower_moveaxis(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const auto strides = row_major_strides(in);
  Walk walk(context.output(0).shape);
  const Axes order = moved_order(context.attrs(), in);
  for (std::size_t d = 0; d < order.size(); ++d) walk.src_strides[d] = strides[order[d]];
  return copy_step(context, {{0, 0, walk}});
}

struct Turn {
  std::size_t first = 0, second = 1;
  int quarters = 0;  ///< 0 to 3, from the first axis towards the second
};

Turn turn_of(const Attrs& attrs, const Shape& shape) {
  const auto axes = attrs.has("axes") ? attrs.tuple("axes") : std::vector<std::int64_t>{};
  if (axes.size() != 2) {
    fail(ErrorCode::invalid_argument, "axes has ", axes.size(), " entries; the two of a plane are expected");
  }
  const Axes plane = resolve_axes("axes", axes, shape.rank());
  const std::int64_t k = attrs.integer("k") % 4;
  return {plane[0], plane[1], static_cast<int>(k < 0 ? k + 4 : k)};
}

std::vector<TensorType> infer_rot90(const InferContext& context) {
  Shape shape = context.shape(0);
  const Turn turn = turn_of(context.attrs, shape);
  if (turn.quarters % 2 == 1) std::swap(shape[turn.first], shape[turn.second]);
  return {{context.dtype(0), shape}};
}

Step lower_rot90(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const Turn turn = turn_of(context.attrs(), in);
  Walk walk(context.output(0).shape);
  walk.src_strides = row_major_strides(in);
  const auto reverse = [&](std::size_t d) {
    walk.src_offset += (in[d] - 1) * walk.src_strides[d];
    walk.src_strides[d] = -walk.src_strides[d];
  };
  if (turn.quarters == 2 || turn.quarters == 3) reverse(turn.first);
  if (turn.quarters == 1 || turn.quarters == 2) reverse(turn.second);
  if (turn.quarters % 2 == 1) std::swap(walk.src_strides[turn.first], walk.src_strides[turn.second]);
  return copy_step(context, {{0, 0, walk}});
}

/// By dimension of `shape`, how far elements go, 0 to its size - 1.
std::vector<std::int64_t> shifts_along(const Attrs& attrs, const Shape& shape) {
  if (!attrs.has("shift")) fail(ErrorCode::malformed, "attribute shift has no value");
  auto by = attrs.tuple("shift");
  const Axes axes = resolve_axes("axis", attrs.tuple("axis"), shape.rank());
  if (by.size() == 1) by.resize(axes.size(), by[0]);
  if (by.size() != axes.size()) {
    fail(ErrorCode::invalid_argument, "shift and axis have ", by.size(), " and ", axes.size(),
         " entries; they must have the same number, or shift one");
  }
  std::vector<std::int64_t> shifts(shape.rank(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t size = std::max<std::int64_t>(1, shape[axes[i]]), shift = by[i] % size;
    shifts[axes[i]] = shift < 0 ? shift + size : shift;
  }
  return shifts;
}

bool is_flat(const Attrs& attrs) {
  return !attrs.has("axis");
}

Attrs along_all(const Attrs& attrs) {
  Attrs flat = attrs;
  flat.set("axis", graph::IntTuple{0});
  return flat;
}

std::vector<TensorType> infer_roll(const InferContext& context) {
  const Shape& shape = context.shape(0);
  if (is_flat(context.attrs)) {
    (void)shifts_along(along_all(context.attrs), Shape{shape.elements()});
  } else {
    (void)shifts_along(context.attrs, shape);
  }
  return {context.inputs[0]};
}

/// Cuts the walk from dimension d on in two where a shift wraps around.
void add_parts(const Shape& shape, const std::vector<std::int64_t>& shifts, std::size_t d, const Walk& walk,
               std::vector<CopyJob>& jobs) {
  if (d == shape.rank()) {
    jobs.push_back({0, 0, walk});
    return;
  }
  const std::int64_t shift = shifts[d], rest = shape[d] - shift;
  if (shift == 0) return add_parts(shape, shifts, d + 1, walk, jobs);
  Walk front = walk, back = walk;
  front.dims[d] = shift;
  front.src_offset += rest * walk.src_strides[d];
  back.dims[d] = rest;
  back.dst_offset += shift * walk.dst_strides[d];
  add_parts(shape, shifts, d + 1, front, jobs);
  add_parts(shape, shifts, d + 1, back, jobs);
}

Step lower_roll(LowerContext& context) {
  const bool flat = is_flat(context.attrs());
  const Shape shape = flat ? Shape{context.input(0).shape.elements()} : context.input(0).shape;
  const auto shifts = shifts_along(flat ? along_all(context.attrs()) : context.attrs(), shape);
  std::vector<CopyJob> jobs;
  add_parts(shape, shifts, 0, Walk(shape), jobs);
  return copy_step(context, jobs);
}

}  // namespace

std::vector<OpDef> numpy_movement_ops() {
  return {
      {.name = "_np_moveaxis",
       .summary = "The dimensions `source` at the places `destination`, the others in their order.",
       .attrs = {tuple_attr("source"), tuple_attr("destination")},
       .inputs = named_ports({"a"}),
       .traits = {.output_rank = always_same_rank},
       .infer = infer_moveaxis,
       .lower = lower_moveaxis},
      {.name = "_npi_rot90",
       .summary = "Each matrix in the two dimensions `axes`, turned by k quarters from the first towards the "
                  "second.",
       .attrs = {integer_attr("k", 1), tuple_attr("axes", "None")},
       .traits = {.output_rank = always_same_rank},
       .infer = infer_rot90,
       .lower = lower_rot90},
      {.name = "_np_roll",
       .summary =
           "Elements moved by `shift` along each of `axis`, those that leave at one end come in at the "
           "other; without axis, of the flattened input.",
       .attrs = {tuple_attr("shift", "None"), tuple_attr("axis", "None")},
       .traits = {.keeps_shape = true},
       .infer = infer_roll,
       .lower = lower_roll},
  };
}

}  // namespace mxinfer::ops
