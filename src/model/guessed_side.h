// The sides of images and the lengths of sequences that a model takes, if its file does not say them.
#pragma once

#include <mxinfer/shape.h>

#include <cstdint>
#include <vector>

namespace mxinfer::api {

/// Sides of images, or lengths, that were found by trial.
struct GuessedSide {
  std::int64_t taken = 0, lowest = 0, highest = 0;  ///< all from `lowest` to `highest` fit
  /// By input: the shape with that side free; rank 0 if it is not guessed.
  std::vector<Shape> open_shapes;
};

}  // namespace mxinfer::api
