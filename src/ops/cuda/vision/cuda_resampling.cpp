// Feature maps brought to another size: UpSampling, _mxinfer_upsampling_nhwc, _contrib_BilinearResize2D,
// Pooling in all its layouts, and adaptive average pooling.
#include <algorithm>

#include "ops/common/copy_step.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/device_tables.h"
#include "ops/nn/kernel_args.h"

namespace mxinfer::ops {
namespace {

// One input and where its first element is in the output.
struct UpsampleJob {
  std::size_t input = 0;
  kernels::cuda::UpsampleShape shape;
  std::int64_t dst_offset = 0;
};

std::vector<UpsampleJob> upsample_jobs(const LowerContext& context, bool sum) {
  const Shape& out = context.output(0).shape;
  std::vector<UpsampleJob> jobs;
  std::int64_t channel = 0;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    const Shape& in = context.input(i).shape;
    if (in.elements() == 0) continue;
    UpsampleJob job{.input = i, .shape = {in[0], in[1], in[2], in[3], 1, out[2] / in[2], out.elements(1, 4)}};
    job.dst_offset = sum ? 0 : channel * out[2] * out[3];
    channel += in[1];
    jobs.push_back(job);
  }
  return jobs;
}

Step upsample_step(LowerContext& context, const device::CudaDevice& device) {
  const bool sum = context.attrs().choice("multi_input_mode") == "sum";
  const std::size_t element = size_of(context.output(0).dtype);
  Step step{.kernel = "upsample", .reason = "moves elements only"};
  step.run = [=, jobs = upsample_jobs(context, sum), type = data_type(context),
              &kernels = device.kernels()](const RunContext& run) {
    for (const UpsampleJob& job : jobs) {
      if (sum && job.input > 0) {
        enqueue(run, kernels.upsample_add, job.shape, type, run.inputs[job.input], run.outputs[0]);
      } else {
        std::byte* dst = run.output<std::byte>(0) + static_cast<std::size_t>(job.dst_offset) * element;
        enqueue(run, kernels.upsample, job.shape, element, run.inputs[job.input], dst);
      }
    }
  };
  return step;
}

Implementations upsampling(const OpProblem& node, const device::CudaDevice& device) {
  const bool sum = node.num_inputs() > 1 && node.attrs().choice("multi_input_mode") == "sum";
  if (sum && (arithmetic_type(node.input(0)) != DType::float32 || !all_of_type(node, node.input(0).dtype)))
    return rejected("upsample", not_all_of_type(DType::float32));
  return only("upsample", upsample_step, device);
}

Step upsample_nhwc_step(LowerContext& context, const device::CudaDevice& device) {
  const bool strided = context.input(0).row_stride != 0 || context.output(0).row_stride != 0;
  if (strided) return context.node().op->lower(context);
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  const kernels::cuda::UpsampleShape shape{
      in[0], 1, in[1], in[2], in[3], context.attrs().integer("scale"), out.elements(1, 4)};
  Step step{.kernel = "upsample", .reason = "moves elements only"};
  step.run = [=, element = size_of(context.output(0).dtype),
              upsample = device.kernels().upsample](const RunContext& run) {
    enqueue(run, upsample, shape, element, run.inputs[0], run.outputs[0]);
  };
  return step;
}

std::vector<kernels::BilinearTap> bilinear_taps(std::int64_t in, std::int64_t out, bool corners) {
  std::vector<kernels::BilinearTap> taps(static_cast<std::size_t>(out));
  kernels::fill_bilinear_taps(in, corners, taps.data(), out);
  return taps;
}

Step bilinear_step(LowerContext& context, const device::CudaDevice& device) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  if (in == out) return alias_step(context);
  const bool corners = context.attrs().flag("align_corners");
  const auto rows = bilinear_taps(in[2], out[2], corners), columns = bilinear_taps(in[3], out[3], corners);
  DeviceTables tables;
  const std::size_t rows_at = tables.add(rows.data(), rows.size());
  const std::size_t columns_at = tables.add(columns.data(), columns.size());
  const auto memory = tables.copy_to(device);
  const kernels::BilinearResizeArgs args{out[0] * out[1],
                                         in[2],
                                         in[3],
                                         out[2],
                                         out[3],
                                         table_at<kernels::BilinearTap>(*memory, rows_at),
                                         table_at<kernels::BilinearTap>(*memory, columns_at)};
  Step step{.kernel = of_data_type("bilinear_resize", context),
            .flops = 6.0 * static_cast<double>(out.elements())};
  step.run = [args, memory, type = data_type(context), resize = device.kernels().bilinear_resize](
                 const RunContext& run) { enqueue(run, resize, args, type, run.inputs[0], run.outputs[0]); };
  return step;
}

