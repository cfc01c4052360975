#include "ops/cuda/convolution/cuda_winograd_step.h"

#include "base/fail.h"
#include "kernels/conv/winograd/device_winograd.h"
#include "ops/common/scratch_layout.h"
#include "ops/cuda/convolution/cuda_conv_operands.h"
#include "ops/cuda/cuda_gemm.h"

namespace mxinfer::ops {
namespace {

using kernels::DeviceWinograd;

constexpr int kTileOutputs[] = {4, 2};

std::string winograd_name(int outputs) {
  return concat("winograd_", outputs, "x", outputs, "_3x3_f32");
}

std::string winograd_reason(const DeviceWinograd& winograd) {
  std::string reason =
      concat("3 x 3 filters of stride 1: Winograd's tiles of ", winograd.outputs, " x ", winograd.outputs,
             " outputs need ", winograd.outputs == 4 ? "a quarter" : "4/9", " of the multiplications");
  const std::int64_t slices = (winograd.tiles() + winograd.slice - 1) / winograd.slice;
  if (slices > 1) reason += concat(", in ", slices, " slices, which bound the scratch memory");
  return reason;
}

/// Why there is none, or null.
const char* winograd_rejects(const CudaConv& conv, kernels::Precision precision) {
  if (const char* why = kernels::device_winograd_rejects(conv.sizes)) return why;
  if (precision != kernels::Precision::float32) return "products are not float32";
  return conv.has_weights_of_model ? nullptr
                                   : "weights are computed, and packing them takes longer than it saves";
}

Step winograd_step(LowerContext& context, const CudaConv& conv, DeviceWinograd winograd,
                   const device::CudaDevice& device) {
  set_row_strides(context, &winograd);
  ScratchLayout scratch(0);
  ConvOperands operands = conv_operands(context, conv);
  operands.weight =
      context.packed(1, concat("cuda_winograd outputs=", winograd.outputs),
                     static_cast<std::size_t>(packed_elements(winograd)) * sizeof(float),
                     [winograd](const TensorView& weight, std::byte* dst) {
                       pack_device_winograd(winograd, weight.data<float>(), reinterpret_cast<float*>(dst));
                     });
  operands.partial_at = scratch.take<std::byte>(static_cast<std::int64_t>(winograd.scratch_bytes()));
  Step step;
  step.kernel = winograd_name(winograd.outputs);
  step.flops = conv_flops(winograd);
  step.scratch_bytes = scratch.bytes();
  step.run = [operands, winograd, launcher = device.kernels().winograd_conv](const RunContext& run) {
    DeviceWinograd w = winograd;
    operands.set(run, &w);
    w.scratch = reinterpret_cast<float*>(run.scratch + operands.partial_at);
    enqueue(run, launcher, w);
  };
  return step;
}

}  // namespace

std::vector<Implementation> cuda_winograd(const CudaConv& conv, kernels::Precision precision,
                                          const device::CudaDevice& device) {
  const char* why = winograd_rejects(conv, precision);
  std::vector<Implementation> all;
  for (const int outputs : kTileOutputs) {
    Implementation& one = all.emplace_back();
    one.name = winograd_name(outputs);
    if (why != nullptr) {
      one.rejects = why;
      continue;
    }
    const DeviceWinograd winograd = device_winograd(conv.sizes, outputs, gemm_gpu(device));
    if (winograd.gemm.clocks == 0) {
      one.rejects = "too few tiles or filters for a GEMM";
      continue;
    }
    const auto& gpu = device.properties();
    one.reason = winograd_reason(winograd);
    one.work = products_work(estimated_products(winograd, gpu.multiprocessors, gpu.major, gpu.minor));
    one.bounded_bytes = static_cast<std::size_t>(packed_elements(winograd)) * sizeof(float);
    one.lower = [conv, winograd, &device](LowerContext& context) {
      return winograd_step(context, conv, winograd, device);
    };
  }
  return all;
}

}  // namespace mxinfer::ops
