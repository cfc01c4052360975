#include "kernels/conv/conv_algorithm.h"

namespace mxinfer::kernels {

extern const ConvAlgorithm conv_nhwc_direct_f32;
const ConvAlgorithm conv_nhwc_direct_f32{
    "conv_nhwc_direct_f32", rejects_nhwc_f32, [](Target target) { return &conv_direct(target); },
    "channels-last: the taps are contiguous runs of memory, without gathering"};

}  // namespace mxinfer::kernels
