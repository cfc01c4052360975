// FullyConnected: dst = data . weight^T + bias.
#include <algorithm>

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_packed.h"
#include "ops/common/post_op_inputs.h"
#include "ops/common/products.h"
#include "ops/nn/convolution/convolution_step.h"

namespace mxinfer::ops {
namespace {

// From so many rows on, packed weights are faster; below, reading the weights once is all that costs, and
// they are read as stored.
constexpr std::int64_t kRowsWorthPacking = 5;

std::vector<TensorType> infer_fully_connected(const InferContext& context) {
  expect_float_inputs(context);
  const Shape& data = context.shape(0);
  const bool flatten = context.attrs.flag("flatten");
  const std::int64_t hidden = context.attrs.integer("num_hidden");
  const std::int64_t depth = as_matrix(data, flatten).depth;
  const Shape& weight = context.shape(1);
  if (weight.rank() == 2 && weight[0] == hidden && weight[1] != depth) {
    // The weights are right for this operator: the data is not what the network takes.
    fail(ErrorCode::invalid_argument, "data ", to_string(data), " has ", depth, " elements in ",
         flatten ? "a row" : "its last dimension", ": expected ", weight[1], ", as the weights ",
         to_string(weight), " take; flatten is ", flatten ? "True" : "False");
  }
  expect_shape(context, 1, "weight", Shape{hidden, depth},
               concat("num_hidden, ",
                      flatten ? "elements of a row of data; data is " : "last dimension of data; data is ",
                      to_string(data), flatten ? ", flatten is True" : ", flatten is False"));
  if (!context.attrs.flag("no_bias")) expect_shape(context, 2, "bias", Shape{hidden}, "num_hidden");
  if (flatten) return {{context.dtype(0), Shape{data[0], hidden}}};
  Shape output = data;
  output[output.rank() - 1] = hidden;
  return {{context.dtype(0), output}};
}

double fully_connected_flops(const Matrix& matrix, std::int64_t columns) {
  return 2.0 * static_cast<double>(matrix.rows) * static_cast<double>(matrix.depth) *
         static_cast<double>(columns);
}

template <typename T>
Step as_stored(LowerContext& context, const kernels::GemmNtKernel<T>& gemm) {
  const Matrix matrix = as_matrix(context.input(0).shape, context.attrs().flag("flatten"));
  kernels::GemmNtArgs<T> args;
  args.rows = matrix.rows;
  args.depth = matrix.depth;
  args.columns = context.attrs().integer("num_hidden");
  args.post_ops = context.post_ops();
  const bool bias = !context.attrs().flag("no_bias");
  const std::optional<std::size_t> residual = residual_input(context);

  Step step{.flops = fully_connected_flops(matrix, args.columns)};
  step.run = [args, &gemm, bias, residual, tasks = gemm.tasks(args)](const RunContext& run) {
    kernels::GemmNtArgs<T> a = args;
    a.a = run.input<T>(0);
    a.b = run.input<T>(1);
    if (bias) a.bias = run.input<T>(2);
    if (residual) a.residual = run.input<T>(*residual);
    a.dst = run.output<T>(0);
    parallel_for(tasks, 1, [&](std::int64_t begin, std::int64_t end) { gemm.run(a, begin, end); });
  };
  return step;
}

const float* packed_fully_connected_weight(LowerContext& context, const kernels::GemmPackedKernel& gemm,
                                           std::int64_t columns, std::int64_t depth) {
  const auto bytes = static_cast<std::size_t>(gemm.panel_elements(columns, depth)) * sizeof(float);
  const auto pack = [columns, depth, &gemm](const TensorView& weight, std::byte* dst) {
    kernels::PackPanelsArgs args;
    args.columns = columns;
    args.depth = args.stride = depth;
    args.transposed = true;
    args.b = weight.data<float>();
    args.dst = reinterpret_cast<float*>(dst);
    gemm.pack(args, 0, gemm.panels(columns));
  };
  return reinterpret_cast<const float*>(
      context.packed(1, concat("fully connected, ", gemm.packing), bytes, pack));
}

Step with_packed_weight(LowerContext& context, const kernels::GemmPackedKernel& gemm) {
  const Matrix matrix = as_matrix(context.input(0).shape, context.attrs().flag("flatten"));
  kernels::GemmPackedArgs args;
  args.rows = matrix.rows;
  args.depth = args.a_stride = matrix.depth;
  args.columns = args.dst_stride = args.residual_stride = context.attrs().integer("num_hidden");
  args.post_ops = context.post_ops();
  args.panels = packed_fully_connected_weight(context, gemm, args.columns, args.depth);
  args.task_hint = std::max(args.task_hint, task_hint(context.threads()));
  const bool bias = !context.attrs().flag("no_bias");
  const std::optional<std::size_t> residual = residual_input(context);

  Step step{.flops = fully_connected_flops(matrix, args.columns)};
  step.run = [args, &gemm, bias, residual, tasks = gemm.tasks(args)](const RunContext& run) {
    kernels::GemmPackedArgs a = args;
    a.a = run.input<float>(0);
    if (bias) a.bias = run.input<float>(2);
    if (residual) a.residual = run.input<float>(*residual);
    a.dst = run.output<float>(0);
    parallel_for(tasks, 1, [&](std::int64_t begin, std::int64_t end) { gemm.run(a, begin, end); });
  };
  return step;
}

Step lower_fully_connected_f32(LowerContext& context) {
  const kernels::Target target = context.target();
  const std::int64_t rows = as_matrix(context.input(0).shape, context.attrs().flag("flatten")).rows;
  const bool ref = target == kernels::Target::ref;
  if (!ref && context.is_constant(1) && rows >= kRowsWorthPacking) {
    const kernels::GemmPackedKernel& gemm = kernels::select_gemm_packed(target);
    Step step = with_packed_weight(context, gemm);
    step.kernel = labelled(gemm.name, target);
    step.reason = concat("weights are packed once: ", rows, " rows use them, ", kRowsWorthPacking,
                         " make up for the copy");
    return step;
  }
  const kernels::GemmNtKernel<float>& gemm = kernels::select_gemm_nt(target);
  Step step = as_stored(context, gemm);
  step.kernel = labelled(gemm.name, target);
  step.reason = ref                       ? "the reference kernel was requested"
                : !context.is_constant(1) ? "weights are computed: read as stored"
                                          : concat("weights are read as stored: below ", kRowsWorthPacking,
                                                   " rows, reading them dominates the cost");
  return step;
}

Step lower_fully_connected(LowerContext& context) {
  if (context.input(0).dtype != DType::float64) return lower_fully_connected_f32(context);
  require_openblas(context);
  Step step = as_stored(context, kernels::gemm_nt_f64());
  step.kernel = concat(kernels::gemm_nt_f64().name, " [openblas]");
  step.reason = "float64 is computed by OpenBLAS";
  return step;
}

}  // namespace

std::vector<OpDef> fully_connected() {
  OpDef op{.name = "FullyConnected", .aliases = {"_npx_fully_connected", "_sparse_FullyConnected"}};
  op.summary = "data . transpose(weight) + bias; with flatten, data becomes a matrix first.";
  op.attrs = {integer_attr("num_hidden").at_least(1), flag_attr("no_bias", false),
              flag_attr("flatten", true)};
  op.inputs = convolution_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.traits.output_rank = [](const Attrs& attrs) {
    return attrs.flag("flatten") ? std::optional(OutputRank{2}) : std::nullopt;
  };
  op.traits.input_shape = [](const Attrs&, const Shape& weight) {
    return weight.rank() == 2 ? std::optional(Shape{-1, weight[1]}) : std::nullopt;
  };
  op.traits.float16_on_gpus = true;
  op.infer = infer_fully_connected;
  op.unify = unify_rows;
  op.lower = lower_fully_connected;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
