// What all implementations count alike for their Work.
#pragma once

#include <cstddef>

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Bytes of packed weights that come from memory if `blocks` blocks of rows read them one after another:
/// after the first, small weights stay in the second-level cache, and others come from the third at twice the
/// speed of memory. `words` are of 4 bytes.
constexpr double passed_weight_bytes(std::int64_t words, std::int64_t blocks) {
  constexpr std::int64_t kStays = 384 << 10;
  const double passes = words > kStays ? 1 + 0.5 * static_cast<double>(blocks - 1) : 1;
  return static_cast<double>(words) * 4 * passes;
}

/// Input and output.
constexpr double activation_bytes(const ConvProblem& s, std::size_t element_bytes) {
  return static_cast<double>(s.batch * (s.channels * volume(s.input) + s.filters * volume(s.output))) *
         static_cast<double>(element_bytes);
}

}  // namespace mxinfer::kernels
