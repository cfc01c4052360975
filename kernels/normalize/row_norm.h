// Normalises rows to mean 0 and variance 1, then scales: layer, group and instance normalisation.
//
//   mean = sum(x) / length,  std = sqrt(sum((x - mean)^2) / length + eps)
//   dst = (x - mean) / std * gamma + beta
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// Arrays are [outer][length][inner]; row r = o * inner + i is the `length` elements at (o, *, i). T is float
/// or double.
template <typename T>
struct RowNormArgs {
  std::int64_t length = 0;
  std::int64_t inner = 1;
  double eps = 0;
  /// Whether gamma and beta are [length], one for each element of a row; else [groups], element row % groups.
  bool element_affine = true;
  std::int64_t groups = 1;
  const T* gamma = nullptr;
  const T* beta = nullptr;
  const T* src = nullptr;
  T* dst = nullptr;
  T* mean = nullptr;  ///< [rows] or null
  T* std = nullptr;   ///< [rows] or null
};

template <typename T>
using RowNormFn = void (*)(const RowNormArgs<T>& args, std::int64_t begin, std::int64_t end);

/// Computes rows [begin, end), with sums in double.
void row_norm_ref(const RowNormArgs<float>& args, std::int64_t begin, std::int64_t end);
void row_norm_ref(const RowNormArgs<double>& args, std::int64_t begin, std::int64_t end);

/// Precondition: inner = 1. Sums in float over two passes, so that a large mean costs no digits.
RowNormFn<float> select_row_norm_f32(Target target);

}  // namespace mxinfer::kernels
