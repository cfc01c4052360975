// Embedding, take, pick, batch_take, gather_nd, one_hot: elements chosen by index.

#include <algorithm>
#include <cstring>

#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/elementwise/indices.h"
#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {
namespace {

using kernels::IndexMode;

constexpr std::int64_t kTakenBytes = 1 << 16;

std::int64_t grain_for(std::size_t row_bytes) {
  return std::max<std::int64_t>(1,
                                kTakenBytes / static_cast<std::int64_t>(std::max<std::size_t>(1, row_bytes)));
}

std::size_t bytes_of(std::int64_t elements, DType dtype) {
  return static_cast<std::size_t>(elements) * size_of(dtype);
}

// Appends b's dimensions [first, last) to a.
void append(Shape& a, const Shape& b, std::size_t first, std::size_t last) {
  for (std::size_t d = first; d < last; ++d) a.push_back(b[d]);
}

void require_something(std::int64_t size, std::int64_t wanted) {
  if (size == 0 && wanted > 0)
    fail(ErrorCode::invalid_argument, "nothing can be taken from an axis of 0 elements");
}

Step named(std::string_view kernel) {
  return {.kernel = concat(kernel, " [ref]"), .reason = "moves elements only"};
}

// Rows of input `data` along `axis`, chosen by input `indices`; with `checked`, an index outside is an error.
Step take_step(LowerContext& context, std::size_t data, std::size_t indices, std::size_t axis, IndexMode mode,
               bool checked) {
  const TensorType& from = context.input(data);
  const IndexInput index(context, indices);
  const kernels::TakeArgs args = take_args(from, axis, index.count(), mode);
  const std::int64_t rows = args.row_bytes == 0 ? 0 : from.shape.elements(0, axis) * index.count();
  Step step = named("take_rows");
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* chosen = index.read(run);
    for (std::int64_t k = 0; checked && k < index.count(); ++k) {
      if (chosen[k] < 0 || chosen[k] >= args.size) {
        fail(ErrorCode::invalid_argument, "index ", chosen[k], " at position ", k, " is outside the ",
             args.size, " elements of the axis (mode=raise)");
      }
    }
    parallel_for(rows, grain_for(args.row_bytes), [&](std::int64_t begin, std::int64_t end) {
      kernels::take_rows(args, chosen, run.input<std::byte>(data), run.output<std::byte>(0), begin, end);
    });
  };
  return step;
}

std::vector<TensorType> infer_take(const InferContext& context) {
  const Shape &data = context.shape(0), &indices = context.shape(1);
  const std::size_t axis = resolve_axis("axis", context.attrs.integer("axis"), data.rank());
  require_something(data[axis], indices.elements());
  Shape out;
  append(out, data, 0, axis);
  append(out, indices, 0, indices.rank());
  append(out, data, axis + 1, data.rank());
  return {{context.dtype(0), out}};
}

Step lower_take(LowerContext& context) {
  const std::size_t axis =
      resolve_axis("axis", context.attrs().integer("axis"), context.input(0).shape.rank());
  return take_step(context, 0, 1, axis, take_mode(context.attrs()),
                   context.attrs().choice("mode") == "raise");
}

std::vector<TensorType> infer_embedding(const InferContext& context) {
  const Shape expected{context.attrs.integer("input_dim"), context.attrs.integer("output_dim")};
  if (context.shape(1) != expected) {
    fail(ErrorCode::invalid_argument, "weight has the shape ", to_string(context.shape(1)),
         "; input_dim and output_dim say ", to_string(expected));
  }
  Shape out = context.shape(0);
  out.push_back(expected[1]);
  return {{context.dtype(1), out}};
}

std::vector<TensorType> infer_pick(const InferContext& context) {
  if (!context.attrs.has("axis")) fail(ErrorCode::unsupported, "axis=None: MXNet's pick needs an axis too");
  const Shape &data = context.shape(0), &index = context.shape(1);
  const std::size_t axis = resolve_axis("axis", context.attrs.integer("axis"), data.rank());
  Shape without = data, with = data;
  without.erase(axis);
  with[axis] = 1;
  if (index != without && index != with) {
    fail(ErrorCode::invalid_argument, "index has the shape ", to_string(index), "; expected ",
         to_string(without), " or ", to_string(with));
  }
  require_something(data[axis], index.elements());
  if (without.empty()) without.push_back(1);  // MXNet has no rank 0 here
  return {{context.dtype(0), context.attrs.flag("keepdims") ? with : without}};
}

