// What all implementations count alike for their Work.
#pragma once

#include <cstddef>

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Bytes of packed weights that come from memory if `blocks` blocks of rows read them one after another:
/// small weights stay in cache after the first. `words` are of 4 bytes.
constexpr double passed_weight_bytes(std::int64_t words, std::int64_t blocks) {
  constexpr std::int64_t kStays = 2 << 20;
  return static_cast<double>(words * (words > kStays ? blocks : 1)) * 4;
}

/// Input and output.
constexpr double activation_bytes(const ConvProblem& s, std::size_t element_bytes) {
  return static_cast<double>(s.batch * (s.channels * volume(s.input) + s.filters * volume(s.output))) *
         static_cast<double>(element_bytes);
}

}  // namespace mxinfer::kernels
