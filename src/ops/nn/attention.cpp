// The GEMMs of multi-head attention over interleaved projections, as transformers of GluonNLP use them. A
// projection is (length, batch, heads * parts * head_dim): for each head its queries, keys and values lie
// side by side (parts = 3), or its keys and values (parts = 2). Heads are read where they lie.
#include <cmath>

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/transpose.h"
#include "ops/nn/attention_heads.h"
#include "ops/nn/packed_products.h"

namespace mxinfer::ops {
namespace {

void expect_float32(const InferContext& context) {
  for (std::size_t i = 0; i < context.count(); ++i) {
    if (context.dtype(i) != DType::float32) {
      fail(ErrorCode::unsupported, "input ", i, " is ", to_string(context.dtype(i)),
           ": only float32 runs, as in MXNet on CPU");
    }
  }
}

/// attention is (batch * heads, queries, keys) for values of that many keys.
void expect_attention(const Shape& shape, const Heads& values, const char* values_name) {
  if (shape.rank() == 3 && shape[0] == values.count() && shape[2] == values.length) return;
  fail(ErrorCode::invalid_argument, "attention has shape ", to_string(shape), ": expected (", values.count(),
       " = batch * heads, any, ", values.length, " = length of ", values_name, ")");
}

std::vector<TensorType> infer_scores(const InferContext& context) {
  expect_float32(context);
  std::vector<Shape> shapes;
  for (const TensorType& input : context.inputs) shapes.push_back(input.shape);
  const auto [queries, keys] = scores_sides(context.attrs, shapes);
  return {{DType::float32, Shape{queries.count(), queries.length, keys.length}}};
}

std::vector<TensorType> infer_mix(const InferContext& context, bool self) {
  expect_float32(context);
  const Heads values = values_side(context.attrs, context.shape(0), self);
  expect_attention(context.shape(1), values, self ? "queries_keys_values" : "keys_values");
  return {{DType::float32, Shape{context.shape(1)[1], values.batch, values.heads * values.head_dim}}};
}

template <typename ArgsOf>
void run_heads(std::int64_t count, const kernels::GemmNtKernel<float>& gemm, const ArgsOf& args_of) {
  if (count == 0) return;
  const std::int64_t tasks = gemm.tasks(args_of(0));
  parallel_for(count * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) gemm.run(args_of(t / tasks), t % tasks, t % tasks + 1);
  });
}

double flops_of(std::int64_t count, std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  return 2.0 * static_cast<double>(count * rows * columns) * static_cast<double>(depth);
}

template <typename Gemm>
Step named(const LowerContext& context, const Gemm& gemm, const char* reason) {
  return {.kernel = labelled(gemm.name, context.target()), .reason = reason};
}

Step scores_as_stored(LowerContext& context, const Heads& queries, const Heads& keys, std::size_t keys_input,
                      float scale) {
  const kernels::GemmNtKernel<float>& gemm = kernels::select_gemm_nt(context.target());
  kernels::GemmNtArgs<float> args;
  args.rows = queries.length;
  args.columns = keys.length;
  args.depth = queries.head_dim;
  args.a_stride = queries.step();
  args.b_stride = keys.step();
  args.scale = scale;
  Step step = named(context, gemm, "one GEMM a head, read where it lies: few queries");
  step.run = [=, &gemm](const RunContext& run) {
    run_heads(queries.count(), gemm, [&](std::int64_t i) {
      kernels::GemmNtArgs<float> head = args;
      head.a = run.input<float>(0) + queries.at(i);
      head.b = run.input<float>(keys_input) + keys.at(i);
      head.dst = run.output<float>(0) + i * args.rows * args.columns;
      return head;
    });
  };
  return step;
}

Step scores_packed(LowerContext& context, const Heads& queries, const Heads& keys, std::size_t keys_input,
                   float scale) {
  PackedGemms products{.kernel = &kernels::select_gemm_packed(context.target()), .count = queries.count()};
  products.pack.columns = products.args.columns = products.args.dst_stride = keys.length;
  products.pack.depth = products.args.depth = queries.head_dim;
  products.pack.transposed = true;
  products.pack.stride = keys.step();
  products.pack.scale = scale;
  products.args.rows = queries.length;
  products.args.a_stride = queries.step();
  Step step = named(context, *products.kernel, "keys are packed, then one GEMM a head, read where it lies");
  step.scratch_bytes = products.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const auto place = [&](std::int64_t i, kernels::PackPanelsArgs& pack, kernels::GemmPackedArgs& args) {
      pack.b = run.input<float>(keys_input) + keys.at(i);
      args.a = run.input<float>(0) + queries.at(i);
      args.dst = run.output<float>(0) + i * args.rows * args.columns;
    };
    products.run(reinterpret_cast<float*>(run.scratch), place);
  };
  return step;
}

