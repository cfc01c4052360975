// What recurrent cells compute, for kernels on a GPU: the formulas of rnn_cell.h for one unit.
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/cuda/dialect.h"
#include "kernels/rnn/rnn_cuda.h"

namespace mxinfer::kernels::cuda {

inline constexpr int kMostGates = 4;

__device__ __forceinline__ int gates_of(const RnnArgs& args) {
  return args.cell == RnnCell::lstm ? 4 : args.cell == RnnCell::gru ? 3 : 1;
}

__device__ __forceinline__ float sigmoid(float x) {
  return 1.0f / (1.0f + expf(-x));
}

__device__ __forceinline__ float clipped(const CellClip<float>& clip, float c) {
  if (!clip.clip || (clip.keep_nan && c != c)) return c;
  if (!(c >= clip.low)) return clip.low;
  return c > clip.high ? clip.high : c;
}

/// h' and c' of one unit.
struct Unit {
  float state, cell;
};

/// x: the gates of the input, y: those of the state, each with its bias; h: the state, of gru.
__device__ __forceinline__ Unit advance(RnnCell cell, const CellClip<float>& clip,
                                        const float (&x)[kMostGates], const float (&y)[kMostGates], float h,
                                        float c) {
  if (cell == RnnCell::lstm) {
    const float next = clipped(clip, sigmoid(x[1] + y[1]) * c + sigmoid(x[0] + y[0]) * tanhf(x[2] + y[2]));
    return {sigmoid(x[3] + y[3]) * tanhf(next), next};
  }
  if (cell == RnnCell::gru) {
    const float r = sigmoid(x[0] + y[0]), z = sigmoid(x[1] + y[1]);
    const float fresh = tanhf(x[2] + r * y[2]);
    return {(1.0f - z) * fresh + z * h, 0.0f};
  }
  const float sum = x[0] + y[0];
  if (cell == RnnCell::tanh) return {tanhf(sum), 0.0f};
  return {sum < 0.0f ? 0.0f : sum, 0.0f};
}

__device__ __forceinline__ std::int64_t length_of(const RnnArgs& args, std::int64_t row) {
  switch (args.lengths_type) {
    case RnnLengths::float32:
      return convert<std::int64_t>(static_cast<const float*>(args.lengths)[row]);
    case RnnLengths::int32:
      return static_cast<const std::int32_t*>(args.lengths)[row];
    case RnnLengths::int64:
      return static_cast<const std::int64_t*>(args.lengths)[row];
    case RnnLengths::none:
      break;
  }
  return INT64_MAX;
}

}  // namespace mxinfer::kernels::cuda
