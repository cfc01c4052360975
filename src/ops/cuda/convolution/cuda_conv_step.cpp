#include "ops/cuda/convolution/cuda_conv_step.h"

#include "kernels/conv/direct/device_direct.h"
#include "kernels/conv/implicit_gemm/implicit_gemm.h"
#include "kernels/conv/winograd/device_winograd.h"
#include "ops/common/post_op_inputs.h"
#include "ops/common/scratch_layout.h"
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
  Step step{.kernel = winograd_name(winograd.outputs), .flops = conv_flops(winograd)};
  step.scratch_bytes = scratch.bytes();
  step.run = [operands, winograd, launcher = device.kernels().winograd_conv](const RunContext& run) {
    DeviceWinograd w = winograd;
    operands.set(run, &w);
    w.scratch = reinterpret_cast<float*>(run.scratch + operands.partial_at);
    enqueue(run, launcher, w);
  };
  return step;
}

using kernels::DeviceConv;
using kernels::DirectConv;
using kernels::ImplicitGemm;

std::string triple(const int (&sizes)[3]) {
  return concat(sizes[0], " ", sizes[1], " ", sizes[2]);
}

const char* size_of(kernels::GemmTile tile) {
  switch (tile) {
    case kernels::GemmTile::tile_128x128:
      return "128x128";
    case kernels::GemmTile::tile_128x64:
      return "128x64";
    case kernels::GemmTile::tile_128x32:
      return "128x32";
    case kernels::GemmTile::tile_64x64:
      break;
  }
  return "64x64";
}

std::string name_of(const ImplicitGemm& gemm) {
  return concat("implicit_gemm_", size_of(gemm.tile), "_", kernels::short_name(gemm.precision));
}

const char* name_of(kernels::DirectKind kind) {
  switch (kind) {
    case kernels::DirectKind::scalar:
      return "conv_direct_f32";
    case kernels::DirectKind::group_vectors:
      return "conv_groups_f32";
    case kernels::DirectKind::depthwise_vectors:
      break;
  }
  return "conv_depthwise_f32";
}

/// What packed weights depend on beside their shape. Which outputs have no tap follows from the output's
/// size.
std::string packing_of(const char* kernel, const DeviceConv& c) {
  std::string name = concat("cuda_", kernel, " groups=", c.groups);
  if (c.transposed)
    name += concat(" transposed stride=", triple(c.stride), " pad=", triple(c.pad),
                   " dilate=", triple(c.dilate), " output=", triple(c.output));
  return name;
}

/// Packs weights that are a parameter, or finds room for them, `words` of 32 bits. `Conv`: DirectConv,
/// ImplicitGemm.
template <typename Conv, typename Word>
void place_weights(LowerContext& context, const Conv& conv, std::int64_t words, const std::string& packing,
                   void (*pack)(const Conv&, const float*, Word*), ScratchLayout* scratch,
                   ConvOperands* operands) {
  if (!context.is_constant(1)) {
    operands->weight_at = scratch->take<Word>(words);
    return;
  }
  operands->weight = context.packed(1, packing, static_cast<std::size_t>(words) * sizeof(Word),
                                    [conv, pack](const TensorView& weight, std::byte* dst) {
                                      pack(conv, weight.data<float>(), reinterpret_cast<Word*>(dst));
                                    });
}

const char* const kComputed = "weights are computed, and packed in each run; ";

Step direct_step(LowerContext& context, const CudaConv& conv, DirectConv direct, const char* name,
                 const device::CudaDevice& device) {
  set_row_strides(context, &direct);
  ScratchLayout scratch(0);
  ConvOperands operands = conv_operands(context, conv);
  place_weights(context, direct, kernels::packed_elements(direct), packing_of("direct_conv", direct),
                kernels::pack_direct_conv, &scratch, &operands);
  Step step{.kernel = name};
  step.reason = concat(operands.weight == nullptr ? kComputed : "", "a group has too few filters for a GEMM");
  step.flops = conv_flops(direct);
  step.scratch_bytes = scratch.bytes();
  step.run = [operands, direct, &library = device.kernels()](const RunContext& run) {
    DirectConv c = direct;
    operands.set(run, &c);
    if (operands.weight == nullptr)
      enqueue(run, library.direct_conv_pack, c, run.input<float>(1),
              reinterpret_cast<float*>(run.scratch + operands.weight_at));
    enqueue(run, library.direct_conv_f32, c);
  };
  return step;
}

