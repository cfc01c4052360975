// Element-wise programs of elements that lie anywhere: each segment of the output is a program of its own,
// with its own strides, and one kernel computes all segments. Slices, transposes, concatenations and
// broadcasting between element-wise functions are strides.
#pragma once

#include "kernels/elementwise/elementwise_cuda.h"

namespace mxinfer::kernels::cuda {

/// Dimensions along which a segment stores one value several times.
inline constexpr int kViewRepeats = 2;
/// Threads of a block.
inline constexpr int kViewBlock = 256;

/// dst[dst_offset + sum(i_d * dst_strides[d]) + ...] = program at i. In device memory.
struct ViewSegmentArgs {
  /// `data` of an input is how many bytes it begins behind the array that it is in; `dst` is null.
  ElementwiseArgs program;
  std::array<std::uint8_t, kElementwiseInputs> source{};  ///< the array of an input
  std::array<std::int64_t, kElementwiseRank> dst_strides{};
  std::int64_t dst_offset = 0;
  std::array<std::int64_t, kViewRepeats> repeats{1, 1}, repeat_strides{};
  std::int64_t elements = 0;  ///< of the program, without repetitions
  std::int64_t first_block = 0;
  std::int64_t block_elements = 0;  ///< of those
  bool vectors = false;             ///< four at a time, if arrays are 16-byte aligned
};

struct ViewSegmentsArgs {
  const ViewSegmentArgs* segments = nullptr;  ///< on the device, by first_block
  int count = 0;
  unsigned blocks = 0;
  std::array<const void*, kElementwiseInputs> inputs{};
  void* dst = nullptr;
};

/// Programs compute float32; arrays are of float32, float16 or bfloat16. dst overlaps no input.
Status view_segments(const ViewSegmentsArgs& args, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
