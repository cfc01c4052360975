// Floats that are no numbers one computes with.
#pragma once

#include <limits>

namespace mxinfer::test {

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace mxinfer::test