Step gemm_step(LowerContext& context, const CudaConv& conv, ImplicitGemm gemm,
               const device::CudaDevice& device) {
  set_row_strides(context, &gemm);
  ScratchLayout scratch(0);
  ConvOperands operands = conv_operands(context, conv);
  place_weights(context, gemm, kernels::packed_words(gemm),
                packing_of("implicit_gemm", gemm) + kernels::to_string(gemm.precision),
                kernels::pack_implicit_gemm, &scratch, &operands);
  operands.partial_at = scratch.take<std::byte>(static_cast<std::int64_t>(gemm.partial_bytes()));
  Step step{.kernel = name_of(gemm)};
  step.reason = concat(operands.weight == nullptr ? kComputed : "", "the tile of the least estimated time");
  if (gemm.splits > 1)
    step.reason += concat(", sums in ", gemm.splits, " ranges, which keep all multiprocessors busy");
  step.flops = conv_flops(gemm);
  step.scratch_bytes = scratch.bytes();
  step.run = [operands, gemm, &library = device.kernels()](const RunContext& run) {
    ImplicitGemm g = gemm;
    operands.set(run, &g);
    g.partial = reinterpret_cast<float*>(run.scratch + operands.partial_at);
    if (operands.weight == nullptr)
      enqueue(run, library.implicit_gemm_pack, g, run.input<float>(1),
              reinterpret_cast<std::uint32_t*>(run.scratch + operands.weight_at));
    enqueue(run, library.implicit_gemm_conv, g);
  };
  return step;
}

}  // namespace

void ConvOperands::set(const RunContext& run, kernels::DeviceConv* conv) const {
  conv->src = run.input<float>(0);
  conv->weight = weight != nullptr ? weight : run.scratch + weight_at;
  if (border) conv->border = run.input<float>(*border);
  if (bias) conv->epilogue.bias = run.input<float>(*bias);
  if (slopes) conv->epilogue.slopes = run.input<float>(*slopes);
  if (residual) conv->epilogue.residual = run.input<float>(*residual);
  conv->epilogue.dst = run.output<float>(0);
}

ConvOperands conv_operands(const LowerContext& context, const CudaConv& conv) {
  return {.bias = conv.bias,
          .border = conv.border,
          .slopes = slopes_input(context, conv.sizes.epilogue.filters),
          .residual = residual_input(context)};
}

void set_row_strides(const LowerContext& context, kernels::DeviceConv* conv) {
  kernels::set_row_strides(context.input(0).row_stride, context.output(0).row_stride, conv);
}

double conv_flops(const kernels::DeviceConv& c) {
  // Of a transposed one each input meets each tap of a filter.
  const double positions = c.transposed ? static_cast<double>(c.batch) * c.input[0] * c.input[1] * c.input[2]
                                        : static_cast<double>(c.batch * c.epilogue.positions);
  return 2.0 * positions * static_cast<double>(c.epilogue.filters) * c.channels * c.taps();
}

kernels::Work products_work(double products) {
  kernels::Work work;
  work.flops = 2 * products;
  return work;
}

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

Implementations cuda_convolution(const CudaConv& conv, kernels::Precision precision,
                                 const device::CudaDevice& device) {
  const int multiprocessors = device.properties().multiprocessors;
  if (kernels::is_direct(conv.sizes)) {
    const DirectConv direct = kernels::direct_conv(conv.sizes, multiprocessors);
    const char* name = name_of(direct.kind);
    return only(name, [conv, direct, name, &device](LowerContext& context) {
      return direct_step(context, conv, direct, name, device);
    });
  }
  if (const char* why = kernels::implicit_gemm_rejects(conv.sizes)) return rejected("implicit_gemm", why);
  ImplicitGemm gemm = kernels::implicit_gemm(conv.sizes, precision);
  kernels::choose_tiles(&gemm, multiprocessors);
  Implementations result = only(name_of(gemm), [conv, gemm, &device](LowerContext& context) {
    return gemm_step(context, conv, gemm, device);
  });
  result.all[0].work = products_work(estimated_products(gemm, multiprocessors));
  for (Implementation& one : cuda_winograd(conv, precision, device)) result.all.push_back(std::move(one));
  return result;
}

}  // namespace mxinfer::ops
