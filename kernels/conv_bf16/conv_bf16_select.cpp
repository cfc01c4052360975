#include <array>

#include "kernels/conv_bf16/bf16_tile.h"
#include "kernels/conv_bf16/conv_bf16.h"

namespace mxinfer::kernels {
namespace {

constexpr ConvBf16Kernel kDisabled{};

ConvBf16Kernel emulated(Target target) {
  if (!is_supported(target) || target == Target::ref) return kDisabled;
  return {"conv_bf16_emulated", &bf16_tile_emulated(target), bf16_finish(target)};
}

/// A kernel of a tile of AVX-512, null where there is none.
const ConvBf16Kernel* of_tile(const char* name, const Bf16Tile* tile, ConvBf16Kernel& kernel) {
  if (tile == nullptr || !is_supported(Target::avx512)) return nullptr;
  kernel = {name, tile, bf16_finish(Target::avx512)};
  return &kernel;
}

/// Below so many positions most of a tile of AMX would be empty.
constexpr std::int64_t kAmxPositions = 16;

}  // namespace

const ConvBf16Kernel& conv_bf16_emulated(Target target) {
  static const std::array<ConvBf16Kernel, 4> kKernels{emulated(Target::ref), emulated(Target::baseline),
                                                      emulated(Target::avx2), emulated(Target::avx512)};
  return kKernels[static_cast<std::size_t>(target)];
}

const ConvBf16Kernel* conv_bf16_dot() {
  static ConvBf16Kernel kernel;
  static const ConvBf16Kernel* const found = of_tile("conv_bf16_dot", bf16_tile_dot(), kernel);
  return found;
}

const ConvBf16Kernel* conv_bf16_amx() {
  static ConvBf16Kernel kernel;
  static const ConvBf16Kernel* const found = of_tile("conv_bf16_amx", bf16_tile_amx(), kernel);
  return found;
}

const ConvBf16Kernel& select_conv_bf16(const ConvShape& shape, Target target, const char** reason) {
  if (target == Target::ref) {
    *reason = "the reference kernel was asked for";
    return conv_bf16_ref();
  }
  if (target == Target::avx512) {
    const bool fills_tiles = shape.batch * volume(shape.output) >= kAmxPositions;
    if (const ConvBf16Kernel* amx = conv_bf16_amx(); amx != nullptr && fills_tiles) {
      *reason = "AMX: a tile of 16 x 16 sums takes 32 products each at once";
      return *amx;
    }
    if (const ConvBf16Kernel* dot = conv_bf16_dot()) {
      *reason = "AVX512_BF16: two products a lane at once";
      return *dot;
    }
    *reason = "the CPU has no instructions for bfloat16: widened to float32 in registers";
    return conv_bf16_emulated(target);
  }
  *reason = "the target has no instructions for bfloat16: widened to float32 in registers";
  return conv_bf16_emulated(target);
}

}  // namespace mxinfer::kernels
