#include "ops/fused/attention_node.h"

#include <cmath>

#include "kernels/common/element_type.h"
#include "ops/elementwise/elementwise.h"
#include "ops/nn/attention_heads.h"

namespace mxinfer::ops {
namespace {

using kernels::AttentionArgs;
using kernels::AttentionMasking;
using kernels::AttentionRows;

/// Queries, keys and values as matrices of heads, whose rows are side by side in `step` elements.
AttentionRows rows_of(const Heads& heads) {
  const std::int64_t of_head = heads.parts * heads.head_dim;
  return {nullptr, heads.heads * of_head, of_head, heads.step()};
}

AttentionRows matrices(std::int64_t heads, std::int64_t rows, std::int64_t width) {
  return {nullptr, heads * rows * width, rows * width, width};
}

void set_sizes(AttentionArgs& args, const Heads& queries, const Heads& keys) {
  args.batch = queries.batch;
  args.heads = queries.heads;
  args.queries = queries.length;
  args.keys = keys.length;
  args.width = args.value_width = queries.head_dim;
  args.q = rows_of(queries);
  args.k = args.v = rows_of(keys);
}

void set_interleaved(AttentionNode& node, const Attrs& attrs, const std::vector<Shape>& shapes) {
  const auto [queries, keys] = scores_sides(attrs, shapes);
  node.keys = node.values = shapes.size() - 1;
  node.first_key = keys.at(0);
  node.first_value = values_side(attrs, shapes.back(), shapes.size() == 1).at(0);
  set_sizes(node.args, queries, keys);
  node.args.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(queries.head_dim)));
}

/// The last two dimensions are matrices, as batch_dot has them.
void set_matrices(AttentionNode& node, const std::vector<Shape>& shapes) {
  const Shape &q = shapes[0], &k = shapes[1], &v = shapes[2];
  const std::size_t rank = q.rank(), rows = rank - 2, columns = rank - 1;
  bool fits = rank >= 3 && k.rank() == rank && v.rank() == rank;
  for (std::size_t d = 0; fits && d < rows; ++d) fits = q[d] == k[d] && q[d] == v[d];
  if (!fits || q[columns] != k[columns] || k[rows] != v[rows]) {
    fail(ErrorCode::invalid_argument, "queries of shape ", to_string(q), ", keys of shape ", to_string(k),
         " and values of shape ", to_string(v),
         " do not fit: expected (batch, queries, width), (batch, keys, width) and (batch, keys, any)");
  }
  node.keys = 1;
  node.values = 2;
  AttentionArgs& args = node.args;
  args.batch = q[0];
  args.heads = q.elements(1, rows);
  args.queries = q[rows];
  args.keys = k[rows];
  args.width = q[columns];
  args.value_width = v[columns];
  args.q = matrices(args.heads, args.queries, args.width);
  args.k = matrices(args.heads, args.keys, args.width);
  args.v = matrices(args.heads, args.keys, args.value_width);
}

[[noreturn]] void fail_mask(const TensorType& mask, const Shape& scores) {
  fail(ErrorCode::invalid_argument, "the mask ", to_string(mask), " does not fit scores of shape ",
       to_string(scores));
}

/// Of the scores, or of their queries alone.
void set_dense_mask(AttentionArgs& args, bool has_keys) {
  args.mask.key = has_keys ? 1 : 0;
  args.mask.query = has_keys ? args.keys : 1;
  args.mask.head = args.queries * args.mask.query;
  args.mask.batch = args.heads * args.mask.head;
}

/// Sizes of 1 are repeated; and the only query, where the mask has more.
void set_broadcast_mask(AttentionArgs& args, const TensorType& mask) {
  Shape shape = mask.shape;
  while (shape.rank() < 3) shape.insert(0, 1);
  if (args.queries == 1 && shape[1] != 1) {
    args.queries = shape[1];
    args.q.word = 0;
  }
  const Shape scores{args.batch * args.heads, args.queries, args.keys};
  for (std::size_t d = 0; d < 3; ++d) {
    if (shape.rank() != 3 || (shape[d] != scores[d] && shape[d] != 1)) fail_mask(mask, scores);
  }
  args.mask.key = shape[2] == 1 ? 0 : 1;
  args.mask.query = shape[1] == 1 ? 0 : shape[2];
  args.mask.head = shape[0] == 1 ? 0 : shape[1] * shape[2];
  args.mask.batch = args.heads * args.mask.head;
}

