// Where the tiles of Winograd's minimal filtering lie: squares of outputs that cover each image, row by row,
// and the squares of inputs, two wider, that they follow from.
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Of a shape for which is_winograd() holds.
struct WinogradTiles {
  /// A tile's image, and row and column of its first output.
  struct Place {
    std::int64_t image, row, column;
  };

  std::int64_t outputs;             ///< of a tile, in each direction
  std::int64_t rows, columns, all;  ///< of an image; of all images together

  WinogradTiles(const ConvShape& s, std::int64_t outputs_)
      : outputs(outputs_),
        rows((s.output[1] + outputs - 1) / outputs),
        columns((s.output[2] + outputs - 1) / outputs),
        all(s.batch * rows * columns) {}

  Place place(std::int64_t tile) const {
    const std::int64_t of_image = tile % (rows * columns);
    return {tile / (rows * columns), of_image / columns * outputs, of_image % columns * outputs};
  }
};

/// The channels of input (i, j) of a tile, of channels-last images whose positions lie `step` elements apart;
/// `outside` where the tile reaches beyond the image.
template <typename T>
const T* winograd_input(const ConvShape& s, const WinogradTiles::Place& at, std::int64_t i, std::int64_t j,
                        const T* src, std::int64_t step, const T* outside) {
  const std::int64_t h = at.row + i - s.pad[1], w = at.column + j - s.pad[2];
  if (h < 0 || h >= s.input[1] || w < 0 || w >= s.input[2]) return outside;
  return src + ((at.image * s.input[1] + h) * s.input[2] + w) * step;
}

}  // namespace mxinfer::kernels
