// Convolution, and Convolution_v1, which means the same.
#include <algorithm>

#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "ops/conv_params.h"
#include "ops/fused_epilogue.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

PortNames ports(const Attrs& attrs) {
  if (attrs.flag("no_bias")) return {{"data", "weight"}};
  return {{"data", "weight", "bias"}};
}

kernels::Spatial output_sizes(const ConvParams& p) {
  kernels::Spatial output{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t padded = p.input[i] + 2 * p.pad[i];
    if (p.reach(i) > padded) {
      fail(ErrorCode::invalid_argument, "the kernel covers ", p.reach(i), " elements of spatial dimension ",
           i + p.rank - 3, ", data has ", p.input[i], " and ", 2 * p.pad[i], " of padding");
    }
    output[i] = (padded - p.reach(i)) / p.stride[i] + 1;
  }
  return output;
}

std::vector<TensorType> infer(const InferContext& context) {
  expect_float_inputs(context);
  const Shape& data = context.shape(0);
  const ConvParams p = conv_params(context.attrs, data);
  const std::int64_t channels = data[1] / p.groups;
  expect_shape(context, 1, "weight", with_kernel(p.filters, channels, p),
               concat("num_filter, channels / num_group, kernel; data is ", to_string(data),
                      ", num_group is ", p.groups));
  if (p.bias) expect_shape(context, 2, "bias", Shape{p.filters}, "num_filter");
  return {{context.dtype(0), with_spatial(data[0], p.filters, output_sizes(p), p.rank)}};
}

kernels::ConvShape conv_shape(const LowerContext& context) {
  const Shape& data = context.input(0).shape;
  const ConvParams p = conv_params(context.attrs(), data);
  kernels::ConvShape shape = to_kernel_shape(p, data, context.threads());
  shape.output = output_sizes(p);
  return shape;
}

/// Tasks to hand to a thread at once: what it then computes is worth the handing over, a few microseconds.
std::int64_t grain_of(std::int64_t tasks, double flops) {
  constexpr double kWorthwhile = 50e3;
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(tasks) * kWorthwhile / std::max(flops, 1.0)));
}

/// The step of a chosen row. Weights that are parameters are packed once for the model, others at every run.
template <typename T>
Step make_step(LowerContext& context, const kernels::ConvShape& shape, const kernels::ConvRow<T>& row) {
  kernels::ConvArgs<T> args;
  args.shape = shape;
  args.epilogue = kernel_epilogue(context.epilogue());
  const bool bias = !context.attrs().flag("no_bias");
  const std::optional<std::size_t> residual = residual_input(context);

  Step step;
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(shape.depth());
  step.thread_scratch_bytes = static_cast<std::size_t>(row.scratch_elements(shape)) * sizeof(T);
  const T* packed = nullptr;
  if (row.packing != nullptr) {
    const auto bytes = static_cast<std::size_t>(row.packed_elements(shape)) * sizeof(T);
    if (const Tensor* weight = context.constant(1)) {
      const auto pack = [&](std::byte* dst) {
        row.pack(shape, weight->data<T>(), reinterpret_cast<T*>(dst));
      };
      const std::string packing = concat(row.packing, " groups=", shape.groups);
      packed = reinterpret_cast<const T*>(context.packed(1, packing, bytes, pack));
    } else {
      step.scratch_bytes = bytes;
      step.reason = "weights are computed, and packed at every run; ";
    }
  }
  step.run = [args, &row, packed, bias, residual, tasks = row.tasks(shape),
              grain = grain_of(row.tasks(shape), step.flops)](const RunContext& run) {
    kernels::ConvArgs<T> a = args;
    a.src = run.input<T>(0);
    a.weight = packed;
    if (packed == nullptr) {
      a.weight = run.input<T>(1);
      if (row.packing != nullptr) {
        T* scratch = reinterpret_cast<T*>(run.scratch);
        row.pack(a.shape, a.weight, scratch);
        a.weight = scratch;
      }
    }
    if (bias) a.bias = run.input<T>(2);
    if (residual) a.residual = run.input<T>(*residual);
    a.dst = run.output<T>(0);
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
      row.run(a, begin, end, reinterpret_cast<T*>(run.my_scratch()));
    });
  };
  return step;
}

Step lower(LowerContext& context) {
  const kernels::ConvShape shape = conv_shape(context);
  const kernels::Target target = context.target();
  if (context.input(0).dtype == DType::float64) {
    Step step = make_step(context, shape, kernels::conv_ref<double>());
    step.kernel = concat(kernels::conv_ref<double>().name, " [ref]");
    step.reason += "float64 has the reference kernel only";
    return step;
  }
  const char* reason = "";
  const kernels::ConvKernel& row = kernels::select_conv(shape, target, &reason);
  Step step = make_step(context, shape, row);
  step.kernel = concat(row.name, " [", kernels::to_string(target), "]");
  step.reason += reason;
  return step;
}

OpDef convolution_def(std::string name) {
  OpDef op;
  op.name = std::move(name);
  op.summary =
      "dst[n, m, o] = bias[m] + sum over c, k of weight[m, c, k] * data[n, c, o * stride + k * dilate - "
      "pad], with 1, 2 "
      "or 3 spatial dimensions";
  op.attrs = conv_attr_specs(false);
  op.inputs = ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.infer = infer;
  op.lower = lower;
  return op;
}

}  // namespace

std::vector<OpDef> convolution() {
  OpDef op = convolution_def("Convolution");
  op.aliases = {"_npx_convolution"};
  return {std::move(op), convolution_def("Convolution_v1")};
}

}  // namespace mxinfer::ops