/// A number for each element of the first dimension of the scores: heads, or samples.
void set_mask_of_first(AttentionArgs& args, bool by_head) {
  args.mask.head = by_head ? 1 : 0;
  args.mask.batch = by_head ? args.heads : 1;
}

void set_mask(AttentionNode& node, const Attrs& attrs, const TensorType& mask, const Shape& scores) {
  AttentionArgs& args = node.args;
  args.mask.type = element_type(mask.dtype);
  args.mask.multiplies = attrs.flag("multiplies");
  args.mask.fill = attrs.number32("fill");
  const std::string& masking = attrs.choice("mask");
  args.mask.masking = masking == "lengths" ? AttentionMasking::lengths
                      : masking == "where" ? AttentionMasking::where
                                           : AttentionMasking::add;
  const bool is_interleaved = attention_projections(attrs) < 3;
  Shape lines = scores;
  lines.erase(scores.rank() - 1);
  if (masking == "lengths") {
    if (mask.shape != lines || !computes_integers(mask.dtype)) fail_mask(mask, scores);
    set_dense_mask(args, false);
  } else if (masking == "where" && mask.shape.rank() == 1) {
    if (mask.shape[0] != scores[0]) fail_mask(mask, scores);
    set_mask_of_first(args, is_interleaved);
  } else if (masking == "add" && is_interleaved) {
    set_broadcast_mask(args, mask);
  } else {
    if (mask.shape != scores) fail_mask(mask, scores);
    set_dense_mask(args, true);
  }
}

/// As the products have it.
Shape scores_shape(const AttentionArgs& args, const std::vector<Shape>& projections) {
  if (projections.size() < 3) return {args.batch * args.heads, args.queries, args.keys};
  Shape shape = projections[0];
  shape[shape.rank() - 1] = args.keys;
  return shape;
}

AttentionNode attention_of(const Attrs& attrs, const std::vector<TensorType>& inputs) {
  AttentionNode node;
  const std::size_t projections = attention_projections(attrs);
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < projections; ++i) shapes.push_back(inputs[i].shape);
  if (projections == 3) {
    set_matrices(node, shapes);
  } else {
    set_interleaved(node, attrs, shapes);
  }
  AttentionArgs& args = node.args;
  args.scale *= attrs.number32("scale");
  if (inputs.size() > projections) {
    node.mask = projections;
    set_mask(node, attrs, inputs[projections], scores_shape(args, shapes));
  }
  if (projections == 3) {
    args.out = matrices(args.heads, args.queries, args.value_width);
  } else {
    args.out = {nullptr, args.heads * args.width, args.width, args.batch * args.heads * args.width};
  }
  return node;
}

std::vector<TensorType> infer_attention(const InferContext& context) {
  const std::size_t projections = attention_projections(context.attrs);
  const DType dtype = context.dtype(0);
  for (std::size_t i = 0; i < projections; ++i) {
    const bool may_be = context.dtype(i) == DType::float32 || (projections == 3 && dtype == DType::float64);
    if (may_be && context.dtype(i) == dtype) continue;
    fail(ErrorCode::unsupported, "input ", i, " is ", to_string(context.dtype(i)), ": expected float32");
  }
  const AttentionArgs args = attention_of(context.attrs, context.inputs).args;
  if (projections == 3) {
    Shape shape = context.shape(0);
    shape[shape.rank() - 1] = args.value_width;
    return {{dtype, shape}};
  }
  return {{dtype, Shape{args.queries, args.batch, args.heads * args.width}}};
}

