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
  if (conv.sizes.type != kernels::FloatType::float32) return "values are not float32";
  if (precision != kernels::Precision::float32 && precision != kernels::Precision::tf32)
    return "products are of 16-bit floats";
  return conv.has_weights_of_model ? nullptr
                                   : "weights are computed, and packing them takes longer than it saves";
}

Step winograd_step(LowerContext& context, const CudaConv& conv, DeviceWinograd winograd,
                   const device::CudaDevice& device) {
  set_row_strides(context, &winograd);
  ScratchLayout scratch(0);
  ConvOperands operands = conv_operands(context, conv);
  operands.weight = context.packed(1, concat("cuda_winograd outputs=", winograd.outputs),
                                   static_cast<std::size_t>(packed_elements(winograd)) * sizeof(float),
                                   [winograd](const TensorView& weight, std::byte* dst) {
                                     pack_device_winograd(winograd, as_floats(weight).data(),
                                                          reinterpret_cast<float*>(dst));
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

std::string name_of(const ImplicitGemm& gemm) {
  return concat("implicit_gemm_", gemm.patches ? "patches" : kernels::size_of(gemm.tile), "_",
                kernels::short_name(gemm.precision));
}

std::string name_of(const DirectConv& direct) {
  const char* kind = direct.kind == kernels::DirectKind::scalar            ? "direct"
                     : direct.kind == kernels::DirectKind::group_vectors   ? "groups"
                     : direct.kind == kernels::DirectKind::depthwise_tiles ? "depthwise_tiles"
                                                                           : "depthwise";
  return concat("conv_", kind, "_", kernels::short_name(direct.type));
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

template <typename Conv, typename Word>
struct WeightPacking {
  void (*pack)(const Conv&, const float*, Word*);
  kernels::cuda::Status (*kernel)(const Conv&, const void*, Word*, const kernels::cuda::Stream&);
};

/// Packs weights that are a parameter, or finds room for them, `words` of 32 bits. `Conv`: DirectConv,
/// ImplicitGemm.
template <typename Conv, typename Word>
void place_weights(LowerContext& context, const Conv& conv, std::int64_t words, const std::string& packing,
                   const WeightPacking<Conv, Word>& by, ScratchLayout* scratch, ConvOperands* operands) {
  if (!context.is_constant(1)) {
    operands->weight_at = scratch->take<Word>(words);
    return;
  }
  const auto pack = [conv, by](const TensorView& weight, std::byte* dst) {
    by.pack(conv, as_floats(weight).data(), reinterpret_cast<Word*>(dst));
  };
  const auto on_device = [conv, by](device::Stream& stream, DType dtype, const std::byte* stored,
                                    std::byte* packed) {
    Conv of_type = conv;
    of_type.type = float_type_of(dtype);
    const auto& cuda = static_cast<device::CudaStream&>(stream);
    cuda.device().check(by.kernel(of_type, stored, reinterpret_cast<Word*>(packed), cuda.native()),
                        "packing weights");
  };
  operands->weight =
      context.packed_on_device(1, packing, static_cast<std::size_t>(words) * sizeof(Word), pack, on_device);
}

const char* const kComputed = "weights are computed, and packed in each run; ";

Step direct_step(LowerContext& context, const CudaConv& conv, DirectConv direct,
                 const device::CudaDevice& device) {
  set_row_strides(context, &direct);
  ScratchLayout scratch(0);
  ConvOperands operands = conv_operands(context, conv);
  place_weights(
      context, direct, kernels::packed_elements(direct), packing_of("direct_conv", direct),
      WeightPacking<DirectConv, float>{kernels::pack_direct_conv, device.kernels().direct_conv_pack},
      &scratch, &operands);
  Step step{.kernel = name_of(direct)};
  step.reason = concat(operands.weight == nullptr ? kComputed : "", "a group has too few filters for a GEMM");
  step.flops = conv_flops(direct);
  step.scratch_bytes = scratch.bytes();
  step.run = [operands, direct, &library = device.kernels()](const RunContext& run) {
    DirectConv c = direct;
    operands.set(run, &c);
    if (operands.weight == nullptr)
      enqueue(run, library.direct_conv_pack, c, run.inputs[1],
              reinterpret_cast<float*>(run.scratch + operands.weight_at));
    enqueue(run, library.direct_conv, c);
  };
  return step;
}

/// What packed weights of an implicit GEMM depend on, too.
std::string packing_of(const ImplicitGemm& gemm) {
  const char* runs = !gemm.row_runs ? " " : gemm.row_planes() > 1 ? " rows of planes " : " rows ";
  return packing_of("implicit_gemm", gemm) + runs + kernels::to_string(gemm.precision);
}

/// `chosen` has the tile and the splits, or is computed by patches.
Step gemm_step(LowerContext& context, const CudaConv& conv, const ImplicitGemm& chosen,
               const device::CudaDevice& device) {
  kernels::DeviceConv sizes = conv.sizes;
  set_row_strides(context, &sizes);
  ImplicitGemm gemm = kernels::implicit_gemm(sizes, chosen.precision);
  gemm.patches = gemm.patches && chosen.patches;  // rows that lie apart have none
  kernels::set_tiles(&gemm, chosen.tile, chosen.splits);
  ScratchLayout scratch(0);
  ConvOperands operands = conv_operands(context, conv);
  place_weights(context, gemm, kernels::packed_words(gemm), packing_of(gemm),
                WeightPacking<ImplicitGemm, std::uint32_t>{kernels::pack_implicit_gemm,
                                                           device.kernels().implicit_gemm_pack},
                &scratch, &operands);
  operands.partial_at = scratch.take<std::byte>(static_cast<std::int64_t>(gemm.partial_bytes()));
  Step step{.kernel = name_of(gemm)};
  step.reason = concat(operands.weight == nullptr ? kComputed : "",
                       gemm.patches ? "few channels: what positions see of the image is read once"
                                    : "the tile of the least estimated time");
  if (gemm.splits > 1)
    step.reason += concat(", sums in ", gemm.splits, " ranges, which keep all multiprocessors busy");
  step.flops = conv_flops(gemm);
  step.scratch_bytes = scratch.bytes();
  context.take_zeroed(gemm.counter_bytes());
  step.run = [operands, gemm, &library = device.kernels()](const RunContext& run) {
    ImplicitGemm g = gemm;
    operands.set(run, &g);
    g.partial = reinterpret_cast<float*>(run.scratch + operands.partial_at);
    if (run.zeroed != nullptr) g.counters = reinterpret_cast<unsigned*>(run.zeroed);
    if (operands.weight == nullptr)
      enqueue(run, library.implicit_gemm_pack, g, run.inputs[1],
              reinterpret_cast<std::uint32_t*>(run.scratch + operands.weight_at));
    enqueue(run, library.implicit_gemm_conv, g);
  };
  return step;
}

}  // namespace

void ConvOperands::set(const RunContext& run, kernels::DeviceConv* conv) const {
  conv->src = run.inputs[0];
  conv->weight = weight != nullptr ? weight : run.scratch + weight_at;
  if (border) conv->border = border->data(run);
  conv->epilogue.bias = bias.data(run);
  conv->epilogue.slopes = slopes.data(run);
  if (residual) conv->epilogue.residual = run.inputs[*residual];
  conv->epilogue.dst = run.outputs[0];
}

std::optional<std::size_t> conv_slopes(const OpProblem& node) {
  if (node.post_ops().activation != graph::Activation::prelu) return std::nullopt;
  return node.num_inputs() - node.post_ops().inputs();
}

ConvOperands conv_operands(LowerContext& context, const CudaConv& conv) {
  ConvOperands operands;
  operands.bias = float_vector(context, conv.bias);
  operands.slopes = float_vector(context, conv_slopes(context));
  operands.residual = residual_input(context);
  if (conv.border) operands.border = stored_operand(context, *conv.border, conv.sizes.type);
  return operands;
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

namespace {

Implementation gemm_implementation(const CudaConv& conv, const ImplicitGemm& gemm, double products,
                                   const device::CudaDevice& device) {
  Implementation one{.name = name_of(gemm)};
  one.work = products_work(products);
  one.lower = [conv, gemm, &device](LowerContext& context) { return gemm_step(context, conv, gemm, device); };
  return one;
}

/// By the CUDA cores, with the tile of least time; by tensor instructions by patches, and with each tile.
Implementations implicit_gemms(const CudaConv& conv, ImplicitGemm gemm, const device::CudaDevice& device) {
  Implementations result;
  if (gemm.precision == kernels::Precision::float32) {
    const int multiprocessors = device.properties().multiprocessors;
    kernels::choose_tiles(&gemm, multiprocessors);
    result.all.push_back(gemm_implementation(conv, gemm, estimated_products(gemm, multiprocessors), device));
    return result;
  }
  if (gemm.patches) {
    const double clocks = kernels::patch_clocks(gemm, gemm_gpu(device));
    result.all.push_back(gemm_implementation(conv, gemm, clocks * kernels::cuda::kProductsOfClock, device));
    gemm.patches = false;
  }
  for (const kernels::cuda::TensorChoice& choice : kernels::tensor_choices(gemm, gemm_gpu(device))) {
    kernels::set_tiles(&gemm, choice.tile, choice.splits);
    result.all.push_back(
        gemm_implementation(conv, gemm, choice.clocks * kernels::cuda::kProductsOfClock, device));
  }
  return result;
}

}  // namespace

Implementations cuda_convolution(const CudaConv& conv, kernels::Precision precision,
                                 const device::CudaDevice& device) {
  if (kernels::is_direct(conv.sizes)) {
    const DirectConv direct = kernels::direct_conv(conv.sizes, device.properties().multiprocessors);
    return only(name_of(direct), [conv, direct, &device](LowerContext& context) {
      return direct_step(context, conv, direct, device);
    });
  }
  if (const char* why = kernels::implicit_gemm_rejects(conv.sizes)) return rejected("implicit_gemm", why);
  Implementations result = implicit_gemms(conv, kernels::implicit_gemm(conv.sizes, precision), device);
  for (Implementation& one : cuda_winograd(conv, precision, device)) result.all.push_back(std::move(one));
  return result;
}

}  // namespace mxinfer::ops