Implementations bilinear_resizing(const OpProblem& node, const device::CudaDevice& device) {
  // Of `like`, a second input, only the shape counts.
  const bool is_float32 = arithmetic_type(node.input(0)) == DType::float32;
  if (!is_float32 || node.output(0).dtype != node.input(0).dtype)
    return rejected("bilinear_resize", "data is not float32");
  return only("bilinear_resize", bilinear_step, device);
}

Step pool_step(const kernels::PoolArgs& args, const LowerContext& context, const device::CudaDevice& device) {
  std::int64_t window = 1;
  for (int d = 0; d < 3; ++d) window *= std::min(args.kernel[d], args.in[d]);
  Step step{.kernel = of_data_type(args.inner > 1 ? "pool_channels" : "pool_planes", context)};
  step.flops = static_cast<double>(args.planes * args.out_plane()) * static_cast<double>(window);
  step.run = [args, type = data_type(context), pool = device.kernels().pool](const RunContext& run) {
    enqueue(run, pool, args, type, run.inputs[0], run.outputs[0]);
  };
  return step;
}

template <bool kV1>
Step pooling_step(LowerContext& context, const device::CudaDevice& device) {
  kernels::PoolArgs args = pool_args(context.attrs(), context.input(0), kV1);
  args.src_stride = context.input(0).row_stride;
  args.dst_stride = context.output(0).row_stride;
  return pool_step(args, context, device);
}

Step adaptive_step(LowerContext& context, const device::CudaDevice& device) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  if (in[2] % out[2] == 0 && in[3] % out[3] == 0) return pool_step(even_pool_args(in, out), context, device);
  kernels::AdaptivePoolArgs<float> args{in[2], in[3], out[2], out[3], nullptr, nullptr};
  Step step{.kernel = of_data_type("adaptive_avg_pool", context),
            .reason = "windows overlap: the sizes do not divide"};
  step.run = [args, planes = in[0] * in[1], type = data_type(context),
              pool = device.kernels().adaptive_avg_pool](const RunContext& run) {
    enqueue(run, pool, args, type, planes, run.inputs[0], run.outputs[0]);
  };
  return step;
}

}  // namespace

std::vector<CudaOp> cuda_resampling_ops() {
  return {
      with_halves({"UpSampling", upsampling}, HalfForm::one_type),
      with_halves({"_mxinfer_upsampling_nhwc", one_kernel("upsample", upsample_nhwc_step),
                   strided_input_as_on_cpu, strided_output_as_on_cpu},
                  HalfForm::moves),
      with_halves({"_contrib_BilinearResize2D", bilinear_resizing}, HalfForm::one_type, reads_first),
      with_halves({"Pooling", float_kernel("pool", pooling_step<false>), strided_input_as_on_cpu,
                   strided_output_as_on_cpu},
                  HalfForm::one_type),
      with_halves({"Pooling_v1", float_kernel("pool", pooling_step<true>)}, HalfForm::one_type),
      with_halves({"_contrib_AdaptiveAvgPooling2D", float_kernel("pool", adaptive_step)}, HalfForm::one_type),
  };
}

}  // namespace mxinfer::ops