template <typename T>
Step attention_step(const LowerContext& context) {
  const AttentionNode node = attention_node(context);
  const AttentionArgs& all = node.args;
  Step step{.kernel = concat("attention_ref_", to_string(context.output(0).dtype)),
            .reason = "made for GPUs: the CPU has the reference only"};
  step.thread_scratch_bytes = static_cast<std::size_t>(all.keys) * sizeof(T);
  step.flops =
      2.0 * static_cast<double>(all.lines() * all.keys) * static_cast<double>(all.width + all.value_width);
  step.run = [node](const RunContext& run) {
    AttentionArgs args = node.args;
    node.set_data(args, run.inputs, sizeof(T));
    args.dst = run.outputs[0];
    parallel_for(args.lines(), 1, [&](std::int64_t begin, std::int64_t end) {
      kernels::attention_ref(args, reinterpret_cast<T*>(run.my_scratch()), begin, end);
    });
  };
  return step;
}

/// What batch_dot tells of sizes.
void unify_attention(const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  if (attention_projections(attrs) < 3) return;
  PartialShape &q = inputs[0], &k = inputs[1], &v = inputs[2], &out = outputs[0];
  for (const PartialShape* shape : {&q, &k, &v}) {
    if (!*shape || (*shape)->rank() != 3) return;
  }
  unify((*q)[0], (*k)[0]);
  unify((*q)[0], (*v)[0]);
  unify((*k)[0], (*v)[0]);
  unify((*q)[2], (*k)[2]);
  unify((*k)[1], (*v)[1]);
  if (!out || out->rank() != 3) return;
  unify((*out)[0], (*q)[0]);
  unify((*out)[1], (*q)[1]);
  unify((*out)[2], (*v)[2]);
}

PortNames attention_inputs(const Attrs& attrs) {
  constexpr const char* kNames[3][3] = {
      {"queries_keys_values"}, {"queries", "keys_values"}, {"queries", "keys", "values"}};
  const std::size_t projections = attention_projections(attrs);
  PortNames ports;
  ports.names.assign(kNames[projections - 1], kNames[projections - 1] + projections);
  if (attrs.choice("mask") != "none") ports.names.push_back("mask");
  return ports;
}

}  // namespace

void AttentionNode::set_data(AttentionArgs& to, const void* const* inputs, std::size_t bytes) const {
  const auto at = [&](std::size_t input, std::int64_t elements) -> const void* {
    return static_cast<const char*>(inputs[input]) + elements * static_cast<std::int64_t>(bytes);
  };
  to.q.data = inputs[0];
  to.k.data = at(keys, first_key);
  to.v.data = at(values, first_value);
  if (mask) to.mask.data = inputs[*mask];
}

std::size_t attention_projections(const Attrs& attrs) {
  const std::string& layout = attrs.choice("layout");
  return layout == "self" ? 1 : layout == "encdec" ? 2 : 3;
}

AttentionNode attention_node(const OpProblem& node) {
  std::vector<TensorType> inputs;
  for (std::size_t i = 0; i < node.num_inputs(); ++i) inputs.push_back(node.input(i));
  return attention_of(node.attrs(), inputs);
}

std::vector<OpDef> fused_attention_ops() {
  OpDef op{.name = "_mxinfer_attention", .made_by_passes = true};
  op.summary =
      "Made by a pass: multi-head attention. For each head, softmax of queries times keys, scaled and "
      "masked, "
      "times values.";
  op.attrs = {choice_attr("layout", {"self", "encdec", "matrices"}),
              integer_attr("heads", 1).at_least(1),
              choice_attr("mask", {"none", "lengths", "where", "add"}, "none"),
              number_attr("scale", 1),
              number_attr("fill", 0),
              flag_attr("multiplies", false)};
  op.inputs = attention_inputs;
  op.infer = infer_attention;
  op.unify = unify_attention;
  op.lower = [](LowerContext& context) {
    return context.output(0).dtype == DType::float64 ? attention_step<double>(context)
                                                     : attention_step<float>(context);
  };
  return {std::move(op)};
}

}  // namespace mxinfer::ops
