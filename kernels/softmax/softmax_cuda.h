// The softmax of softmax.h on a GPU. Arithmetic is float32 for every type of the values.
#pragma once

#include <cstdint>

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/softmax/softmax.h"

namespace mxinfer::kernels::cuda {

/// `count` lines of elements of `type`. lengths: one number of args.length_type (an integer) for each, or
/// null. dst may be src.
Status softmax(const SoftmaxArgs& args, FloatType type, std::int64_t count, const void* src, void* dst,
               const void* lengths, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