Step pick_step(const kernels::PickArgs& args, const IndexInput& index) {
  Step step = named("pick_rows");
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* chosen = index.read(run);
    parallel_for(index.count(), grain_for(args.row_bytes), [&](std::int64_t begin, std::int64_t end) {
      kernels::pick_rows(args, chosen, run.input<std::byte>(0), run.output<std::byte>(0), begin, end);
    });
  };
  return step;
}

Step lower_pick(LowerContext& context) {
  return pick_step(pick_args(context), IndexInput(context, 1));
}

std::vector<TensorType> infer_batch_take(const InferContext& context) {
  const Shape &data = context.shape(0), &indices = context.shape(1);
  require_rank_at_least(data, 2);
  require_rank_at_least(indices, 1);
  if (data.rank() != 2 || indices.elements() != data[0]) {
    fail(ErrorCode::invalid_argument, "a has the shape ", to_string(data), " and indices ",
         to_string(indices), "; expected (n, k) and one index a row");
  }
  require_something(data[1], indices.elements());
  return {{context.dtype(0), indices}};
}

Step lower_batch_take(LowerContext& context) {
  return pick_step(batch_take_args(context), IndexInput(context, 1));
}

std::vector<TensorType> infer_gather(const InferContext& context) {
  const Shape &data = context.shape(0), &indices = context.shape(1);
  require_rank_at_least(indices, 1);
  if (indices[0] < 1 || indices[0] > static_cast<std::int64_t>(data.rank())) {
    fail(ErrorCode::invalid_argument, "indices has the shape ", to_string(indices),
         ": its first dimension must be 1 to ", data.rank(), ", the dimensions of data");
  }
  Shape out;
  append(out, indices, 1, indices.rank());
  append(out, data, static_cast<std::size_t>(indices[0]), data.rank());
  if (out.empty()) out.push_back(1);
  return {{context.dtype(0), out}};
}

Step lower_gather(LowerContext& context) {
  const IndexInput index(context, 1);
  const kernels::GatherArgs args = gather_args(context);
  Step step = named("gather_rows");
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* chosen = index.read(run);
    require_gather_fits(args, chosen);
    parallel_for(args.count, grain_for(args.row_bytes), [&](std::int64_t begin, std::int64_t end) {
      kernels::gather_rows(args, chosen, run.input<std::byte>(0), run.output<std::byte>(0), begin, end);
    });
  };
  return step;
}

std::vector<TensorType> infer_one_hot(const InferContext& context) {
  Shape out = context.shape(0);
  out.push_back(context.attrs.integer("depth"));
  return {{dtype_of(context.attrs, "dtype"), out}};
}

Step lower_one_hot(LowerContext& context) {
  const IndexInput index(context, 0);
  const kernels::OneHotArgs args = one_hot_args(context);
  Step step = named("one_hot_rows");
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* chosen = index.read(run);
    const std::int64_t grain = grain_for(static_cast<std::size_t>(args.depth) * args.element_bytes);
    parallel_for(index.count(), grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::one_hot_rows(args, chosen, run.output<std::byte>(0), begin, end);
    });
  };
  return step;
}

// A row of the weight behind the dimensions of the indices.
void unify_embedding(const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &data = inputs[0], &out = outputs[0];
  if (data && data->rank() < Shape::kMaxRank) {
    Shape rows = *data;
    rows.push_back(attrs.integer("output_dim"));
    learn(out, rows);
  }
  if (!out || out->rank() == 0) return;
  Shape indices = *out;
  indices.erase(indices.rank() - 1);
  learn(data, indices);
}

Step lower_embedding(LowerContext& context) {
  return take_step(context, 1, 0, 0, IndexMode::clip, false);
}

std::optional<Shape> data_for_embedding(const Attrs&, const Shape&) {
  return Shape{-1, -1};
}

}  // namespace

kernels::TakeArgs take_args(const TensorType& data, std::size_t axis, std::int64_t count, IndexMode mode) {
  return {data.shape[axis], count, bytes_of(data.shape.elements(axis + 1, data.shape.rank()), data.dtype),
          mode};
}

IndexMode take_mode(const Attrs& attrs) {
  return attrs.choice("mode") == "wrap" ? IndexMode::wrap : IndexMode::clip;
}

kernels::PickArgs pick_args(const OpProblem& node) {
  const Shape& data = node.input(0).shape;
  const std::size_t axis = resolve_axis("axis", node.attrs().integer("axis"), data.rank());
  return {data[axis], data.elements(axis + 1, data.rank()), size_of(node.input(0).dtype),
          take_mode(node.attrs())};
}

