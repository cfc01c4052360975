// slice, slice_axis, slice_like, Crop: a box out of a tensor. SliceChannel, _split_v2: a tensor cut along one
// axis.
#include <algorithm>

#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/layout/layout_rewriter.h"

namespace mxinfer::ops {
namespace {

using RangesFn = std::vector<Range> (*)(const Attrs&, const std::vector<Shape>&);

std::vector<Range> ranges_of_slice(const Attrs& attrs, const std::vector<Shape>& shapes) {
  return slice_ranges(attrs, shapes[0]);
}

std::vector<Range> slice_axis_ranges(const Attrs& attrs, const std::vector<Shape>& shapes) {
  const Shape& shape = shapes[0];
  const std::size_t axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
  const std::int64_t size = shape[axis];
  const auto from_front = [&](std::int64_t value) { return value < 0 ? value + size : value; };
  const std::int64_t begin = from_front(attrs.integer("begin"));
  const std::int64_t end = attrs.has("end") ? from_front(attrs.integer("end")) : size;
  if (begin < 0 || begin >= end || end > size) {
    fail(ErrorCode::invalid_argument, "begin=", begin, " and end=", end,
         " select nothing, or more than there is, of axis ", axis, " of an input of shape ",
         to_string(shape));
  }
  std::vector<Range> ranges = whole(shape);
  ranges[axis] = {begin, end - begin, 1};
  return ranges;
}

std::vector<Range> slice_like_ranges(const Attrs& attrs, const std::vector<Shape>& shapes) {
  const Shape &shape = shapes[0], &like = shapes[1];
  std::vector<std::int64_t> axes = attrs.tuple("axes");
  if (axes.empty()) {
    if (shape.rank() != like.rank()) {
      fail(ErrorCode::invalid_argument,
           "without axes both inputs need the same number of dimensions; their shapes are ", to_string(shape),
           " and ", to_string(like));
    }
    for (std::size_t d = 0; d < shape.rank(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  }
  std::vector<Range> ranges = whole(shape);
  for (std::int64_t axis : axes) {
    const std::size_t d = resolve_axis("axes", axis, shape.rank());
    const std::int64_t count = like[resolve_axis("axes", axis, like.rank())];
    if (count > shape[d]) {
      fail(ErrorCode::invalid_argument, "axis ", axis, " of the second input has ", count,
           " elements, that of the first ", shape[d]);
    }
    ranges[d] = {0, count, 1};
  }
  return ranges;
}

std::vector<Range> crop_ranges(const Attrs& attrs, const std::vector<Shape>& shapes) {
  const Shape& shape = shapes[0];
  for (const Shape& each : shapes) {
    if (each.rank() != 4) {
      fail(ErrorCode::invalid_argument, "an input of shape ", to_string(each),
           " was given; expected (n, c, h, w)");
    }
  }
  const auto h_w = attrs.tuple("h_w"), offset = attrs.tuple("offset");
  if (h_w.size() != 2 || offset.size() != 2)
    fail(ErrorCode::malformed, "h_w and offset must hold two numbers");
  std::vector<Range> ranges = whole(shape);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t size = shape[2 + i], count = shapes.size() > 1 ? shapes[1][2 + i] : h_w[i];
    const bool fits = is_inside(0, count, size);
    const std::int64_t begin = !attrs.flag("center_crop") ? offset[i] : fits ? (size - count) / 2 : 0;
    if (count < 1 || !is_inside(begin, count, size)) {
      fail(ErrorCode::invalid_argument, "a crop of ", count, " from ", begin, " does not fit into ", size,
           i == 0 ? " rows" : " columns");
    }
    ranges[2 + i] = {begin, count, 1};
  }
  return ranges;
}

InferFn infer_box(RangesFn ranges_of) {
  return [ranges_of](const InferContext& context) -> std::vector<TensorType> {
    std::vector<Shape> shapes;
    for (const TensorType& input : context.inputs) shapes.push_back(input.shape);
    Shape out;
    for (const Range& range : ranges_of(context.attrs, shapes)) out.push_back(range.count);
    return {{context.dtype(0), out}};
  };
}

LowerFn lower_box(RangesFn ranges_of) {
  return [ranges_of](LowerContext& context) {
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < context.num_inputs(); ++i) shapes.push_back(context.input(i).shape);
    const auto strides = row_major_strides(shapes[0]);
    const auto ranges = ranges_of(context.attrs(), shapes);
    Walk walk(context.output(0).shape);
    for (std::size_t d = 0; d < ranges.size(); ++d) {
      walk.src_offset += ranges[d].begin * strides[d];
      walk.src_strides[d] = ranges[d].count > 1 ? ranges[d].step * strides[d] : strides[d];
    }
    return copy_step(context, {{0, 0, walk}});
  };
}

/// Where an axis is cut: piece i is [cuts[i], cuts[i + 1]).
struct Cuts {
  std::size_t axis = 0;
  std::vector<std::int64_t> at;
  bool squeeze = false;
  bool stated = false;  ///< by attributes, all but the last, rather than by the input's size
};

using CutsFn = Cuts (*)(const Attrs&, const Shape&);

// Recurrent networks are unrolled so: what is cut is a sequence, and each piece a step of it.
[[noreturn]] void fail_unrolled(const Cuts& cuts, std::size_t count, const Shape& shape) {
  fail(ErrorCode::invalid_argument, "axis ", cuts.axis, " must have ", count, " elements, it has ",
       shape[cuts.axis], " (the input has shape ", to_string(shape), "): it is cut into ", count,
       " pieces of one element (squeeze_axis). If that axis is time, the graph is unrolled for ", count,
       " steps: pad or cut the sequences to ", count,
       ", or take the network of another length (BucketedModel)");
}

void require_single(const Cuts& cuts, const Shape& shape) {
  if (!cuts.squeeze) return;
  const std::size_t count = cuts.at.size() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t size = cuts.at[i + 1] - cuts.at[i];
    if (size == 1) continue;
    const bool depends_on_input = i + 1 == count || !cuts.stated;
    if (depends_on_input) fail_unrolled(cuts, count, shape);
    fail(ErrorCode::malformed, "squeeze_axis needs pieces of one element; the attributes say that piece ", i,
         " has ", size);
  }
}

Cuts split_cuts(const Attrs& attrs, const Shape& shape) {
  Cuts cuts;
  cuts.axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
  cuts.squeeze = attrs.flag("squeeze_axis");
  const std::int64_t count = attrs.integer("num_outputs"), size = shape[cuts.axis];
  if (size % count != 0) {
    if (cuts.squeeze) fail_unrolled(cuts, static_cast<std::size_t>(count), shape);
    fail(ErrorCode::invalid_argument, "axis ", cuts.axis, " of an input of shape ", to_string(shape),
         " cannot be cut into ", count, " equal pieces: its ", size, " elements are no multiple of ", count);
  }
  for (std::int64_t i = 0; i <= count; ++i) cuts.at.push_back(i * (size / count));
  require_single(cuts, shape);
  return cuts;
}

// Pieces of one element, so that there are as many elements as pieces.
void unify_squeezed_pieces(const Attrs& attrs, PartialShape& input, PartialShapes& pieces) {
  const std::int64_t axis = attrs.integer("axis");
  for (PartialShape& piece : pieces) {
    const PartialShape known = input ? input : piece;
    if (!known) continue;
    const auto rank = static_cast<std::int64_t>(known->rank()) + (input ? 0 : 1);
    const std::int64_t from_front = axis < 0 ? axis + rank : axis;
    if (from_front < 0 || from_front >= rank || rank > static_cast<std::int64_t>(Shape::kMaxRank)) return;
    const auto at = static_cast<std::size_t>(from_front);
    if (piece) {
      Shape whole = *piece;
      if (whole.rank() + 1 != static_cast<std::size_t>(rank)) return;
      whole.insert(at, attrs.integer("num_outputs"));
      learn(input, whole);
    }
    unify_axis(input, axis, Shape{attrs.integer("num_outputs")});
    Shape part = *input;
    part.erase(at);
    learn(piece, part);
  }
}

Cuts split_v2_cuts(const Attrs& attrs, const Shape& shape) {
  Cuts cuts;
  cuts.axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
  cuts.squeeze = attrs.flag("squeeze_axis");
  const std::int64_t sections = attrs.integer("sections"), size = shape[cuts.axis];
  if (sections > 0) {
    // As many as divide evenly; the first ones take one more each until nothing is left.
    for (std::int64_t i = 0; i <= sections; ++i) {
      cuts.at.push_back(i * (size / sections) + std::min(i, size % sections));
    }
  } else {
    cuts.at = attrs.tuple("indices");
    cuts.stated = true;
    if (cuts.at.empty() || cuts.at[0] != 0) {
      fail(ErrorCode::malformed, "attribute indices must begin with 0, the start of the first piece");
    }
    cuts.at.push_back(size);
  }
  for (std::size_t i = 0; i + 1 < cuts.at.size(); ++i) {
    if (cuts.at[i] > cuts.at[i + 1]) {
      fail(ErrorCode::invalid_argument, "piece ", i, " would be [", cuts.at[i], ", ", cuts.at[i + 1],
           ") of axis ", cuts.axis, ", which has ", size, " elements");
    }
  }
  require_single(cuts, shape);
  return cuts;
}

Cuts hsplit_cuts(const Attrs& attrs, const Shape& shape) {
  if (shape.rank() != 1) return split_v2_cuts(attrs, shape);
  Attrs along_first = attrs;
  along_first.set("axis", std::int64_t{0});
  return split_v2_cuts(along_first, shape);
}

InferFn infer_cuts(CutsFn cuts_of) {
  return [cuts_of](const InferContext& context) {
    const Cuts cuts = cuts_of(context.attrs, context.shape(0));
    std::vector<TensorType> outputs;
    for (std::size_t i = 0; i + 1 < cuts.at.size(); ++i) {
      Shape shape = context.shape(0);
      shape[cuts.axis] = cuts.at[i + 1] - cuts.at[i];
      if (cuts.squeeze) shape.erase(cuts.axis);
      outputs.push_back({context.dtype(0), shape});
    }
    return outputs;
  };
}

LowerFn lower_cuts(CutsFn cuts_of) {
  return [cuts_of](LowerContext& context) {
    const Shape& shape = context.input(0).shape;
    const Cuts cuts = cuts_of(context.attrs(), shape);
    const auto strides = row_major_strides(shape);
    std::vector<CopyJob> jobs;
    for (std::size_t i = 0; i + 1 < cuts.at.size(); ++i) {
      Shape piece = shape;
      piece[cuts.axis] = cuts.at[i + 1] - cuts.at[i];
      Walk walk(piece);
      walk.src_strides = strides;
      walk.src_offset = cuts.at[i] * strides[cuts.axis];
      jobs.push_back({0, i, walk});
    }
    return copy_step(context, jobs);
  };
}

bool slice_axis_layout(LayoutRewriter& rewriter, std::size_t id) {
  return along_axis(rewriter, id, "axis");
}

bool split_layout(LayoutRewriter& rewriter, std::size_t id) {
  return !rewriter.node(id).attrs.flag("squeeze_axis") && along_axis(rewriter, id, "axis");
}

bool slice_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& node = rewriter.node(id);
  const graph::IntTuple begin = node.attrs.optional_tuple("begin"), end = node.attrs.optional_tuple("end"),
                        step = node.attrs.optional_tuple("step");
  const bool fits = static_cast<std::int64_t>(begin.size()) <= rank && end.size() == begin.size() &&
                    (step.empty() || step.size() == begin.size());
  if (!fits) return false;
  node.attrs.set("begin", moved_entries(rewriter, begin, rank, 1, std::nullopt));
  node.attrs.set("end", moved_entries(rewriter, end, rank, 1, std::nullopt));
  if (!step.empty()) node.attrs.set("step", moved_entries(rewriter, step, rank, 1, std::nullopt));
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

// As many elements as another value has, which is not brought into order for that alone; a parameter is,
// once.
bool slice_like_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  const graph::Value data = rewriter.node(id).inputs[0];
  const Parameter* parameter = rewriter.constant(id, 0);
  const bool ordered = parameter != nullptr && static_cast<std::int64_t>(parameter->shape().rank()) == rank;
  if (!(rewriter.is_moved(data) || ordered) || !rewriter.is_moved(rewriter.node(id).inputs[1])) return false;
  const graph::Value last = rewriter.as_moved(data, rank);
  graph::Node& node = rewriter.node(id);
  node.inputs[0] = last;
  graph::IntTuple axes;
  for (std::int64_t axis : node.attrs.tuple("axes")) {
    const auto moved = moved_axis(rewriter, axis, rank);
    if (!moved) return false;
    axes.push_back(*moved);
  }
  node.attrs.set("axes", std::move(axes));
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

std::optional<OutputRank> split_rank(const Attrs& attrs) {
  return attrs.flag("squeeze_axis") ? std::nullopt : std::optional(kSameRank);
}

void unify_split(const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  if (attrs.flag("squeeze_axis")) {
    unify_squeezed_pieces(attrs, inputs[0], outputs);
  } else {
    unify_except(attrs.integer("axis"), inputs, outputs);
  }
}

PortNames split_v2_outputs(const Attrs& attrs) {
  const std::int64_t sections = attrs.integer("sections");
  const std::size_t count =
      sections > 0 ? static_cast<std::size_t>(sections) : attrs.optional_tuple("indices").size();
  PortNames ports;
  if (count == 1) ports.names = {"output"};
  ports.count = count;
  return ports;
}

}  // namespace

