// What one _mxinfer_image_chain does to its images, read from the node's attributes and worked out for the
// shape of its input:
//
//   a region of the source -> resize -> a window of the result -> mirror -> arithmetic -> channels-first
//
//   const ImageChain chain = image_chain(attrs, {DType::uint8, {1, 300, 300, 3}});
//   chain.output();                                  // float32 (1, 3, 224, 224)
#pragma once

#include <mxinfer/vision/image.h>

#include <memory>
#include <vector>

#include "image/resize.h"
#include "kernels/image_chain/image_chain.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct ImageChain {
  DType dtype = DType::uint8;
  bool batch = false;
  std::int64_t images = 1;
  Size image;
  std::int64_t channels = 3;

  Region region;  ///< of the source
  bool resizes = false;
  Size resized;
  Interpolation interpolation = Interpolation::linear;
  Region window;  ///< of the resized region
  bool mirror = false;
  bool flip = false;

  /// Values become float32; otherwise pixels only move.
  bool converts = false;
  kernels::ChainFirst first = kernels::ChainFirst::cast;
  bool planar = false;
  std::int64_t out_channels = 3;
  bool reversed = false;  ///< the last channel becomes the first
  struct Arithmetic {
    kernels::ChainOp op;
    std::vector<float> numbers;  ///< one for each channel
  };
  std::vector<Arithmetic> arithmetic{};

  TensorType output() const;
};

/// Throws Error(invalid_argument) for an image that the attributes do not fit.
ImageChain image_chain(const Attrs& attrs, const TensorType& input);

/// What is done to the source's region: a resize to the window; null for pixels as they are.
std::unique_ptr<image::ResizePlan> resize_plan_of(const ImageChain& chain, kernels::Target target);

/// Of the form area: where the shares of each column begin, and the end of the last one's.
std::vector<std::int64_t> x_share_begins(const kernels::ResizeArgs& resize);

}  // namespace mxinfer::ops
