// Convolutions: as implicit GEMM in each precision, and by Winograd's algorithm.
#include <algorithm>
#include <memory>
#include <set>

#include "cuda/candidates.h"
#include "kernels/common/divide.h"
#include "kernels/conv/conv_cuda.h"

namespace mxinfer::bench {
namespace {

using kernels::GemmTile;
using kernels::ImplicitGemm;
using kernels::Precision;

struct TileOfConv {
  GemmTile tile;
  int rows, columns;
};

std::vector<TileOfConv> tiles_of_conv(Precision precision) {
  if (precision == Precision::float32) {
    return {{GemmTile::tile_128x128, 128, 128},
            {GemmTile::tile_128x64, 128, 64},
            {GemmTile::tile_64x64, 64, 64},
            {GemmTile::tile_128x32, 128, 32}};
  }
  std::vector<TileOfConv> tiles;
  for (const kernels::cuda::TensorTile& one : kernels::cuda::kTensorTiles) {
    if (kernels::has_aligned_tile(one.tile, precision == Precision::tf32 ? 4 : 2))
      tiles.push_back({one.tile, one.rows, one.columns});
  }
  return tiles;
}

kernels::cuda::GemmGpu sizes_of(const Gpu& gpu) {
  const auto& properties = gpu.properties();
  return {properties.multiprocessors, properties.shared_bytes, properties.major, properties.minor};
}

kernels::ConvProblem problem_of(const ConvLayer& layer) {
  kernels::ConvProblem p;
  p.batch = layer.batch;
  p.channels = layer.channels;
  p.filters = layer.filters;
  p.input = {1, layer.size, layer.size};
  p.kernel = {1, layer.kernel, layer.kernel};
  p.stride = {1, layer.stride, layer.stride};
  p.pad = {0, layer.kernel / 2, layer.kernel / 2};
  for (std::size_t d = 0; d < 3; ++d)
    p.output[d] = (p.input[d] + 2 * p.pad[d] - p.kernel[d]) / p.stride[d] + 1;
  return p;
}

/// Everything but packed weights, which differ from kernel to kernel.
struct ConvOperands {
  ConvOperands(const kernels::ConvProblem& p, bool with_residual, kernels::FloatType values, Gpu& gpu)
      : problem(p),
        type(values),
        src_elements(p.batch * p.channels * kernels::volume(p.input)),
        dst_elements(p.batch * p.filters * kernels::volume(p.output)),
        src(gpu.random_values(src_elements, type)),
        weight(gpu.random_values(p.weight_elements(), type)),
        bias(gpu.random_floats(p.filters, -1, 1)),
        dst(gpu.random_values(dst_elements, type)) {
    if (with_residual) residual = gpu.random_values(dst_elements, type);
  }

  kernels::DeviceConv conv() const {
    kernels::DeviceConv conv =
        kernels::device_conv(problem, kernels::Direction::forward, kernels::SrcLayout::nhwc, type);
    conv.src = src->data();
    conv.epilogue.bias = reinterpret_cast<const float*>(bias->data());
    conv.epilogue.dst = dst->data();
    conv.epilogue.post_ops.activation = kernels::Activation::relu;
    if (residual) conv.epilogue.residual = residual->data();
    conv.epilogue.post_ops.residual = residual != nullptr;
    return conv;
  }
  double flops() const {
    return 2.0 * static_cast<double>(dst_elements) * static_cast<double>(problem.depth());
  }
  double value_bytes() const {
    return static_cast<double>(kernels::bytes_of(type)) *
           static_cast<double>(src_elements + dst_elements * (residual ? 2 : 1));
  }

