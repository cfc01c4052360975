// Operators that only give the same elements another shape: Reshape, Flatten, expand_dims, squeeze,
// reshape_like.
#include <algorithm>

#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/is_op.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/tensor/unify_tensors.h"

namespace mxinfer::ops {
namespace {

using Dims = std::vector<std::int64_t>;

Shape to_shape(const Dims& dims) {
  return Shape(Span<const std::int64_t>(dims.data(), dims.size()));
}

[[noreturn]] void fail_reshape(const Shape& from, const Dims& spec, std::string_view why) {
  fail(ErrorCode::invalid_argument, "shape=", to_string(to_shape(spec)),
       " cannot be applied to an input of shape ", to_string(from), ": ", why);
}

// Replaces the one -1 of `dims` so that the number of elements is that of `from`.
Shape complete(const Shape& from, const Dims& spec, Dims dims) {
  const std::int64_t elements = from.elements();
  std::int64_t known = 1;
  std::int64_t* free = nullptr;
  for (std::int64_t& dim : dims) {
    if (dim == -1) {
      if (free != nullptr) fail_reshape(from, spec, "more than one -1");
      free = &dim;
      continue;
    }
    const auto product = checked_mul(known, dim);
    if (!product) fail_reshape(from, spec, "too many elements");
    known = *product;
  }
  if (free != nullptr) {
    if (known == 0 || elements % known != 0) {
      fail_reshape(from, spec, concat(elements, " elements do not divide by ", known));
    }
    *free = elements / known;
    known *= *free;
  }
  if (known != elements) {
    fail_reshape(from, spec, concat("the input has ", elements, " elements, ", known, " are asked for"));
  }
  return to_shape(dims);
}

// The codes of Reshape: 0 copies a dimension, -1 is inferred, -2 copies all that are left, -3 multiplies two,
// -4 splits one into the two that follow (one of them may be -1).
class ReshapeCodes {
 public:
  ReshapeCodes(const Shape& from, const Dims& spec, bool reverse)
      : from_(from), spec_(spec), dims_(from.begin(), from.end()) {
    codes_ = spec;
    if (reverse) {
      std::reverse(dims_.begin(), dims_.end());
      std::reverse(codes_.begin(), codes_.end());
    }
    for (std::size_t i = 0; i < codes_.size(); ++i) i += apply(i);
    if (reverse) std::reverse(out_.begin(), out_.end());
  }

  Shape shape() const { return complete(from_, spec_, out_); }

 private:
  // Applies code i; returns how many codes after it were its operands.
  std::size_t apply(std::size_t i) {
    switch (codes_[i]) {
      case 0:
        out_.push_back(next());
        return 0;
      case -1:
        out_.push_back(-1);
        ++read_;
        return 0;
      case -2:
        while (read_ < dims_.size()) out_.push_back(dims_[read_++]);
        return 0;
      case -3: {
        const std::int64_t first = next();
        const auto product = checked_mul(first, next());
        if (!product) fail_reshape(from_, spec_, "too many elements");
        out_.push_back(*product);
        return 0;
      }
      case -4:
        split(i);
        return 2;
      default:
        if (codes_[i] < 0) fail_reshape(from_, spec_, concat(codes_[i], " is not a code; expected -4 to -1"));
        out_.push_back(codes_[i]);
        ++read_;
        return 0;
    }
  }

  void split(std::size_t i) {
    const std::int64_t dim = next();
    if (i + 2 >= codes_.size()) fail_reshape(from_, spec_, "-4 needs two sizes after it");
    std::int64_t a = codes_[i + 1], b = codes_[i + 2];
    if (a == -1 && b == -1) fail_reshape(from_, spec_, "both sizes after -4 are -1");
    if (a == -1 && b > 0) a = dim / b;
    if (b == -1 && a > 0) b = dim / a;
    if (a < 0 || b < 0 || checked_mul(a, b) != dim) {
      fail_reshape(from_, spec_, concat("the sizes after -4 do not multiply to ", dim));
    }
    out_.push_back(a);
    out_.push_back(b);
  }

  std::int64_t next() {
    if (read_ >= dims_.size()) fail_reshape(from_, spec_, "it asks for more dimensions than the input has");
    return dims_[read_++];
  }

