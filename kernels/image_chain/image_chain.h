// The end of a chain of image operators: rows of (height, width, channels) pixels become float values, each
// channel in a plane of its own (CHW) or interleaved as before (HWC).
//
//   dst(c, y, x) = f_c(src(y, x, c)),  f_c(v) = first(v), then the steps, each with its number for channel c
//
// Bytes use a table of 256 values a channel, which the reference arithmetic fills; floats use vector
// arithmetic. Both give the bits of the single operators in turn: divisions are divisions.
//
//   fill_chain_table(first, steps, count, channels, table);   // for bytes
//   const ChainKernels kernels = select_image_chain(ElementType::uint8, args, target);
//   kernels.run(args, src, dst, rows);
//
// With `mirror` pixel x of a row goes to width - 1 - x; with a negative dst_row_step rows go upwards.
// Preconditions: sizes are at least 1; src and dst do not overlap; src_channels is channels, or 1 for
// all channels to read; numbers and table are as long as stated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// How a value becomes a float.
enum class ChainFirst : std::uint8_t {
  cast,
  share_of_255  ///< v / 255 in the wider of its type and float (Float16: rounded to it), as _image_to_tensor
};

enum class ChainOp : std::uint8_t { add, subtract, multiply, divide };

/// v = v op numbers[c].
struct ChainStep {
  ChainOp op;
  const float* numbers;  ///< one for each channel
};

struct ChainArgs {
  std::int64_t width;         ///< pixels in a row
  std::int64_t src_channels;  ///< values from one pixel to the next
  std::int64_t channels;
  std::int64_t src_row_step;      ///< values
  std::int64_t dst_row_step;      ///< values; may be negative
  std::int64_t dst_pixel_step;    ///< 1 for CHW, channels for HWC
  std::int64_t dst_channel_step;  ///< elements of a plane, or 1; negative if channels are reversed
  bool mirror;
  ChainFirst first;
  const ChainStep* steps;
  std::int64_t step_count;
  const float* table;  ///< bytes only: 256 values for each channel
};

using ChainRowsFn = void (*)(const ChainArgs& args, const void* src, float* dst, std::int64_t rows);

struct ChainKernels {
  const char* variant;  ///< "table", "arithmetic"
  Target target;        ///< whose instructions it uses
  ChainRowsFn run;
};

/// table[c * 256 + v] = f_c(v).
void fill_chain_table(ChainFirst first, const ChainStep* steps, std::int64_t step_count,
                      std::int64_t channels, float* table);

/// The kernel for pixels of a type; `run` is null for a type without one (boolean).
ChainKernels select_image_chain(ElementType type, const ChainArgs& args, Target target);

/// Writes rows of pixels of `pixel_bytes` in the opposite order.
void mirror_rows(const std::byte* src, std::byte* dst, std::int64_t rows, std::int64_t width,
                 std::int64_t src_row_bytes, std::int64_t dst_row_bytes, std::int64_t pixel_bytes);

/// The vector kernel for floats of three channels, from HWC to CHW; the same bits as the plain one.
ChainRowsFn chain_rows_f32_simd(Target target);

}  // namespace mxinfer::kernels
