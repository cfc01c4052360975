// The slopes of LeakyReLU's prelu.
#pragma once

#include <mxinfer/shape.h>

namespace mxinfer::ops {

/// gamma as it lies along the data. As MXNet has it, its sizes are matched from the last one: with those of
/// data's channels (axis 1), then with its samples (axis 0), where a size of data that does not fit is passed
/// over. So there are one slope, one a channel, one a sample, or one for each of both. A row of a slope a
/// channel may have further sizes of 1, which MXNet does not take.
Shape prelu_gamma_shape(const Shape& data, const Shape& gamma);

}  // namespace mxinfer::ops
