// Operators on 8-bit values on a GPU: _mxinfer_convolution_int8, _mxinfer_fully_connected_int8,
// _mxinfer_quantize, _mxinfer_dequantize and _mxinfer_pooling_int8.
#include <algorithm>

#include "kernels/conv/int8/device/int8_cuda.h"
#include "ops/cuda/cuda_gemm.h"
#include "ops/quantized/int8_attrs.h"
#include "ops/quantized/int8_pooling.h"
#include "ops/quantized/int8_step.h"
#include "ops/quantized/ranges.h"

namespace mxinfer::ops {
namespace {

using kernels::DeviceInt8Conv;
using kernels::Int8Choice;
using kernels::Int8Kernel;

std::string name_of(const Int8Choice& choice) {
  switch (choice.kernel) {
    case Int8Kernel::gemm:
      return concat("int8_gemm_", kernels::size_of(choice.tile));
    case Int8Kernel::depthwise:
      return "int8_depthwise";
    case Int8Kernel::rows:
      return "int8_rows_dp4a";
    case Int8Kernel::direct:
      break;
  }
  return "int8_direct_dp4a";
}

std::string reason_of(const Int8Choice& choice) {
  switch (choice.kernel) {
    case Int8Kernel::gemm:
      return concat("the tile of the least estimated time",
                    choice.splits > 1
                        ? concat(", sums in ", choice.splits, " ranges, which keep all multiprocessors busy")
                        : "");
    case Int8Kernel::depthwise:
      return "each channel is a group with one filter";
    case Int8Kernel::rows:
      return "it has at most 4 rows: reading the weights dominates the cost";
    case Int8Kernel::direct:
      break;
  }
  return "a group has too few filters or channels for a GEMM";
}

/// What packed weights depend on beside their shape.
std::string packing_of(const DeviceInt8Conv& conv) {
  const kernels::ImplicitGemm& g = conv.gemm;
  const bool by_filter = conv.kernel == Int8Kernel::gemm || conv.kernel == Int8Kernel::rows;
  return concat("cuda_int8 ",
                by_filter                              ? "filters"
                : conv.kernel == Int8Kernel::depthwise ? "channels"
                                                       : "words",
                " groups=", g.groups,
                !by_filter || !g.row_runs ? " "
                : g.row_planes() > 1      ? " rows of planes "
                                          : " rows ");
}

Step product_step(LowerContext& context, const Int8Values& values, const DeviceInt8Conv& conv,
                  const Int8Choice& choice, const device::CudaDevice& device) {
  const auto pack = [conv](const TensorView& weight, std::byte* dst) {
    pack_device_int8(conv, weight.data<std::int8_t>(), dst);
  };
  const std::byte* weight = context.packed(1, packing_of(conv), packed_bytes(conv), pack);
  Step step{.kernel = name_of(choice), .reason = reason_of(choice)};
  step.flops = 2.0 * static_cast<double>(context.output(0).shape.elements()) *
               static_cast<double>(values.args.problem.depth());
  step.scratch_bytes = conv.gemm.partial_bytes();
  step.run = [=, bias = values.bias, residual = values.residual,
              launcher = device.kernels().int8_conv](const RunContext& run) {
    DeviceInt8Conv now = conv;
    now.gemm.src = run.inputs[0];
    now.gemm.weight = weight;
    now.gemm.partial = reinterpret_cast<float*>(run.scratch);
    now.epilogue.scale = run.input<float>(2);
    if (bias) now.epilogue.bias = run.input<std::int32_t>(*bias);
    if (residual) now.epilogue.residual = run.inputs[*residual];
    now.epilogue.dst = run.outputs[0];
    enqueue(run, launcher, now);
  };
  return step;
}

template <Int8Values (*kValues)(const OpProblem&)>
Implementations int8_product(const OpProblem& node, const device::CudaDevice& device) {
  const char* const kName = "int8_gemm";
  // The CPU's step says that it is an error.
  if (!node.is_constant(1)) return rejected(kName, "weights are computed");
  const Int8Values values = kValues(node);
  if (const char* why = kernels::device_int8_rejects(values.args.problem)) return rejected(kName, why);
  DeviceInt8Conv conv = kernels::device_int8_conv(values.args);
  conv.gemm.epilogue.post_ops.residual = values.residual.has_value();
  Implementations result;
  for (const Int8Choice& choice : kernels::int8_choices(conv, gemm_gpu(device))) {
    set_kernel(&conv, choice);
    Implementation one{.name = name_of(choice)};
    kernels::Work work;
    work.flops = choice.clocks;
    one.work = work;
    one.lower = [values, conv, choice, &device](LowerContext& context) {
      return product_step(context, values, conv, choice, device);
    };
    result.all.push_back(std::move(one));
  }
  return result;
}

Step quantize_step(LowerContext& context, const device::CudaDevice& device) {
  const DType made = context.output(0).dtype;
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = concat("int8_quantize_", to_string(made))};
  step.flops = static_cast<double>(count);
  step.run = [=, type = int8_type(made), scale = positive_attr(context.attrs(), "scale"),
              quantize = device.kernels().int8_quantize](const RunContext& run) {
    enqueue(run, quantize, run.input<float>(0), type, run.outputs[0], count, scale);
  };
  return step;
}

Implementations quantize_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (node.input(0).dtype == node.output(0).dtype) return only("alias", node.node().op->lower);
  if (node.input(0).dtype != DType::float32) return rejected("int8_quantize", "its data is not float32");
  return only("int8_quantize", quantize_step, device);
}

Step dequantize_step(LowerContext& context, const device::CudaDevice& device) {
  const DType given = context.input(0).dtype;
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = concat("int8_dequantize_", to_string(given))};
  step.flops = static_cast<double>(count);
  step.run = [=, type = int8_type(given), scale = positive_attr(context.attrs(), "scale"),
              dequantize = device.kernels().int8_dequantize](const RunContext& run) {
    enqueue(run, dequantize, run.inputs[0], type, run.output<float>(0), count, scale);
  };
  return step;
}

std::int64_t window_of(const kernels::PoolArgs& args) {
  std::int64_t elements = 1;
  for (int d = 0; d < 3; ++d) elements *= std::min(args.kernel[d], args.in[d]);
  return elements;
}

Step int8_pool_on_device(LowerContext& context, const device::CudaDevice& device) {
  const kernels::PoolArgs args = int8_pool_args(context);
  const DType dtype = context.input(0).dtype;
  Step step{.kernel = concat(args.inner > 1 ? "int8_pool_channels_" : "int8_pool_planes_", to_string(dtype))};
  step.flops = static_cast<double>(args.planes * args.out_plane()) * static_cast<double>(window_of(args));
  step.run = [args, type = int8_type(dtype), pool = device.kernels().int8_pool](const RunContext& run) {
    enqueue(run, pool, args, type, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Implementations int8_pooling_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (window_of(int8_pool_args(node)) > kernels::cuda::kMostPooledBytes)
    return rejected("int8_pool", "a window has more than 2^23 elements");
  return only("int8_pool", int8_pool_on_device, device);
}

}  // namespace

std::vector<CudaOp> cuda_int8_ops() {
  return {
      {"_mxinfer_convolution_int8", int8_product<convolution_int8_values>},
      {"_mxinfer_fully_connected_int8", int8_product<fully_connected_int8_values>},
      {"_mxinfer_quantize", quantize_on_cuda},
      {"_mxinfer_dequantize", one_kernel("int8_dequantize", dequantize_step)},
      {"_mxinfer_pooling_int8", int8_pooling_on_cuda},
  };
}

}  // namespace mxinfer::ops
