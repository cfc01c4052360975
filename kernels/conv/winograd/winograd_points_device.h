// The transforms of winograd_points-inl.h, which has the algorithm and why these points, for GPUs: of vectors
// of four channels or filters.
//
//   transform_input_tile<DevicePoints4>(load, store);    // load(i, j) returns an input; store(point, v)
//   transform_output_tile<DevicePoints4>(load, row);     // load(point) returns a sum; row(i, outputs)
#pragma once

#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

/// Of consecutive channels or filters.
struct Four {
  float x[4];
};

__device__ __forceinline__ Four operator+(const Four& a, const Four& b) {
  return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2], a.x[3] + b.x[3]}};
}
__device__ __forceinline__ Four operator-(const Four& a, const Four& b) {
  return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2], a.x[3] - b.x[3]}};
}
__device__ __forceinline__ Four operator*(float a, const Four& b) {
  return {{a * b.x[0], a * b.x[1], a * b.x[2], a * b.x[3]}};
}

/// F(4 x 4, 3 x 3).
struct DevicePoints4 {
  static constexpr int kOut = 4, kIn = 6;
  static constexpr float kA = 0.70710678118654752440f;  // sqrt(1/2)
  static constexpr float kB = 1.41421356237309504880f;  // sqrt(2)

  /// B^T d.
  __device__ __forceinline__ static void input(const Four (&d)[6], Four (&v)[6]) {
    v[0] = d[0] + d[4] - 2.5f * d[2];
    const Four even_a = d[4] - 2.0f * d[2], odd_a = kA * (d[3] - 2.0f * d[1]);
    v[1] = even_a + odd_a;
    v[2] = even_a - odd_a;
    const Four even_b = d[4] - 0.5f * d[2], odd_b = kB * (d[3] - 0.5f * d[1]);
    v[3] = even_b + odd_b;
    v[4] = even_b - odd_b;
    v[5] = d[1] + d[5] - 2.5f * d[3];
  }

  /// A^T m.
  __device__ __forceinline__ static void output(const Four (&m)[6], Four (&y)[4]) {
    const Four even_a = m[1] + m[2], even_b = m[3] + m[4];
    const Four odd_a = kA * (m[1] - m[2]), odd_b = kB * (m[3] - m[4]);
    y[0] = m[0] + (even_a + even_b);
    y[1] = odd_a + odd_b;
    y[2] = 0.5f * even_a + 2.0f * even_b;
    y[3] = 0.5f * odd_a + (2.0f * odd_b + m[5]);
  }
};

/// F(2 x 2, 3 x 3).
struct DevicePoints2 {
  static constexpr int kOut = 2, kIn = 4;

  __device__ __forceinline__ static void input(const Four (&d)[4], Four (&v)[4]) {
    v[0] = d[0] - d[2];
    v[1] = d[1] + d[2];
    v[2] = d[2] - d[1];
    v[3] = d[3] - d[1];
  }
  __device__ __forceinline__ static void output(const Four (&m)[4], Four (&y)[2]) {
    y[0] = m[0] + (m[1] + m[2]);
    y[1] = m[1] - m[2] + m[3];
  }
};

/// B^T d B.
template <class Points, class Load, class Store>
__device__ __forceinline__ void transform_input_tile(const Load& load, const Store& store) {
  constexpr int n = Points::kIn;
  Four half[n][n];
#pragma unroll
  for (int j = 0; j < n; ++j) {
    Four in[n], out[n];
#pragma unroll
    for (int i = 0; i < n; ++i) in[i] = load(i, j);
    Points::input(in, out);
#pragma unroll
    for (int i = 0; i < n; ++i) half[i][j] = out[i];
  }
#pragma unroll
  for (int i = 0; i < n; ++i) {
    Four out[n];
    Points::input(half[i], out);
#pragma unroll
    for (int j = 0; j < n; ++j) store(i * n + j, out[j]);
  }
}

/// A^T m A.
template <class Points, class Load, class Row>
__device__ __forceinline__ void transform_output_tile(const Load& load, const Row& row) {
  constexpr int n = Points::kIn, m = Points::kOut;
  Four half[m][n];
#pragma unroll
  for (int j = 0; j < n; ++j) {
    Four in[n], out[m];
#pragma unroll
    for (int i = 0; i < n; ++i) in[i] = load(i * n + j);
    Points::output(in, out);
#pragma unroll
    for (int i = 0; i < m; ++i) half[i][j] = out[i];
  }
#pragma unroll
  for (int i = 0; i < m; ++i) {
    Four out[m];
    Points::output(half[i], out);
    row(i, out);
  }
}

}  // namespace mxinfer::kernels::cuda
