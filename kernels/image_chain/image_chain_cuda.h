// Images on a GPU: the resizing of resize.h and the conversion of image_chain.h in one kernel. Each output
// pixel is resized, converted and put to its place at once, with the bits of the CPU.
#pragma once

#include <cstdint>

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/image_chain/image_chain.h"
#include "kernels/resize/resize.h"

namespace mxinfer::kernels::cuda {

/// One for each channel of the output, at numbers[step * channels + c].
struct ImageSteps {
  int count = 0;
  const ChainOp* ops = nullptr;
  const float* numbers = nullptr;
};

/// Tables are the device's. src and dst do not overlap unless every element stays at its place.
struct ImageChainArgs {
  std::int64_t images = 1;
  /// How source pixels become those of a window of `resize.shape`'s destination sides, as resize.h says; of
  /// the form copy one to one. Shapes count source channels.
  ResizeArgs resize{};
  /// The form area: the shares of column x at [x_share_begin[x], x_share_begin[x + 1]).
  const std::int64_t* x_share_begin = nullptr;
  /// Elements of src: its first image's first pixel, from one image, pixel or channel to the next. Only the
  /// form copy has another pixel and channel step than shape.channels and 1.
  std::int64_t src_offset = 0, src_image_step = 0, src_pixel_step = 0, src_channel_step = 1;

  /// Elements of dst, all but the first step of either sign.
  std::int64_t dst_offset = 0, dst_image_step = 0, dst_row_step = 0, dst_pixel_step = 0, dst_channel_step = 1;
  std::int64_t channels = 0;  ///< of the output; a source with one channel gives it to all

  bool converts = false;  ///< to `out`; otherwise elements stay what they are
  FloatType out = FloatType::float32;
  ChainFirst first = ChainFirst::cast;
  ImageSteps steps;              ///< of float sources
  const float* table = nullptr;  ///< of bytes: 256 values for each channel of the output
};

/// Elements of src: uint8 or float; of dst: args.out if args.converts.
Status image_chain_u8(const ImageChainArgs& args, const std::uint8_t* src, void* dst, const Stream& stream);
Status image_chain_f32(const ImageChainArgs& args, const float* src, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
