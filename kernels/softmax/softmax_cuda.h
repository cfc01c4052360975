// The softmax of softmax.h on a GPU, of float32.
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"
#include "kernels/softmax/softmax.h"

namespace mxinfer::kernels::cuda {

/// `count` lines. lengths: one number of args.length_type (an integer) for each, or null. dst may be src.
Status softmax(const SoftmaxArgs& args, std::int64_t count, const float* src, float* dst, const void* lengths,
               const Stream& stream);

}  // namespace mxinfer::kernels::cuda
