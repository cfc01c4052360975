// The interpolation that Winograd's minimal filtering rests on (Lavin and Gray, 2015). A tile of m x m
// outputs follows from n x n inputs, n = m + 2, as
//
//   y = A^T [ sum over channels of (G g G^T) .* (B^T d B) ] A
//
// The matrices interpolate at 0, +-a, +-b and infinity. For m = 4, a = sqrt(1/2) and b = sqrt(2) lose least
// to rounding: some 1e-6 of the largest output, where 1 and 2 lose four times that. For m = 2: 0, +-1 and
// infinity. Included by kernels inside Highway's foreach_target loop.
//
//   WinogradPoints4::Input(d, v);   // B^T d, on vectors; Output: A^T m; Filter: G g, on vectors of double
//   TransformInputTile<WinogradPoints4>(load, store);   // both ways: B^T d B
#if defined(MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_POINTS_INL_H_
#undef MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_POINTS_INL_H_
#else
#define MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_POINTS_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// F(4 x 4, 3 x 3).
struct WinogradPoints4 {
  using D = hwy::HWY_NAMESPACE::ScalableTag<float>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  static constexpr int kOut = 4, kIn = 6;
  static constexpr double kA = 0.70710678118654752440;  // sqrt(1/2)
  static constexpr double kB = 1.41421356237309504880;  // sqrt(2)

  /// A row of G: the filter's polynomial at a point, over the product of its distances to the others.
  template <class W>
  static HWY_INLINE void Filter(const W (&g)[3], W (&u)[6]) {
    const hn::DFromV<W> t;
    const W even_a = hn::MulAdd(g[2], hn::Set(t, kA * kA), g[0]), odd_a = hn::Mul(g[1], hn::Set(t, kA));
    const W even_b = hn::MulAdd(g[2], hn::Set(t, kB * kB), g[0]), odd_b = hn::Mul(g[1], hn::Set(t, kB));
    const W scale_a = hn::Set(t, -2.0 / 3), scale_b = hn::Set(t, 1.0 / 6);
    u[0] = g[0];
    u[1] = hn::Mul(hn::Add(even_a, odd_a), scale_a);
    u[2] = hn::Mul(hn::Sub(even_a, odd_a), scale_a);
    u[3] = hn::Mul(hn::Add(even_b, odd_b), scale_b);
    u[4] = hn::Mul(hn::Sub(even_b, odd_b), scale_b);
    u[5] = g[2];
  }

  /// B^T d.
  static HWY_INLINE void Input(const V (&d)[6], V (&v)[6]) {
    const D t;
    const V a = hn::Set(t, static_cast<float>(kA)), b = hn::Set(t, static_cast<float>(kB));
    const V two = hn::Set(t, 2.0f), half = hn::Set(t, 0.5f), five_halves = hn::Set(t, 2.5f);
    v[0] = hn::NegMulAdd(five_halves, d[2], hn::Add(d[0], d[4]));
    const V even_a = hn::NegMulAdd(two, d[2], d[4]), odd_a = hn::Mul(a, hn::NegMulAdd(two, d[1], d[3]));
    v[1] = hn::Add(even_a, odd_a);
    v[2] = hn::Sub(even_a, odd_a);
    const V even_b = hn::NegMulAdd(half, d[2], d[4]), odd_b = hn::Mul(b, hn::NegMulAdd(half, d[1], d[3]));
    v[3] = hn::Add(even_b, odd_b);
    v[4] = hn::Sub(even_b, odd_b);
    v[5] = hn::NegMulAdd(five_halves, d[3], hn::Add(d[1], d[5]));
  }

  /// A^T m.
  static HWY_INLINE void Output(const V (&m)[6], V (&y)[4]) {
    const D t;
    const V even_a = hn::Add(m[1], m[2]), even_b = hn::Add(m[3], m[4]);
    const V odd_a = hn::Mul(hn::Set(t, static_cast<float>(kA)), hn::Sub(m[1], m[2]));
    const V odd_b = hn::Mul(hn::Set(t, static_cast<float>(kB)), hn::Sub(m[3], m[4]));
    const V two = hn::Set(t, 2.0f), half = hn::Set(t, 0.5f);
    y[0] = hn::Add(m[0], hn::Add(even_a, even_b));
    y[1] = hn::Add(odd_a, odd_b);
    y[2] = hn::MulAdd(half, even_a, hn::Mul(two, even_b));
    y[3] = hn::MulAdd(half, odd_a, hn::MulAdd(two, odd_b, m[5]));
  }
};

/// F(2 x 2, 3 x 3), for images that tiles of 4 x 4 would cover badly.
struct WinogradPoints2 {
  using D = hwy::HWY_NAMESPACE::ScalableTag<float>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  static constexpr int kOut = 2, kIn = 4;

  template <class W>
  static HWY_INLINE void Filter(const W (&g)[3], W (&u)[4]) {
    const hn::DFromV<W> t;
    const W half = hn::Set(t, 0.5), even = hn::Add(g[0], g[2]);
    u[0] = g[0];
    u[1] = hn::Mul(hn::Add(even, g[1]), half);
    u[2] = hn::Mul(hn::Sub(even, g[1]), half);
    u[3] = g[2];
  }

  static HWY_INLINE void Input(const V (&d)[4], V (&v)[4]) {
    v[0] = hn::Sub(d[0], d[2]);
    v[1] = hn::Add(d[1], d[2]);
    v[2] = hn::Sub(d[2], d[1]);
    v[3] = hn::Sub(d[3], d[1]);
  }

  static HWY_INLINE void Output(const V (&m)[4], V (&y)[2]) {
    y[0] = hn::Add(m[0], hn::Add(m[1], m[2]));
    y[1] = hn::Add(hn::Sub(m[1], m[2]), m[3]);
  }
};

/// B^T d B of a tile of Points: load(i, j) returns an input, store(point, v) takes a point.
template <class Points, class Load, class Store>
HWY_INLINE void TransformInputTile(const Load& load, const Store& store) {
  using V = typename Points::V;
  constexpr int n = Points::kIn;
  V half[n][n];
#pragma GCC unroll 6
  for (int j = 0; j < n; ++j) {
    V in[n], out[n];
#pragma GCC unroll 6
    for (int i = 0; i < n; ++i) in[i] = load(i, j);
    Points::Input(in, out);
#pragma GCC unroll 6
    for (int i = 0; i < n; ++i) half[i][j] = out[i];
  }
#pragma GCC unroll 6
  for (int i = 0; i < n; ++i) {
    V out[n];
    Points::Input(half[i], out);
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) store(i * n + j, out[j]);
  }
}

/// A^T m A of a tile: load(point) returns a sum, row(i, outputs) takes row i.
template <class Points, class Load, class Row>
HWY_INLINE void TransformOutputTile(const Load& load, const Row& row) {
  using V = typename Points::V;
  constexpr int n = Points::kIn, m = Points::kOut;
  V half[m][n];
#pragma GCC unroll 6
  for (int j = 0; j < n; ++j) {
    V in[n], out[m];
#pragma GCC unroll 6
    for (int i = 0; i < n; ++i) in[i] = load(i * n + j);
    Points::Output(in, out);
#pragma GCC unroll 4
    for (int i = 0; i < m; ++i) half[i][j] = out[i];
  }
  for (int i = 0; i < m; ++i) {
    V out[m];
    Points::Output(half[i], out);
    row(i, out);
  }
}

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
