// Convolution as kernels/conv defines it, of bfloat16 factors: data and weights are rounded to bfloat16,
// products and sums are float32, and so are bias and activation; what is stored is rounded again, or kept as
// float32. Arrays are channels-last, (N, spatial..., C). A fully connected layer is the 1 x 1 convolution of
// a line of rows.
//
//   const ConvBf16Kernel& kernel = select_conv_bf16(shape, target, &reason);
//   conv_bf16_pack(shape, weight, panels);                   // where kernel.tile != nullptr
//   conv_bf16_run(kernel, args, 0, conv_bf16_tasks(kernel, shape), scratch);
//
// The positions of a task are gathered into rows of memory (unless they are rows already, as where the filter
// is 1 x 1), [tap][channel]; from there on the convolution is a matrix product, and a row of the family is a
// tile of it: what multiplies a few rows by a panel of filters, with the instructions that the CPU has. A
// task writes an area of dst of its own, and each sum has an order that follows from the shape alone.
#pragma once

#include <cstddef>

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

struct ConvBf16Kernel {
  const char* name;
  const Bf16Tile* tile;  ///< null: the reference
  void (*finish)(const struct Bf16FinishArgs&);
};

/// The best kernel for a shape on this CPU; `reason` is set to why. Target::ref gets the reference.
const ConvBf16Kernel& select_conv_bf16(const ConvShape& shape, Target target, const char** reason);

/// Plain loops that sum in double over factors rounded to bfloat16: the specification of the others.
const ConvBf16Kernel& conv_bf16_ref();
/// Weights and data widened to float32 in registers: every CPU. A target other than ref.
const ConvBf16Kernel& conv_bf16_emulated(Target target);
/// vdpbf16ps, null where this CPU or its system lacks it.
const ConvBf16Kernel* conv_bf16_dot();
/// AMX's tiles, null where this CPU or its system lacks them.
const ConvBf16Kernel* conv_bf16_amx();

/// Identifies the layout of packed weights, which all tiles share.
inline constexpr const char* kBf16Packing = "bfloat16 pairs, panels of 32 filters";
std::int64_t conv_bf16_packed_elements(const ConvShape& shape);  ///< in pairs, of 4 bytes
void conv_bf16_pack(const ConvShape& shape, const float* weight, std::uint32_t* panels);

std::int64_t conv_bf16_tasks(const ConvBf16Kernel& kernel, const ConvShape& shape);
/// Memory that a thread needs while it runs tasks, 64-byte aligned.
std::size_t conv_bf16_scratch_bytes(const ConvBf16Kernel& kernel, const ConvShape& shape);
void conv_bf16_run(const ConvBf16Kernel& kernel, const ConvBf16Args& args, std::int64_t begin,
                   std::int64_t end, std::byte* scratch);

}  // namespace mxinfer::kernels
