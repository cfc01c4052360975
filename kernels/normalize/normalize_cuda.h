// The normalisations of row_norm.h and lrn.h on a GPU, and division by a norm.
#pragma once

#include <cstdint>

#include "kernels/cuda/stream.h"
#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"

namespace mxinfer::kernels::cuda {

/// dst may be src.
Status row_norm(const RowNormArgs<float>& args, std::int64_t rows, const Stream& stream);

/// `rows` rows, n * channels + c. dst is not src.
Status lrn(const LrnArgs& args, std::int64_t rows, const Stream& stream);

/// dst = src / sqrt(sum of src^2 + eps) for lines of `length` elements that lie `inner` apart; lines are
/// numbered outer by outer.
struct L2NormArgs {
  std::int64_t lines = 0, length = 0, inner = 1;
  double eps = 0;
};

/// dst may be src.
Status l2_norm(const L2NormArgs& args, const float* src, float* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
