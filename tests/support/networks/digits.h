// models/digits, the classifier of handwritten digits that comes with the library.
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>
#include <string>

#include "support/run_op.h"

namespace mxinfer::test {

/// The folder of the model, as Model::load takes it.
inline const std::string kDigits = MXINFER_SOURCE_DIR "/models/digits";

/// A photo of a seven.
inline const std::string kSeven = MXINFER_SOURCE_DIR "/examples/images/seven.jpg";

/// A batch of noise of the model's input.
inline Tensor random_digits(std::int64_t count, unsigned seed) {
  return random_tensor({count, 1, 32, 32}, seed, 0.0f, 255.0f);
}

}  // namespace mxinfer::test