kernels::PickArgs batch_take_args(const OpProblem& node) {
  return {node.input(0).shape[1], 1, size_of(node.input(0).dtype), IndexMode::clip};
}

kernels::GatherArgs gather_args(const OpProblem& node) {
  const Shape &data = node.input(0).shape, &indices = node.input(1).shape;
  const auto rank = static_cast<std::size_t>(indices[0]);
  kernels::GatherArgs args{.rank = static_cast<int>(rank), .count = indices.elements(1, indices.rank())};
  for (std::size_t d = 0; d < rank; ++d) {
    args.size[d] = data[d];
    args.stride[d] = data.elements(d + 1, rank);
  }
  args.row_bytes = bytes_of(data.elements(rank, data.rank()), node.input(0).dtype);
  return args;
}

void require_gather_fits(const kernels::GatherArgs& args, const std::int64_t* indices) {
  std::int64_t bad = 0;
  if (kernels::gather_fits(args, indices, &bad)) return;
  fail(ErrorCode::invalid_argument, "index ", indices[bad], " at position ", bad % args.count, " of row ",
       bad / args.count, " is outside the ", args.size[bad / args.count], " elements of that axis");
}

kernels::OneHotArgs one_hot_args(const OpProblem& node) {
  Tensor values(node.output(0).dtype, Shape{2});
  store_number(values, 0, node.attrs().number("on_value"));
  store_number(values, 1, node.attrs().number("off_value"));
  kernels::OneHotArgs args;
  args.depth = node.attrs().integer("depth");
  args.element_bytes = size_of(node.output(0).dtype);
  std::memcpy(args.on, values.raw(), args.element_bytes);
  std::memcpy(args.off, static_cast<const std::byte*>(values.raw()) + args.element_bytes, args.element_bytes);
  return args;
}

std::vector<OpDef> take_ops() {
  return {
      {.name = "Embedding",
       .aliases = {"_npx_embedding", "_sparse_Embedding", "_contrib_SparseEmbedding"},
       .summary = "Row data[i] of weight for every i; indices outside are clipped.",
       .attrs = {integer_attr("input_dim").at_least(1), integer_attr("output_dim").at_least(1),
                 dtype_attr("dtype", "float32").without_effect(),
                 flag_attr("sparse_grad", false).without_effect(),
                 flag_attr("deterministic", false).without_effect()},
       .inputs = named_ports({"data", "weight"}),
       .traits = {.input_shape = data_for_embedding},
       .infer = infer_embedding,
       .lower = lower_embedding,
       .unify = unify_embedding},
      {.name = "take",
       .aliases = {"_npi_take"},
       .summary = "a[..., indices, ...] along axis; indices outside are clipped, wrapped, or an error.",
       .attrs = {integer_attr("axis", 0), choice_attr("mode", {"clip", "raise", "wrap"}, "clip")},
       .inputs = named_ports({"a", "indices"}),
       .infer = infer_take,
       .lower = lower_take},
      {.name = "pick",
       .aliases = {"_npx_pick", "choose_element_0index"},
       .summary = "One element along axis for each of the other positions, chosen by index.",
       .attrs = {nullable_axis_attr(), flag_attr("keepdims", false),
                 choice_attr("mode", {"clip", "wrap"}, "clip")},
       .inputs = named_ports({"data", "index"}),
       .infer = infer_pick,
       .lower = lower_pick},
      {.name = "batch_take",
       .summary = "a[i, indices[i]] for each row i; indices outside are clipped.",
       .inputs = named_ports({"a", "indices"}),
       .infer = infer_batch_take,
       .lower = lower_batch_take},
      {.name = "gather_nd",
       .aliases = {"_npi_gather_nd", "_npx_gather_nd"},
       .summary =
           "data[indices[0, k], indices[1, k], ...] for every k; negative indices count from the back.",
       .inputs = named_ports({"data", "indices"}),
       .infer = infer_gather,
       .lower = lower_gather},
      {.name = "one_hot",
       .aliases = {"_npx_one_hot"},
       .summary = "depth elements for each index: on_value at the index, off_value elsewhere.",
       .attrs = {integer_attr("depth").at_least(0), number_attr("on_value", 1), number_attr("off_value", 0),
                 dtype_attr("dtype", "float32")},
       .inputs = named_ports({"indices"}),
       .infer = infer_one_hot,
       .lower = lower_one_hot},
  };
}

}  // namespace mxinfer::ops