  const Shape& from_;
  const Dims& spec_;
  Dims dims_;
  Dims codes_;
  Dims out_;
  std::size_t read_ = 0;
};

// The attribute of old files: 0 is the dimension to infer, and keep_highest keeps the first one.
Shape apply_target_shape(const Shape& from, const Dims& target, bool keep_highest) {
  Dims dims = target;
  if (keep_highest && !from.empty()) dims[0] = from[0];
  for (std::size_t i = keep_highest ? 1 : 0; i < dims.size(); ++i) {
    if (dims[i] == 0) dims[i] = -1;
  }
  return complete(from, target, dims);
}

std::vector<TensorType> infer_reshape(const InferContext& context) {
  const Shape& from = context.shape(0);
  const Dims spec = context.attrs.tuple("shape");
  if (!spec.empty()) {
    return {{context.dtype(0), ReshapeCodes(from, spec, context.attrs.flag("reverse")).shape()}};
  }
  const Dims target = context.attrs.tuple("target_shape");
  if (target.empty()) fail(ErrorCode::malformed, "attribute shape is empty; expected at least one size");
  return {{context.dtype(0), apply_target_shape(from, target, context.attrs.flag("keep_highest"))}};
}

std::vector<TensorType> infer_flatten(const InferContext& context) {
  const Shape& from = context.shape(0);
  require_rank_at_least(from, 1);
  return {{context.dtype(0), Shape{from[0], from.elements(1, from.rank())}}};
}

std::vector<TensorType> infer_expand_dims(const InferContext& context) {
  Shape shape = context.shape(0);
  // The new dimension is one of the result's.
  shape.insert(resolve_axis("axis", context.attrs.integer("axis"), shape.rank() + 1), 1);
  return {{context.dtype(0), shape}};
}

std::vector<TensorType> infer_squeeze(const InferContext& context) {
  const Shape& from = context.shape(0);
  std::vector<bool> remove(from.rank(), false);
  if (context.attrs.has("axis")) {
    for (std::int64_t axis : context.attrs.tuple("axis")) {
      const std::size_t d = resolve_axis("axis", axis, from.rank());
      if (remove[d]) fail(ErrorCode::invalid_argument, "axis ", axis, " is named twice");
      if (from[d] != 1) {
        fail(ErrorCode::invalid_argument, "axis ", axis, " of an input of shape ", to_string(from), " has ",
             from[d], " elements; only axes of one can be squeezed out");
      }
      remove[d] = true;
    }
  } else {
    for (std::size_t d = 0; d < from.rank(); ++d) remove[d] = from[d] == 1;
  }
  Shape shape;
  for (std::size_t d = 0; d < from.rank(); ++d) {
    if (!remove[d]) shape.push_back(from[d]);
  }
  return {{context.dtype(0), shape}};
}

// MXNet has no rank 0 here, whatever shapes the file has.
std::vector<TensorType> infer_legacy_squeeze(const InferContext& context) {
  std::vector<TensorType> types = infer_squeeze(context);
  if (types[0].shape.empty()) types[0].shape.push_back(1);
  return types;
}

// [begin, end) of the attributes `prefix`_begin and `prefix`_end over `rank` dimensions.
std::pair<std::size_t, std::size_t> dim_range(const Attrs& attrs, const std::string& prefix,
                                              std::size_t rank) {
  const auto read = [&](const std::string& name, std::int64_t fallback) {
    if (!attrs.has(name)) return fallback;
    const std::int64_t value = attrs.integer(name);
    return value < 0 ? value + static_cast<std::int64_t>(rank) : value;
  };
  const std::int64_t begin = read(prefix + "_begin", 0);
  const std::int64_t end = read(prefix + "_end", static_cast<std::int64_t>(rank));
  if (begin < 0 || end < begin || end > static_cast<std::int64_t>(rank)) {
    fail(ErrorCode::invalid_argument, prefix, "_begin and ", prefix, "_end select [", begin, ", ", end,
         ") of ", rank, " dimensions");
  }
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

std::vector<TensorType> infer_reshape_like(const InferContext& context) {
  const Shape& lhs = context.shape(0);
  const Shape& rhs = context.shape(1);
  const auto [lhs_begin, lhs_end] = dim_range(context.attrs, "lhs", lhs.rank());
  const auto [rhs_begin, rhs_end] = dim_range(context.attrs, "rhs", rhs.rank());
  Shape shape;
  for (std::size_t d = 0; d < lhs_begin; ++d) shape.push_back(lhs[d]);
  for (std::size_t d = rhs_begin; d < rhs_end; ++d) shape.push_back(rhs[d]);
  for (std::size_t d = lhs_end; d < lhs.rank(); ++d) shape.push_back(lhs[d]);
  if (shape.elements() != lhs.elements()) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(lhs), " cannot take the shape ",
         to_string(shape), " that follows from the second input's ", to_string(rhs));
  }
  return {{context.dtype(0), shape}};
}

Step lower_alias(LowerContext& context) {
  return alias_step(context);
}

// The number of dimensions that a Reshape gives; nothing if its codes leave that open.
std::optional<OutputRank> reshaped_rank(const Attrs& attrs) {
  const graph::IntTuple& shape = attrs.optional_tuple("shape");
  const bool counts = !shape.empty() && std::all_of(shape.begin(), shape.end(), [](const auto& size) {
    return size && *size >= -1;  // the other codes stand for several dimensions, or none
  });
  if (!counts) return std::nullopt;
  return OutputRank{static_cast<std::int64_t>(shape.size())};
}

bool is_reshape_to(const graph::Node& node, const graph::IntTuple& shape) {
  return is_op(node, "Reshape") && !node.attrs.flag("reverse") && node.attrs.optional_tuple("shape") == shape;
}

// Channels are shuffled by Reshape (0, -4, groups, -1, -2), SwapAxis(1, 2) and Reshape (0, -3, -2). The same
// on the last dimension.
bool channel_shuffle_layout(LayoutRewriter& rewriter, std::size_t id) {
  if (!rewriter.to_last()) return false;
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& split = rewriter.node(id);
  const graph::IntTuple shape = split.attrs.optional_tuple("shape");
  if (shape.size() != 5 || !shape[2] || *shape[2] < 1) return false;
  const auto groups = shape[2];
  if (!is_reshape_to(split, {0, -4, groups, -1, -2})) return false;
  graph::Node* swap = rewriter.only_reader({static_cast<std::int32_t>(id), 0});
  if (swap == nullptr || swap->op == nullptr || swap->op->name != "SwapAxis") return false;
  if (swap->attrs.integer("dim1") + swap->attrs.integer("dim2") != 3 || swap->attrs.integer("dim1") < 1 ||
      swap->attrs.integer("dim2") < 1)
    return false;
  const auto swap_id = static_cast<std::int32_t>(swap - rewriter.graph().nodes.data());
  graph::Node* join = rewriter.only_reader({swap_id, 0});
  if (join == nullptr || !is_reshape_to(*join, {0, -3, -2})) return false;
  graph::IntTuple front(static_cast<std::size_t>(rank - 1), 0), back = front;
  front.insert(front.end(), {-4, groups, -1});
  back.push_back(-3);
  split.attrs.set("shape", std::move(front));
  swap->attrs.set("dim1", rank - 1);
  swap->attrs.set("dim2", rank);
  join->attrs.set("shape", std::move(back));
  rewriter.mark_outputs_moved(static_cast<std::size_t>(join - rewriter.graph().nodes.data()), rank);
  return true;
}

}  // namespace

