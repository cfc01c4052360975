// What the reference kernels of convolutions share: which inputs a filter sees at a position of the output.
//
//   for_each_tap(shape, {d, h, w}, [&](std::int64_t c, std::int64_t position) { ... });
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Calls visit(c, position) for each weight of a filter, in the order in which they are stored: c is the
/// channel within the group, position that of the input within its channel, -1 if it lies outside.
template <typename Visit>
void for_each_tap(const ConvProblem& s, const Spatial& at, const Visit& visit) {
  for (std::int64_t c = 0; c < s.group_channels(); ++c) {
    for (std::int64_t kd = 0; kd < s.kernel[0]; ++kd) {
      const std::int64_t d = at[0] * s.stride[0] + kd * s.dilate[0] - s.pad[0];
      for (std::int64_t kh = 0; kh < s.kernel[1]; ++kh) {
        const std::int64_t h = at[1] * s.stride[1] + kh * s.dilate[1] - s.pad[1];
        for (std::int64_t kw = 0; kw < s.kernel[2]; ++kw) {
          const std::int64_t w = at[2] * s.stride[2] + kw * s.dilate[2] - s.pad[2];
          const bool outside =
              d < 0 || d >= s.input[0] || h < 0 || h >= s.input[1] || w < 0 || w >= s.input[2];
          visit(c, outside ? -1 : (d * s.input[1] + h) * s.input[2] + w);
        }
      }
    }
  }
}

}  // namespace mxinfer::kernels
