// Iterates over the positions of a convolution's output and the corners of their windows, without divisions,
// which would take as long as the multiplications of a layer of few channels.
//
//   ConvPositions at(shape, first);
//   for (; at.image() < shape.batch; at.advance(1)) use(at.corner(1), at.corner(2));
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Whether the window of each position is the position itself.
inline bool is_pointwise(const ConvProblem& s) {
  constexpr Spatial kOne{1, 1, 1};
  return s.kernel == kOne && s.stride == kOne && s.pad == Spatial{0, 0, 0} && s.input == s.output;
}

class ConvPositions {
 public:
  /// `first` counts through all images.
  ConvPositions(const ConvProblem& shape, std::int64_t first)
      : shape_(shape),
        image_(first / volume(shape.output)),
        at_{first / (shape.output[1] * shape.output[2]) % shape.output[0],
            first / shape.output[2] % shape.output[1], first % shape.output[2]} {}

  std::int64_t image() const { return image_; }
  /// The input of the window's first tap; it may lie outside.
  std::int64_t corner(std::size_t dimension) const {
    return at_[dimension] * shape_.stride[dimension] - shape_.pad[dimension];
  }
  std::int64_t left_in_row() const { return shape_.output[2] - at_[2]; }

  /// Precondition: count <= left_in_row().
  void advance(std::int64_t count) {
    at_[2] += count;
    if (at_[2] < shape_.output[2]) return;
    at_[2] = 0;
    if (++at_[1] < shape_.output[1]) return;
    at_[1] = 0;
    if (++at_[0] < shape_.output[0]) return;
    at_[0] = 0;
    ++image_;
  }

 private:
  const ConvProblem& shape_;
  std::int64_t image_;
  Spatial at_;
};

}  // namespace mxinfer::kernels
