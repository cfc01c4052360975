// Images of uint8 and of any sizes on a GPU, packed one behind another with the tables of their resizes: what
// image_chain_cuda.h does to each of them, in one launch. Every image becomes a window of the same sides.
//
//   packed: PackedImage[images], then what they refer to
#pragma once

#include "kernels/image_chain/image_chain_cuda.h"

namespace mxinfer::kernels::cuda {

/// An image and its tables: where they are, in bytes from the start of the packed memory, and what ResizeArgs
/// says of them. Tables that the form does not use are at 0. Each is aligned to its elements.
struct PackedImage {
  std::int64_t pixels;  ///< the first one that the kernel reads
  std::int64_t x_first, y_first, x_weight, y_weight;
  std::int64_t x_share, x_share_begin, y_share, y_share_begin;
  std::int64_t src_height, src_width, src_stride;
  std::int64_t x_inner_end, cubic_float_end;
  std::int32_t channels;  ///< one gives its value to all channels of the output
  std::int32_t taps, x_scale, y_scale;
  ResizeForm form;
};

/// args.images images at `packed`, which is 16-byte aligned. Of args, what says where dst is and its
/// conversion, which there is, and the destination's sides of args.resize. At most 65535 images, of fewer
/// than 2^31 pixels each in dst.
Status image_batch(const ImageChainArgs& args, const std::byte* packed, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
