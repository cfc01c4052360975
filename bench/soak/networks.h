// The networks that are called: the bundled one of digits, and one that takes images of any size.
#pragma once

#include <mxinfer/model.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer::soak {

/// (N, 1, 32, 32), ten scores. From its files.
[[nodiscard]] Model load_digits();

/// (N, 3, H, W), ten probabilities: convolutions, a pooling over the whole image, a dense layer. From memory.
[[nodiscard]] Model load_any_size();

/// A JPEG of a digit.
[[nodiscard]] std::vector<std::byte> read_digit();

}  // namespace mxinfer::soak
