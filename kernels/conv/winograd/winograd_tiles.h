// The tiles of Winograd's minimal filtering: squares of outputs that cover each image, row by row, and the
// squares of inputs, wider by two, from which they are computed.
//
// With dilation d, the outputs whose rows and columns leave the same remainders when divided by d depend on
// no other inputs than each other's. They are an image of their own, without dilation, and have their own
// tiles.
#pragma once

#include <algorithm>

#include "kernels/common/divide.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Tiles along the rows or the columns of an image.
class WinogradAxis {
 public:
  /// Tiles of `outputs` outputs, which are `step` apart, that cover `length` outputs.
  WinogradAxis(std::int64_t length, std::int64_t step, std::int64_t outputs)
      : length_(length),
        step_(step),
        outputs_(outputs),
        longer_(length % step),
        most_(ceil_div(ceil_div(length, step), outputs)),
        least_(ceil_div(length / step, outputs)) {}

  std::int64_t step() const { return step_; }
  std::int64_t tiles() const { return longer_ * most_ + (step_ - longer_) * least_; }
  /// The first output of a tile.
  std::int64_t first(std::int64_t tile) const {
    const std::int64_t of_longer = longer_ * most_;
    if (tile < of_longer) return tile / most_ + tile % most_ * outputs_ * step_;
    const std::int64_t rest = tile - of_longer;
    return longer_ + rest / least_ + rest % least_ * outputs_ * step_;
  }
  /// Outputs of the tile that begins at `first`.
  std::int64_t count(std::int64_t first) const {
    return std::min(outputs_, ceil_div(length_ - first, step_));
  }

 private:
  std::int64_t length_, step_, outputs_;
  std::int64_t longer_;        ///< remainders with one output more than the others
  std::int64_t most_, least_;  ///< tiles of these, and of the others
};

/// Precondition: is_winograd().
struct WinogradTiles {
  /// A tile's image, and row and column of its first output.
  struct Place {
    std::int64_t image, row, column;
  };

  WinogradAxis rows, columns;  ///< of an image
  std::int64_t all;            ///< tiles of all images together

  WinogradTiles(const ConvProblem& s, std::int64_t outputs)
      : rows(s.output[1], s.dilate[1], outputs),
        columns(s.output[2], s.dilate[2], outputs),
        all(s.batch * rows.tiles() * columns.tiles()) {}

  Place place(std::int64_t tile) const {
    const std::int64_t of_row = columns.tiles(), of_image = rows.tiles() * of_row;
    return {tile / of_image, rows.first(tile % of_image / of_row), columns.first(tile % of_row)};
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
  for (std::int64_t i = 0, h = top; i < side; ++i, h += s.dilate[1], pixels += side) {
    const bool inside = h >= 0 && h < height;
    std::int64_t offset = (h * width + left) * step;
    for (std::int64_t j = 0, w = left; j < side; ++j, w += s.dilate[2], offset += s.dilate[2] * step)
      pixels[j] = inside && w >= 0 && w < width ? image + offset : outside;
  }
}

}  // namespace mxinfer::kernels
