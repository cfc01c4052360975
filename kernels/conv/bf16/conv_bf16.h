// Convolutions of bfloat16 factors. A fully connected layer is the 1 x 1 convolution of a line of rows.
//
// An algorithm turns a problem into GEMMs; a tile multiplies a few rows by a panel of filters with the
// instructions of the CPU. An implementation is an algorithm with a tile. The algorithms:
//
// - direct: gathers the inputs of a position into a row, [tap][channel], unless they already are one, as with
//   1 x 1 filters.
// - lines: filters of stride 1; copies lines of inputs with their border of zeros, which all taps read.
// - Winograd's F(2 x 2, 3 x 3): 4/9 of the multiplications, about twice the error of the direct sum. Its
//   transforms are float32; transformed inputs and weights are rounded to bfloat16.
#pragma once

#include <cstddef>

#include "kernels/common/bfloat16.h"
#include "kernels/conv/bf16/bf16_tile.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

struct Bf16Winograd;

/// The kernels that an algorithm calls.
struct Bf16Parts {
  const Bf16Tile* tile = nullptr;
  Bf16PostOpsFn post_ops = nullptr;
  const Bf16Winograd* transforms = nullptr;  ///< of Winograd's algorithm
};

/// Any problem.
struct Bf16Direct {
  static constexpr const char* kPacking = "bfloat16 pairs, panels of 32 filters";
  static constexpr bool kWinograd = false;
  static std::size_t packed_bytes(const ConvProblem& s);
  static void pack(const ConvProblem& s, const float* weight, std::byte* packed);
  static std::int64_t tasks(const Bf16Tile& tile, const ConvProblem& s);
  static std::size_t scratch_bytes(const Bf16Tile& tile, const ConvProblem& s);
  static void run(const Bf16Parts& parts, const ConvArgs& args, std::int64_t begin, std::int64_t end,
                  std::byte* scratch);
  static Work work(const Bf16Tile& tile, const ConvProblem& s);
};

/// Problems for which is_bf16_lines() holds, with a tile that reads whole.
struct Bf16Lines {
  static constexpr const char* kPacking = Bf16Direct::kPacking;
  static constexpr bool kWinograd = false;
  static std::size_t packed_bytes(const ConvProblem& s) { return Bf16Direct::packed_bytes(s); }
  static void pack(const ConvProblem& s, const float* weight, std::byte* packed) {
    Bf16Direct::pack(s, weight, packed);
  }
  static std::int64_t tasks(const Bf16Tile& tile, const ConvProblem& s);
  static std::size_t scratch_bytes(const Bf16Tile& tile, const ConvProblem& s);
  static void run(const Bf16Parts& parts, const ConvArgs& args, std::int64_t begin, std::int64_t end,
                  std::byte* scratch);
  static Work work(const Bf16Tile& tile, const ConvProblem& s);
};

/// Several taps of whole steps of channels, over lines of an image that follow each other.
constexpr bool is_bf16_lines(const ConvProblem& s) {
  constexpr std::int64_t kMostTaps = 64;
  return s.groups == 1 && s.channels % (2 * kBf16DepthPairs) == 0 && s.stride == Spatial{1, 1, 1} &&
         s.input[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0 && volume(s.kernel) > 1 &&
         volume(s.kernel) <= kMostTaps;
}

/// Problems for which is_bf16_winograd() holds.
struct Bf16WinogradGemm {
  static constexpr const char* kPacking = "bfloat16 pairs of Winograd's points, panels of 32 filters";
  static constexpr bool kWinograd = true;
  static std::size_t packed_bytes(const ConvProblem& s);
  static void pack(const ConvProblem& s, const float* weight, std::byte* packed);
  static std::int64_t tasks(const Bf16Tile& tile, const ConvProblem& s);
  static std::size_t scratch_bytes(const Bf16Tile& tile, const ConvProblem& s);
  static void run(const Bf16Parts& parts, const ConvArgs& args, std::int64_t begin, std::int64_t end,
                  std::byte* scratch);
  static Work work(const Bf16Tile& tile, const ConvProblem& s);
};

constexpr bool is_bf16_winograd(const ConvProblem& s) {
  return is_winograd(s) && s.channels % 16 == 0 && s.filters % 16 == 0;
}

/// An algorithm with the parts that kParts() returns.
template <class Algorithm, Bf16Parts (*kParts)()>
constexpr ConvImpl bf16_impl(const char* name) {
  return {name,
          Algorithm::kPacking,
          Algorithm::packed_bytes,
          Algorithm::pack,
          [](const ConvProblem& s) { return Algorithm::tasks(*kParts().tile, s); },
          [](const ConvProblem& s) { return Algorithm::scratch_bytes(*kParts().tile, s); },
          [](const ConvArgs& args, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            Algorithm::run(kParts(), args, begin, end, scratch);
          },
          [](const ConvProblem& s) { return Algorithm::work(*kParts().tile, s); },
          Algorithm::kWinograd};
}

/// The algorithm.
enum class Bf16Method : std::uint8_t { direct, winograd, lines };
/// Converts weights and data to float32 in registers: every CPU. A target other than ref.
const ConvImpl& conv_bf16_emulated(Target target, Bf16Method method = Bf16Method::direct);
/// vdpbf16ps; null if this CPU or its system lacks it.
const ConvImpl* conv_bf16_dot(Bf16Method method = Bf16Method::direct);
/// AMX's tiles; null if this CPU or its system lacks them.
const ConvImpl* conv_bf16_amx(Bf16Method method = Bf16Method::direct);

/// The parts of the direct algorithm with the tile of this CPU's fast instructions; null if it has none, or
/// the target is another.
const Bf16Parts* bf16_fast_parts(Target target);
/// The direct algorithm with them.
const ConvImpl* conv_bf16_fast(Target target);

}  // namespace mxinfer::kernels
