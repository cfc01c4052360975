#include <array>

#include "kernels/conv/cheapest.h"
#include "kernels/conv/bf16/bf16_tile.h"
#include "kernels/conv/bf16/bf16_winograd.h"
#include "kernels/conv/bf16/conv_bf16.h"

namespace mxinfer::kernels {
namespace {

/// The rows of a tile by what they are called; null where an algorithm is never chosen with it.
struct Names {
  const char *direct, *winograd;
};
constexpr Names kEmulated{"conv_bf16_emulated", "conv_bf16_winograd2_emulated"};
constexpr Names kDot{"conv_bf16_dot", "conv_bf16_winograd2_dot"};
constexpr Names kAmx{"conv_bf16_amx", nullptr};

/// Without a name where there is no tile, or the CPU lacks the target.
ConvBf16Kernel kernel_of(const Names& names, const Bf16Tile* tile, Target target, Bf16Method method) {
  if (tile == nullptr || !is_supported(target)) return {};
  if (method == Bf16Method::direct) return {names.direct, &conv_bf16_direct(), tile, bf16_finish(target)};
  return {names.winograd, &conv_bf16_winograd(), tile, bf16_finish(target), &bf16_winograd(target)};
}

ConvBf16Kernel emulated(Target target, Bf16Method method) {
  const bool runs = target != Target::ref && is_supported(target);
  return kernel_of(kEmulated, runs ? &bf16_tile_emulated(target) : nullptr, target, method);
}

/// Below so many positions most of a tile of AMX would be empty.
constexpr std::int64_t kAmxPositions = 16;

constexpr const char* kWinogradReason =
    "3 x 3 filters of stride 1: Winograd's tiles of 2 x 2 outputs need 4/9 of the multiplications";

// The tile to multiply by, direct and by Winograd's algorithm where the transforms are worth it: on AMX they
// would take longer than the multiplications that they save.
struct Rows {
  const ConvBf16Kernel *direct, *winograd;
  const char* reason;
};

Rows rows_of(const ConvShape& shape, Target target) {
  if (target == Target::avx512) {
    const bool fills_tiles = shape.batch * volume(shape.output) >= kAmxPositions;
    if (const ConvBf16Kernel* amx = conv_bf16_amx(); amx != nullptr && fills_tiles)
      return {amx, nullptr, "AMX: a tile of 16 x 16 sums takes 32 products each at once"};
    if (const ConvBf16Kernel* dot = conv_bf16_dot())
      return {dot, conv_bf16_dot(Bf16Method::winograd), "AVX512_BF16: two products a lane at once"};
  }
  return {&conv_bf16_emulated(target), &conv_bf16_emulated(target, Bf16Method::winograd),
          target == Target::avx512
              ? "the CPU has no instructions for bfloat16: widened to float32 in registers"
              : "the target has no instructions for bfloat16: widened to float32 in registers"};
}

}  // namespace

const ConvBf16Kernel& conv_bf16_emulated(Target target, Bf16Method method) {
  const auto all = [](Bf16Method of) {
    return std::array{emulated(Target::ref, of), emulated(Target::baseline, of), emulated(Target::avx2, of),
                      emulated(Target::avx512, of)};
  };
  static const std::array<ConvBf16Kernel, 4> kDirect = all(Bf16Method::direct);
  static const std::array<ConvBf16Kernel, 4> kWinograd = all(Bf16Method::winograd);
  return (method == Bf16Method::direct ? kDirect : kWinograd)[static_cast<std::size_t>(target)];
}

const ConvBf16Kernel* conv_bf16_dot(Bf16Method method) {
  static const std::array kKernels{kernel_of(kDot, bf16_tile_dot(), Target::avx512, Bf16Method::direct),
                                   kernel_of(kDot, bf16_tile_dot(), Target::avx512, Bf16Method::winograd)};
  const ConvBf16Kernel& kernel = kKernels[method == Bf16Method::direct ? 0 : 1];
  return kernel.name == nullptr ? nullptr : &kernel;
}

const ConvBf16Kernel* conv_bf16_amx() {
  static const ConvBf16Kernel kernel = kernel_of(kAmx, bf16_tile_amx(), Target::avx512, Bf16Method::direct);
  return kernel.name == nullptr ? nullptr : &kernel;
}

std::vector<ConvBf16Candidate> conv_bf16_candidates(const ConvShape& shape, Target target) {
  if (target == Target::ref) return {{&conv_bf16_ref(), "the reference kernel was asked for"}};
  const Rows rows = rows_of(shape, target);
  std::vector<ConvBf16Candidate> candidates{{rows.direct, rows.reason}};
  if (rows.winograd != nullptr && is_bf16_winograd(shape))
    candidates.push_back({rows.winograd, kWinogradReason});
  return candidates;
}

const ConvBf16Kernel& select_conv_bf16(const ConvShape& shape, Target target, const char** reason) {
  const std::vector<ConvBf16Candidate> candidates = conv_bf16_candidates(shape, target);
  const ConvBf16Candidate& best = cheapest(candidates, shape, kUsualRates);
  *reason = best.reason;
  return *best.kernel;
}

std::vector<std::string> conv_bf16_names() {
  return {kEmulated.direct, kEmulated.winograd, kDot.direct, kDot.winograd, kAmx.direct};
}

}  // namespace mxinfer::kernels