std::vector<OpDef> slice_ops() {
  AttrSpec end = integer_attr("end").optional_none();
  end.required = true;

  return {
      {.name = "slice",
       .aliases = {"crop", "_npi_slice", "_npx_slice", "_sparse_slice"},
       .summary = "data[begin:end:step, ...], like Python slices.",
       .attrs = {tuple_attr("begin"), tuple_attr("end"), tuple_attr("step", "()")},
       .traits = {.output_rank = always_same_rank, .channels_last = slice_layout},
       .infer = infer_box(ranges_of_slice),
       .lower = lower_box(ranges_of_slice)},
      {.name = "slice_axis",
       .summary = "Elements from begin up to but excluding end, along axis.",
       .attrs = {integer_attr("axis"), integer_attr("begin"), end},
       .traits = {.output_rank = always_same_rank,
                  .channels_last = slice_axis_layout,
                  .follows_bfloat16 = always_follows},
       .infer = infer_box(slice_axis_ranges),
       .lower = lower_box(slice_axis_ranges)},
      {.name = "slice_like",
       .summary = "The first elements of data along axes, as many as shape_like has.",
       .attrs = {tuple_attr("axes", "()")},
       .inputs = named_ports({"data", "shape_like"}),
       .traits = {.output_rank = always_same_rank,
                  .reads_only_shape_of_second = true,
                  .channels_last = slice_like_layout},
       .infer = infer_box(slice_like_ranges),
       .lower = lower_box(slice_like_ranges)},
      {.name = "Crop",
       .summary = "A window of size h_w, or of the second input's size, cut out of (n, c, h, w).",
       .attrs = {integer_attr("num_args").at_least(1).at_most(2), tuple_attr("offset", "(0, 0)"),
                 tuple_attr("h_w", "(0, 0)"), flag_attr("center_crop", false)},
       .inputs = counted_ports("num_args"),
       .infer = infer_box(crop_ranges),
       .lower = lower_box(crop_ranges)},
      {.name = "SliceChannel",
       .aliases = {"split"},
       .summary = "num_outputs equal pieces along axis.",
       .attrs = {integer_attr("num_outputs").at_least(1), integer_attr("axis", 1),
                 flag_attr("squeeze_axis", false)},
       .outputs = counted_ports("num_outputs"),
       .traits = {.output_rank = split_rank,
                  .channels_last = split_layout,
                  .follows_bfloat16 = always_follows},
       .infer = infer_cuts(split_cuts),
       .lower = lower_cuts(split_cuts),
       .unify = unify_split},
      {.name = "_split_v2",
       .aliases = {"_npi_split", "_npi_dsplit"},
       .summary =
           "Pieces along axis: `sections` of nearly equal size, or one from each of `indices` to the next.",
       .attrs = {tuple_attr("indices"), integer_attr("axis", 1), flag_attr("squeeze_axis", false),
                 integer_attr("sections", 0).at_least(0)},
       .outputs = split_v2_outputs,
       .traits = {.output_rank = split_rank, .channels_last = split_layout},
       .infer = infer_cuts(split_v2_cuts),
       .lower = lower_cuts(split_v2_cuts)},
      {.name = "_npi_hsplit",
       .summary = "_split_v2 along axis, along the only one of a vector.",
       .attrs = {tuple_attr("indices"), integer_attr("axis", 1), flag_attr("squeeze_axis", false),
                 integer_attr("sections", 0).at_least(0)},
       .outputs = split_v2_outputs,
       .infer = infer_cuts(hsplit_cuts),
       .lower = lower_cuts(hsplit_cuts)},
  };
}

}  // namespace mxinfer::ops
