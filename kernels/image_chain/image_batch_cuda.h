// Images of uint8 and of any sizes on a GPU, packed one behind another with the tables of their resizes: what
// image_chain_cuda.h does to each of them, in one launch. Every image becomes a window of the same sides.
//
//   packed: PackedImage[images], then what they refer to
#pragma once

#include "kernels/image_chain/image_chain_cuda.h"

namespace mxinfer::kernels::cuda {

/// An image and its tables: their offsets in bytes in the packed memory, and what ResizeArgs says of them.
/// The offset of a table that the form does not use is 0. Each table is aligned to its elements.
struct PackedImage {
  std::int64_t pixels;  ///< offset of the first one that the kernel reads
  std::int64_t x_first, y_first, x_weight, y_weight;
  std::int64_t x_share, x_share_begin, y_share, y_share_begin;
  std::int64_t src_height, src_width, src_stride;
  std::int64_t x_inner_end, cubic_float_end;
  std::int32_t channels;  ///< one gives its value to all channels of the output
  std::int32_t taps, x_scale, y_scale;
  ResizeForm form;
};

/// Transforms args.images images at the address `packed`, which is 16-byte aligned. Of args, it reads the
/// offset, steps and conversion of dst, which must be set, and the destination's sides of args.resize. At
/// most 65535 images, of fewer than 2^31 pixels each in dst.
Status image_batch(const ImageChainArgs& args, const std::byte* packed, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
