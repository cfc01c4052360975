// Inputs side by side, with NumPy's rules: _npi_concatenate, _npi_vstack, _npi_hstack, _npi_dstack,
// _npi_column_stack. Each input is brought to a shape that has the axis, and concatenated along it.
#include <algorithm>

#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

/// The shapes under which inputs are joined, and the axis.
struct Join {
  std::vector<Shape> parts{};
  std::size_t axis = 0;
};

using JoinFn = Join (*)(const Attrs& attrs, const std::vector<Shape>& shapes);

Join flat_join(const std::vector<Shape>& shapes) {
  Join join;
  for (const Shape& shape : shapes) join.parts.push_back(Shape{shape.elements()});
  return join;
}

Join concatenated(const Attrs& attrs, const std::vector<Shape>& shapes) {
  if (!attrs.has("axis")) return flat_join(shapes);
  return {shapes, resolve_axis("axis", attrs.integer("axis"), shapes[0].rank())};
}

Shape as_row(Shape shape) {
  if (shape.empty()) shape.push_back(1);
  if (shape.rank() == 1) shape.insert(0, 1);
  return shape;
}

Join vstacked(const Attrs&, const std::vector<Shape>& shapes) {
  Join join;
  for (const Shape& shape : shapes) join.parts.push_back(as_row(shape));
  return join;
}

Join hstacked(const Attrs&, const std::vector<Shape>& shapes) {
  Join join;
  for (Shape shape : shapes) {
    if (shape.empty()) shape.push_back(1);
    join.parts.push_back(shape);
  }
  join.axis = join.parts[0].rank() > 1 ? 1 : 0;
  return join;
}

Join dstacked(const Attrs&, const std::vector<Shape>& shapes) {
  Join join{.axis = 2};
  for (const Shape& shape : shapes) {
    join.parts.push_back(as_row(shape));
    if (join.parts.back().rank() == 2) join.parts.back().push_back(1);
  }
  return join;
}

Join column_stacked(const Attrs&, const std::vector<Shape>& shapes) {
  Join join{.axis = 1};
  for (Shape shape : shapes) {
    while (shape.rank() < 2) shape.push_back(1);
    join.parts.push_back(shape);
  }
  return join;
}

Shape joined_shape(const Join& join) {
  Shape shape = join.parts[0];
  for (std::size_t i = 1; i < join.parts.size(); ++i) {
    const Shape& part = join.parts[i];
    bool fits = part.rank() == shape.rank();
    for (std::size_t d = 0; fits && d < shape.rank(); ++d) fits = d == join.axis || part[d] == shape[d];
    const auto sum = fits ? checked_add(shape[join.axis], part[join.axis]) : std::nullopt;
    if (!sum) {
      fail(ErrorCode::invalid_argument, "input ", i, " as ", to_string(part),
           " does not fit beside input 0 as ", to_string(join.parts[0]), " along axis ", join.axis);
    }
    shape[join.axis] = *sum;
  }
  return shape;
}

InferFn infer_join(JoinFn join_of) {
  return [join_of](const InferContext& context) -> std::vector<TensorType> {
    if (context.count() == 0) fail(ErrorCode::malformed, "at least one input is expected, none was given");
    std::vector<Shape> shapes;
    for (const TensorType& input : context.inputs) {
      if (input.dtype != context.dtype(0)) {
        fail(ErrorCode::invalid_argument, "inputs of ", to_string(context.dtype(0)), " and of ",
             to_string(input.dtype), ": expected one type");
      }
      shapes.push_back(input.shape);
    }
    return {{context.dtype(0), joined_shape(join_of(context.attrs, shapes))}};
  };
}

LowerFn lower_join(JoinFn join_of) {
  return [join_of](LowerContext& context) {
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < context.num_inputs(); ++i) shapes.push_back(context.input(i).shape);
    const Join join = join_of(context.attrs(), shapes);
    const auto strides = row_major_strides(context.output(0).shape);
    std::vector<CopyJob> jobs;
    std::int64_t position = 0;
    for (std::size_t i = 0; i < join.parts.size(); ++i) {
      Walk walk(join.parts[i]);
      walk.dst_strides = strides;
      walk.dst_offset = position * strides[join.axis];
      position += join.parts[i][join.axis];
      jobs.push_back({i, 0, walk});
    }
    return copy_step(context, jobs);
  };
}

OpDef join_op(std::string name, std::string summary, JoinFn join_of) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {integer_attr("num_args").at_least(1)};
  op.inputs = counted_ports("num_args");
  op.infer = infer_join(join_of);
  op.lower = lower_join(join_of);
  return op;
}

/// With an axis, Concat does it.
void become_concat(graph::Node& node) {
  if (!node.attrs.has("axis")) return;
  const std::int64_t axis = node.attrs.integer("axis"), count = node.attrs.integer("num_args");
  node.op = find_op("Concat");
  node.attrs = graph::parse_attrs(node.op->attrs,
                                  {{"num_args", std::to_string(count)}, {"dim", std::to_string(axis)}});
}

OpDef concatenate() {
  OpDef op =
      join_op("_npi_concatenate",
              "The inputs one after another along axis; axis=None: their elements, flattened.", concatenated);
  AttrSpec axis = integer_attr("axis", 0);
  axis.nullable = true;
  op.attrs.push_back(axis);
  op.traits.per_sample = [](const Attrs& attrs, std::size_t rank) {
    return attrs.has("axis") && attrs.integer("axis") != 0 &&
           attrs.integer("axis") > -static_cast<std::int64_t>(rank);
  };
  op.traits.batched_inputs = true;
  op.traits.channels_last = [](LayoutRewriter& rewriter, std::size_t id) {
    return rewriter.node(id).attrs.has("axis") && along_axis(rewriter, id, "axis");
  };
  op.traits.follows_bfloat16 = always_follows;
  op.canonicalise = become_concat;
  op.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    if (attrs.has("axis")) unify_except(attrs.integer("axis"), inputs, outputs);
  };
  return op;
}

}  // namespace

std::vector<OpDef> numpy_join_ops() {
  OpDef hstack =
      join_op("_npi_hstack",
              "The inputs one after another along the second axis, vectors along their only one.", hstacked);
  OpDef dstack = join_op("_npi_dstack", "The inputs one after another along the third axis.", dstacked);
  for (OpDef* op : {&hstack, &dstack}) op->attrs.push_back(integer_attr("dim", 1).without_effect());
  return {
      concatenate(),
      join_op("_npi_vstack", "The inputs one after another along the first axis, vectors as rows.", vstacked),
      hstack, dstack,
      join_op("_npi_column_stack", "The inputs one after another along the second axis, vectors as columns.",
              column_stacked)};
}

}  // namespace mxinfer::ops
