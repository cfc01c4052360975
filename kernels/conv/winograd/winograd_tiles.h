// The tiles of Winograd's minimal filtering: squares of outputs that cover each image, row by row, and the
// squares of inputs, wider by two, from which they are computed.
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Precondition: is_winograd().
struct WinogradTiles {
  /// A tile's image, and row and column of its first output.
  struct Place {
    std::int64_t image, row, column;
  };

  std::int64_t outputs;             ///< of a tile, in each direction
  std::int64_t rows, columns, all;  ///< of an image; of all images together

  WinogradTiles(const ConvProblem& s, std::int64_t outputs_)
      : outputs(outputs_),
        rows((s.output[1] + outputs - 1) / outputs),
        columns((s.output[2] + outputs - 1) / outputs),
        all(s.batch * rows * columns) {}

  Place place(std::int64_t tile) const {
    const std::int64_t of_image = tile % (rows * columns);
    return {tile / (rows * columns), of_image / columns * outputs, of_image % columns * outputs};
  }
};

/// Finds the inputs of a tile in channels-last images whose pixels are `step` elements apart: pixels[i * side
/// + j] points to the channels of one, or is `outside` beyond the image.
template <typename T>
void winograd_inputs(const ConvProblem& s, const WinogradTiles::Place& at, std::int64_t side, const T* src,
                     std::int64_t step, const T* outside, const T** pixels) {
  const std::int64_t height = s.input[1], width = s.input[2];
  const std::int64_t top = at.row - s.pad[1], left = at.column - s.pad[2];
  const T* image = src + at.image * height * width * step;
  for (std::int64_t i = 0; i < side; ++i, pixels += side) {
    const std::int64_t h = top + i;
    const bool inside = h >= 0 && h < height;
    std::int64_t offset = (h * width + left) * step;
    for (std::int64_t j = 0, w = left; j < side; ++j, ++w, offset += step)
      pixels[j] = inside && w >= 0 && w < width ? image + offset : outside;
  }
}

}  // namespace mxinfer::kernels
