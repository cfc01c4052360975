// Local response normalisation across channels:
//
//   dst[n][c][i] = src[n][c][i] * (knorm + alpha / size * s) ^ -beta
//   s            = sum over |k - c| <= size / 2 of src[n][k][i]^2
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// Arrays are [n][channels][inner]; size is odd.
struct LrnArgs {
  std::int64_t channels = 0;
  std::int64_t inner = 0;
  std::int64_t size = 1;
  float alpha = 0, beta = 0, knorm = 0;
  const float* src = nullptr;
  float* dst = nullptr;
};

/// Computes rows [begin, end): row n * channels + c.
using LrnFn = void (*)(const LrnArgs& args, std::int64_t begin, std::int64_t end);

void lrn_ref(const LrnArgs& args, std::int64_t begin, std::int64_t end);
/// Precondition: knorm > 0 and alpha >= 0, so that the power is of a positive number.
LrnFn select_lrn_f32(Target target);

}  // namespace mxinfer::kernels
