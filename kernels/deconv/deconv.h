// Transposed convolution of 1, 2 or 3 spatial dimensions: the gradient of a convolution with respect to its
// input, plus a bias. Each input pixel adds a scaled filter to the output:
//
//   dst[n][m][o] = activation(bias[m] + sum over c, k, i with o = i * stride + k * dilate - pad
//                                       of weight[c][m][k] * src[n][c][i])
//
// over the channels c of m's group. All arrays are dense and row-major with width innermost; weight is
// (C, filters / groups, kernel...).
//
// Two steps: a GEMM of the transposed weights with the pixels computes every filter's tap at every input
// pixel (columns), and fold() adds those that fall on the same output pixel (col2im).
#pragma once

#include <cstdint>

#include "kernels/common/post_ops.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// The same members as a convolution's shape, with input and output the deconvolution's own. Preconditions as
/// there, but output may be any size: taps outside of it are dropped.
using DeconvShape = ConvProblem;

/// Reorders weights from (C, filters / groups, kernel...) to the order of the GEMM, (filters, kernel...,
/// C / groups).
template <typename T>
void transpose_deconv_weight(const DeconvShape& shape, const T* weight, T* transposed);

template <typename T>
struct FoldArgs {
  DeconvShape shape;
  PostOps post_ops;
  const T* columns = nullptr;  ///< (batch, filters, kernel..., input...)
  const T* bias = nullptr;     ///< (filters), or null
  T* dst = nullptr;
};

inline std::int64_t fold_tasks(const DeconvShape& shape) {
  return shape.batch * shape.filters;
}

/// A task is one output channel of one image; taps are added in the filter's order.
template <typename T>
void fold(const FoldArgs<T>& args, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
