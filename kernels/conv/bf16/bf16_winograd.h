// The transforms of Winograd's F(2 x 2, 3 x 3) between bfloat16 and float32, on one tile: from 4 x 4 pixels
// to 16 points, and from 16 sums to 2 x 2 outputs (kernels/conv/winograd/winograd_points-inl.h).
#pragma once

#include <cstdint>

#include "kernels/common/bfloat16.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

inline constexpr int kBf16WinogradOut = 2, kBf16WinogradIn = 4;
inline constexpr int kBf16WinogradPoints = kBf16WinogradIn * kBf16WinogradIn;

struct Bf16InputTile {
  const BFloat16* pixels[kBf16WinogradPoints] = {};  ///< row by row, each of `channels` numbers
  std::int64_t channels = 0;                         ///< a multiple of 16
  BFloat16* points = nullptr;                        ///< channels at point 0, rounded
  std::int64_t point_stride = 0;
};

struct Bf16OutputTile {
  const float* points = nullptr;  ///< sums at point 0
  std::int64_t point_stride = 0;
  std::int64_t columns = 0;  ///< a multiple of 16
  float* outputs = nullptr;  ///< row by row, each of kBf16PanelColumns
};

struct Bf16Winograd {
  void (*input)(const Bf16InputTile&);
  void (*output)(const Bf16OutputTile&);
};

/// A target other than ref.
const Bf16Winograd& bf16_winograd(Target target);

}  // namespace mxinfer::kernels