Step lower_scores(LowerContext& context) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) shapes.push_back(context.input(i).shape);
  const auto [queries, keys] = scores_sides(context.attrs(), shapes);
  const float scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(queries.head_dim)));
  Step step = worth_packing_once(queries.length, context.target())
                  ? scores_packed(context, queries, keys, shapes.size() - 1, scale)
                  : scores_as_stored(context, queries, keys, shapes.size() - 1, scale);
  step.flops = flops_of(queries.count(), queries.length, keys.length, queries.head_dim);
  return step;
}

Step mix_transposed(LowerContext& context, const Heads& values, const Heads& mixed) {
  const kernels::GemmNtKernel<float>& gemm = kernels::select_gemm_nt(context.target());
  kernels::GemmNtArgs<float> args;
  args.rows = mixed.length;
  args.columns = values.head_dim;
  args.depth = values.length;
  args.dst_stride = mixed.step();
  Step step = named(context, gemm, "values are transposed, then one GEMM a head, written where it belongs");
  const std::int64_t matrix = round_up(values.length * values.head_dim, 16);
  step.scratch_bytes = static_cast<std::size_t>(values.count() * matrix) * sizeof(float);
  step.run = [=, &gemm](const RunContext& run) {
    float* transposed = reinterpret_cast<float*>(run.scratch);
    parallel_for(values.count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        kernels::transpose(run.input<float>(0) + values.at(i), values.step(), transposed + i * matrix,
                           values.length, values.head_dim);
      }
    });
    run_heads(values.count(), gemm, [&](std::int64_t i) {
      kernels::GemmNtArgs<float> head = args;
      head.a = run.input<float>(1) + i * args.rows * args.depth;
      head.b = transposed + i * matrix;
      head.dst = run.output<float>(0) + mixed.at(i);
      return head;
    });
  };
  return step;
}

Step mix_packed(LowerContext& context, const Heads& values, const Heads& mixed) {
  PackedGemms products{.kernel = &kernels::select_gemm_packed(context.target()), .count = values.count()};
  products.pack.columns = products.args.columns = values.head_dim;
  products.pack.depth = products.args.depth = products.args.a_stride = values.length;
  products.pack.stride = values.step();
  products.args.rows = mixed.length;
  products.args.dst_stride = mixed.step();
  Step step =
      named(context, *products.kernel, "values are packed, then one GEMM a head, written where it belongs");
  step.scratch_bytes = products.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const auto place = [&](std::int64_t i, kernels::PackPanelsArgs& pack, kernels::GemmPackedArgs& args) {
      pack.b = run.input<float>(0) + values.at(i);
      args.a = run.input<float>(1) + i * args.rows * args.depth;
      args.dst = run.output<float>(0) + mixed.at(i);
    };
    products.run(reinterpret_cast<float*>(run.scratch), place);
  };
  return step;
}

Step lower_mix(LowerContext& context, bool self) {
  const Heads values = values_side(context.attrs(), context.input(0).shape, self);
  const std::int64_t queries = context.input(1).shape[1];
  const Heads mixed{queries, values.batch, values.heads, values.head_dim, 1, 0};
  Step step = worth_packing_once(queries, context.target()) ? mix_packed(context, values, mixed)
                                                            : mix_transposed(context, values, mixed);
  step.flops = flops_of(values.count(), queries, values.head_dim, values.length);
  return step;
}

OpDef attention_def(std::string name, std::string summary, std::vector<std::string> inputs) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .attrs = {integer_attr("heads").at_least(1)},
          .inputs = named_ports(std::move(inputs))};
}

OpDef scores(std::string name, std::string summary, std::vector<std::string> inputs) {
  OpDef op = attention_def(std::move(name), std::move(summary), std::move(inputs));
  op.traits.float16_on_gpus = true;
  op.infer = infer_scores;
  op.lower = lower_scores;
  return op;
}

OpDef mix(std::string name, std::string summary, const char* values, bool self) {
  OpDef op = attention_def(std::move(name), std::move(summary), {values, "attention"});
  op.traits.float16_on_gpus = true;
  op.infer = [self](const InferContext& context) { return infer_mix(context, self); };
  op.lower = [self](LowerContext& context) { return lower_mix(context, self); };
  return op;
}

}  // namespace

std::vector<OpDef> attention_ops() {
  return {
      scores("_contrib_interleaved_matmul_selfatt_qk",
             "For each head, queries times keys / sqrt(head_dim); a head's queries, keys and values are "
             "adjacent in the last dimension, whose size must be a multiple of 3 * heads.",
             {"queries_keys_values"}),
      mix("_contrib_interleaved_matmul_selfatt_valatt",
          "For each head, attention times values; the heads are adjacent in the last dimension.",
          "queries_keys_values", true),
      scores("_contrib_interleaved_matmul_encdec_qk",
             "For each head, queries times keys / sqrt(head_dim); a head's keys and values are adjacent in "
             "keys_values.",
             {"queries", "keys_values"}),
      mix("_contrib_interleaved_matmul_encdec_valatt",
          "For each head, attention times values; the heads are adjacent in the last dimension.",
          "keys_values", false),
  };
}

}  // namespace mxinfer::ops