std::vector<OpDef> reshape_ops() {
  OpDef flatten{.name = "Flatten", .aliases = {"flatten", "_npx_batch_flatten"}};
  flatten.summary = "(n, a, b, ...) becomes (n, a * b * ...).";
  flatten.infer = infer_flatten;
  flatten.unify = unify_flatten;
  flatten.traits.output_rank = [](const Attrs&) { return std::optional(OutputRank{2}); };
  flatten.traits.follows_bfloat16 = always_follows;
  flatten.lower = lower_alias;

  OpDef expand_dims{.name = "expand_dims", .aliases = {"_npi_expand_dims"}};
  expand_dims.summary = "Inserts a dimension of size 1 before axis.";
  expand_dims.attrs = {integer_attr("axis")};
  expand_dims.infer = infer_expand_dims;
  expand_dims.unify = unify_expand_dims;
  expand_dims.traits.output_rank = [](const Attrs&) { return std::optional(OutputRank{1, true}); };
  expand_dims.lower = lower_alias;

  return {
      {.name = "Reshape",
       .aliases = {"reshape"},
       .summary = "The same elements in another shape: 0 copies a dimension, -1 is inferred, -2 copies the "
                  "rest, -3 merges two, -4 splits one.",
       .attrs = {tuple_attr("shape", "()"), flag_attr("reverse", false), tuple_attr("target_shape", "()"),
                 flag_attr("keep_highest", false)},
       .traits = {.output_rank = reshaped_rank,
                  .channels_last = channel_shuffle_layout,
                  .follows_bfloat16 = always_follows},
       .infer = infer_reshape,
       .lower = lower_alias,
       .unify = unify_reshape},
      flatten,
      expand_dims,
      {.name = "_np_squeeze",
       .summary = "Removes the dimensions of size 1: all of them, or those in axis; none may be left.",
       .attrs = {tuple_attr("axis", "None")},
       .inputs = named_ports({"a"}),
       .infer = infer_squeeze,
       .lower = lower_alias,
       .unify = unify_squeeze},
      {.name = "squeeze",
       .summary = "Removes the dimensions of size 1: all of them, or those in axis.",
       .attrs = {tuple_attr("axis", "None")},
       .infer = infer_legacy_squeeze,
       .lower = lower_alias,
       .unify = unify_squeeze},
      {.name = "reshape_like",
       .aliases = {"_npx_reshape_like"},
       .summary = "Gives lhs the shape of rhs; with ranges, replaces dimensions [lhs_begin, lhs_end) by "
                  "rhs's [rhs_begin, rhs_end).",
       .attrs = {integer_attr("lhs_begin").optional_none(), integer_attr("lhs_end").optional_none(),
                 integer_attr("rhs_begin").optional_none(), integer_attr("rhs_end").optional_none()},
       .inputs = named_ports({"lhs", "rhs"}),
       .traits = {.reads_only_shape_of_second = true},
       .infer = infer_reshape_like,
       .lower = lower_alias},
  };
}

}  // namespace mxinfer::ops
