#include "ops/nn/convolution_step.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/fused/fused_epilogue.h"
#include "ops/nn/packed_conv_weight.h"

namespace mxinfer::ops {

std::int64_t grain_of(std::int64_t tasks, double flops) {
  constexpr double kWorthwhile = 50e3;
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(tasks) * kWorthwhile / std::max(flops, 1.0)));
}

PortNames convolution_ports(const Attrs& attrs) {
  if (attrs.flag("no_bias")) return {{"data", "weight"}};
  return {{"data", "weight", "bias"}};
}

kernels::Spatial conv_output(const ConvParams& p) {
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

void expect_conv_weights(const InferContext& context, const ConvParams& p, const Shape& data) {
  expect_shape(context, 1, "weight", with_kernel(p.filters, data[1] / p.groups, p),
               concat("num_filter, channels / num_group, kernel; data is ", to_string(data),
                      ", num_group is ", p.groups));
  if (p.bias) expect_shape(context, 2, "bias", Shape{p.filters}, "num_filter");
}

template <typename T>
Step convolution_step(LowerContext& context, const kernels::ConvShape& shape, const kernels::ConvRow<T>& row,
                      const ConvExtras& extras) {
  kernels::ConvArgs<T> args;
  args.shape = shape;
  args.epilogue = kernel_epilogue(context.epilogue());
  if (extras.activation) args.epilogue.activation = *extras.activation;
  args.src_stride = extras.src_stride;
  args.dst_stride = extras.dst_stride;
  const bool bias = !context.attrs().flag("no_bias");
  const std::optional<std::size_t> residual = residual_input(context);

  Step step;
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(shape.depth());
  step.thread_scratch_bytes = static_cast<std::size_t>(row.scratch_elements(shape)) * sizeof(T);
  const T* packed = nullptr;
  if (row.packing != nullptr) {
    if (context.is_constant(1)) {
      packed = packed_conv_weight(context, 1, shape, row);
    } else {
      step.scratch_bytes = static_cast<std::size_t>(row.packed_elements(shape)) * sizeof(T);
      step.reason = "weights are computed, and packed at every run; ";
    }
  }
  step.run = [args, &row, packed, bias, residual, extras, tasks = row.tasks(shape),
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
    if (extras.border) a.border = run.input<T>(*extras.border);
    if (extras.slopes) a.slopes = run.input<T>(*extras.slopes);
    a.dst = run.output<T>(0);
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
      row.run(a, begin, end, reinterpret_cast<T*>(run.my_scratch()));
    });
  };
  return step;
}

template Step convolution_step(LowerContext&, const kernels::ConvShape&, const kernels::ConvRow<float>&,
                               const ConvExtras&);
template Step convolution_step(LowerContext&, const kernels::ConvShape&, const kernels::ConvRow<double>&,
                               const ConvExtras&);

}  // namespace mxinfer::ops
