// The normalisations of row_norm.h and lrn.h on a GPU, and division by a norm. Statistics and arithmetic are
// float32 for every type of the values.
#pragma once

#include <cstdint>

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"
#include "kernels/normalize/scale_shift.h"

namespace mxinfer::kernels::cuda {

/// src and dst are arrays of `type`, in place of those in args; gamma, beta, mean and std are float32. dst
/// may be src.
Status row_norm(const RowNormArgs<float>& args, FloatType type, std::int64_t rows, const void* src, void* dst,
                const Stream& stream);

/// Rows of channels: `inner` of the arguments is 1. src and dst as above; dst may be src.
Status scale_shift(const ScaleShiftArgs<float>& args, FloatType type, std::int64_t rows, const void* src,
                   void* dst, const Stream& stream);

/// `rows` rows, n * channels + c. Likewise, but dst is not src.
Status lrn(const LrnArgs& args, FloatType type, std::int64_t rows, const void* src, void* dst,
           const Stream& stream);

/// dst = src / sqrt(sum of src^2 + eps) for lines of `length` elements that lie `inner` apart; lines are
/// numbered outer by outer.
struct L2NormArgs {
  std::int64_t lines = 0, length = 0, inner = 1;
  double eps = 0;
};

/// dst may be src.
Status l2_norm(const L2NormArgs& args, FloatType type, const void* src, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
