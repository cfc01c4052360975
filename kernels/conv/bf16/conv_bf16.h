// Convolution as kernels/conv defines it, of bfloat16 factors: data and weights are rounded to bfloat16,
// products and sums are float32, and so are bias and activation; what is stored is rounded again, or kept as
// float32. Arrays are channels-last, (N, spatial..., C). A fully connected layer is the 1 x 1 convolution of
// a line of rows.
//
//   const ConvBf16Kernel& kernel = select_conv_bf16(shape, target, &reason);
//   kernel.algorithm->pack(shape, weight, panels);            // where it has a packing
//   kernel.run(args, 0, kernel.tasks(shape), scratch);        // kernel.scratch_bytes(shape) a thread
//
// An algorithm makes matrix products of a shape; a tile multiplies a few rows by a panel of filters, with the
// instructions that the CPU has. A row of the family is one with the other:
//
// - direct: positions are gathered into rows of memory (unless they are rows already, as where the filter is
//   1 x 1), [tap][channel].
// - Winograd's F(2 x 2, 3 x 3): 4/9 of the multiplications, about twice the error of the direct sum. Its
//   transforms are float32, its factors rounded to bfloat16.
//
// A task writes an area of dst of its own, and each sum has an order that follows from the shape alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/common/bfloat16.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

struct Bf16Tile;

struct ConvBf16Args {
  ConvShape shape;
  Epilogue epilogue;
  const BFloat16* src = nullptr;
  const float* weight = nullptr;          ///< as stored; the reference kernel rounds it
  const std::uint32_t* panels = nullptr;  ///< packed; for the others
  const float* bias = nullptr;            ///< (M), or null
  const BFloat16* residual = nullptr;     ///< like dst, or null; no part of dst
  BFloat16* dst = nullptr;                ///< rounded, or null
  float* wide = nullptr;                  ///< as summed, where dst is null
};

struct ConvBf16Kernel;

/// How a shape becomes products.
struct ConvBf16Algorithm {
  /// Identifies the layout of packed weights, which all tiles share; null where they are read as stored.
  const char* packing;
  std::int64_t (*packed_pairs)(const ConvShape&);  ///< of 4 bytes
  void (*pack)(const ConvShape&, const float* weight, std::uint32_t* panels);
  std::int64_t (*tasks)(const ConvBf16Kernel&, const ConvShape&);
  std::size_t (*scratch_bytes)(const ConvBf16Kernel&, const ConvShape&);
  void (*run)(const ConvBf16Kernel&, const ConvBf16Args&, std::int64_t begin, std::int64_t end,
              std::byte* scratch);
  Work (*work)(const ConvBf16Kernel&, const ConvShape&);
};

struct ConvBf16Kernel {
  const char* name;
  const ConvBf16Algorithm* algorithm;
  const Bf16Tile* tile;  ///< null: the reference
  void (*finish)(const struct Bf16FinishArgs&);
  const struct Bf16Winograd* transforms = nullptr;  ///< of Winograd's algorithm

  std::int64_t tasks(const ConvShape& shape) const { return algorithm->tasks(*this, shape); }
  /// Memory that a thread needs while it runs tasks, 64-byte aligned.
  std::size_t scratch_bytes(const ConvShape& shape) const { return algorithm->scratch_bytes(*this, shape); }
  void run(const ConvBf16Args& args, std::int64_t begin, std::int64_t end, std::byte* scratch) const {
    algorithm->run(*this, args, begin, end, scratch);
  }
  /// What it does on a shape, for predictions.
  Work work(const ConvShape& shape) const { return algorithm->work(*this, shape); }
};

const ConvBf16Algorithm& conv_bf16_direct();
/// Shapes for which is_bf16_winograd() holds.
const ConvBf16Algorithm& conv_bf16_winograd();
constexpr bool is_bf16_winograd(const ConvShape& s) {
  return is_winograd(s) && s.channels % 16 == 0 && s.filters % 16 == 0;
}

/// A row that computes a shape well enough to be asked what it costs.
struct ConvBf16Candidate {
  const ConvBf16Kernel* kernel;
  const char* reason;  ///< what it has for it
};

/// The rows to choose from on this CPU, at least one; Target::ref has the reference row alone.
std::vector<ConvBf16Candidate> conv_bf16_candidates(const ConvShape& shape, Target target);

/// The cheapest of them; `reason` is set to why. It is the same for any number of threads and tasks.
const ConvBf16Kernel& select_conv_bf16(const ConvShape& shape, Target target, const char** reason);

/// The names of the rows that are ever to be chosen between, on any CPU.
std::vector<std::string> conv_bf16_names();

/// Plain loops that sum in double over factors rounded to bfloat16: the specification of the direct rows.
const ConvBf16Kernel& conv_bf16_ref();

/// What multiplies, and by which algorithm.
enum class Bf16Method : std::uint8_t { direct, winograd };
/// Weights and data widened to float32 in registers: every CPU. A target other than ref.
const ConvBf16Kernel& conv_bf16_emulated(Target target, Bf16Method method = Bf16Method::direct);
/// vdpbf16ps, null where this CPU or its system lacks it.
const ConvBf16Kernel* conv_bf16_dot(Bf16Method method = Bf16Method::direct);
/// AMX's tiles, null where this CPU or its system lacks them.
const ConvBf16Kernel* conv_bf16_amx();

}  // namespace mxinfer::kernels