  kernels::ConvProblem problem;
  kernels::FloatType type;  ///< of src, weight, dst and residual
  std::int64_t src_elements, dst_elements;
  std::unique_ptr<device::Buffer> src, weight, bias, dst, residual;
};
using Operands = std::shared_ptr<const ConvOperands>;
using Packed = std::shared_ptr<device::Buffer>;

Candidate candidate_of(const ImplicitGemm& gemm, const Operands& operands, const Packed& packed, Gpu& gpu) {
  Candidate c;
  c.kernel = std::string("implicit_gemm_") + (gemm.patches ? "patches" : size_of(gemm.tile)) + "_" +
             short_name(gemm.precision);
  c.precision = gemm.precision;
  c.splits = gemm.splits;
  c.flops = operands->flops();
  c.bytes = operands->value_bytes() + static_cast<double>(packed->bytes());
  c.scratch_bytes = gemm.partial_bytes();
  const auto& library = gpu.kernels();
  c.launch = [gemm, operands, packed, &library](void* scratch, const kernels::cuda::Stream& stream) {
    ImplicitGemm with_scratch = gemm;
    with_scratch.partial = static_cast<float*>(scratch);
    return library.implicit_gemm_conv(with_scratch, stream);
  };
  return c;
}

/// The library's choice of a tile and of splits.
ImplicitGemm planned_of(const ImplicitGemm& gemm, const Gpu& gpu) {
  ImplicitGemm planned = gemm;
  if (gemm.precision == Precision::float32) {
    kernels::choose_tiles(&planned, gpu.properties().multiprocessors);
    return planned;
  }
  const auto choices = kernels::tensor_choices(gemm, sizes_of(gpu));
  const auto best = std::min_element(choices.begin(), choices.end(),
                                     [](const auto& a, const auto& b) { return a.clocks < b.clocks; });
  kernels::set_tiles(&planned, best->tile, best->splits);
  planned.patches = gemm.patches && kernels::patch_clocks(gemm, sizes_of(gpu)) < best->clocks;
  return planned;
}

void add_implicit_gemms(Precision precision, const Operands& operands, Gpu& gpu,
                        std::vector<Candidate>& all) {
  ImplicitGemm gemm = kernels::implicit_gemm(operands->conv(), precision);
  const Packed packed = gpu.device().allocate(static_cast<std::size_t>(packed_words(gemm)) * 4);
  gpu.check(gpu.kernels().implicit_gemm_pack(gemm, operands->weight->data(),
                                             reinterpret_cast<std::uint32_t*>(packed->data()), gpu.native()),
            "packing weights");
  gemm.weight = packed->data();
  const ImplicitGemm planned = planned_of(gemm, gpu);
  if (gemm.patches) {
    all.push_back(candidate_of(gemm, operands, packed, gpu));
    all.back().is_planned = planned.patches;
    gemm.patches = false;  // the tiles, too
  }

  for (const TileOfConv& tile : tiles_of_conv(precision)) {
    const bool is_planned = !planned.patches && tile.tile == planned.tile;
    const std::int64_t blocks = kernels::ceil_div(gemm.batch * gemm.phase_positions(), tile.rows) *
                                kernels::ceil_div(operands->problem.filters, tile.columns);
    std::vector<int> splits = splits_to_try(blocks, gpu);
    if (is_planned) splits.push_back(planned.splits);
    std::set<int> tried;
    for (const int pieces : splits) {
      kernels::set_tiles(&gemm, tile.tile, pieces);
      if (!tried.insert(gemm.splits).second) continue;
      all.push_back(candidate_of(gemm, operands, packed, gpu));
      all.back().is_planned = is_planned && gemm.splits == planned.splits;
    }
  }
}

void add_winograd(int outputs, const Operands& operands, Gpu& gpu, std::vector<Candidate>& all) {
  const kernels::DeviceConv conv = operands->conv();
  if (kernels::device_winograd_rejects(conv) != nullptr) return;
  kernels::DeviceWinograd winograd = kernels::device_winograd(conv, outputs, sizes_of(gpu));
  // Their values do not change the time, so that any numbers may stand for transformed weights.
  const Packed packed = gpu.random_floats(packed_elements(winograd), -1, 1);
  winograd.weight = packed->data();
  Candidate c;
  c.kernel = "winograd_" + std::to_string(outputs) + "x" + std::to_string(outputs) + "_3x3_f32";
  c.splits = winograd.gemm.splits;
  c.flops = operands->flops();
  c.bytes = operands->value_bytes() + static_cast<double>(packed->bytes());
  c.scratch_bytes = winograd.scratch_bytes();
  const auto& library = gpu.kernels();
  c.launch = [winograd, operands, packed, &library](void* scratch, const kernels::cuda::Stream& stream) {
    kernels::DeviceWinograd with_scratch = winograd;
    with_scratch.scratch = static_cast<float*>(scratch);
    return library.winograd_conv(with_scratch, stream);
  };
  all.push_back(std::move(c));
}

}  // namespace

std::vector<Candidate> candidates(const ConvLayer& layer, const Precisions& precisions, Gpu& gpu) {
  std::vector<Candidate> all;
  for (const Precision precision : precisions) {
    const auto operands =
        std::make_shared<const ConvOperands>(problem_of(layer), layer.residual, stored_type(precision), gpu);
    add_implicit_gemms(precision, operands, gpu, all);
    if (precision != Precision::float32) continue;
    add_winograd(4, operands, gpu, all);
    add_winograd(2, operands, gpu, all);
  }
  gpu.stream().synchronize();
  return all;
}

std::vector<int> splits_to_try(std::int64_t blocks, const Gpu& gpu) {
  constexpr int kMostPieces = 32;
  std::vector<int> splits{1};
  while (splits.back() < kMostPieces &&
         blocks * splits.back() < std::int64_t{2} * gpu.properties().multiprocessors)
    splits.push_back(2 * splits.back());
  return splits;
}

}  // namespace mxinfer::bench
