#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/reduce_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "kernels/reduce/reduce.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

/// Vectors, or rows, that are folded in float32 before the result is added in double.
constexpr std::int64_t kRun = 64;

template <class Fold>
HWY_INLINE float Across(DF d, VF v, const Fold& fold) {
  HWY_ALIGN float lanes[hn::MaxLanes(d)];
  hn::Store(v, d, lanes);
  float result = lanes[0];
  for (std::size_t i = 1; i < hn::Lanes(d); ++i) result = fold(result, lanes[i]);
  return result;
}

struct SumFn {
  static constexpr float kStart = 0.0f;
  static HWY_INLINE VF fold(VF acc, VF x) { return hn::Add(acc, x); }
  static float fold(float acc, float x) { return acc + x; }
  static HWY_INLINE VF both(VF a, VF b) { return hn::Add(a, b); }
  static HWY_INLINE float across(DF d, VF v) { return hn::GetLane(hn::SumOfLanes(d, v)); }
  static void join(double& acc, double part) { acc += part; }
  static bool lost(float) { return false; }
};
struct Norm1Fn : SumFn {
  static HWY_INLINE VF fold(VF acc, VF x) { return hn::Add(acc, hn::Abs(x)); }
  static float fold(float acc, float x) { return acc + (x < 0 ? -x : x); }
};
struct SquaresFn : SumFn {
  static HWY_INLINE VF fold(VF acc, VF x) { return hn::MulAdd(x, x, acc); }
  static float fold(float acc, float x) { return acc + x * x; }
  // Squares overflow and underflow float32 although numbers do not: such a part is summed again in double.
  static bool lost(float part) { return !(part > 1e-30f && part <= std::numeric_limits<float>::max()); }
};
// A NaN stays in acc: no comparison with it is true.
struct MaxFn {
  static constexpr float kStart = -std::numeric_limits<float>::infinity();
  static HWY_INLINE VF fold(VF acc, VF x) {
    return hn::IfThenElse(hn::Eq(acc, acc), hn::IfThenElse(hn::Ge(acc, x), acc, x), acc);
  }
  static float fold(float acc, float x) { return acc != acc || acc >= x ? acc : x; }
  static HWY_INLINE VF both(VF a, VF b) { return fold(a, b); }
  static HWY_INLINE float across(DF d, VF v) {
    return Across(d, v, [](float x, float y) { return fold(x, y); });
  }
  static void join(double& acc, double part) { acc = acc != acc || acc >= part ? acc : part; }
  static bool lost(float) { return false; }
};
struct MinFn {
  static constexpr float kStart = std::numeric_limits<float>::infinity();
  static HWY_INLINE VF fold(VF acc, VF x) {
    return hn::IfThenElse(hn::Eq(acc, acc), hn::IfThenElse(hn::Le(acc, x), acc, x), acc);
  }
  static float fold(float acc, float x) { return acc != acc || acc <= x ? acc : x; }
  static HWY_INLINE VF both(VF a, VF b) { return fold(a, b); }
  static HWY_INLINE float across(DF d, VF v) {
    return Across(d, v, [](float x, float y) { return fold(x, y); });
  }
  static void join(double& acc, double part) { acc = acc != acc || acc <= part ? acc : part; }
  static bool lost(float) { return false; }
};

// The sum of squares of n elements, `stride` apart.
double SquaresInDouble(const float* in, std::int64_t n, std::int64_t stride) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i)
    sum += static_cast<double>(in[i * stride]) * static_cast<double>(in[i * stride]);
  return sum;
}

template <class F>
void Row(const void* src, std::int64_t n, void* acc) {
  const DF d;
  const auto* in = static_cast<const float*>(src);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  double& total = *static_cast<double*>(acc);
  while (n > 0) {
    const std::int64_t run = std::min(n, kRun * lanes);
    VF a = hn::Set(d, F::kStart), b = a;
    std::int64_t i = 0;
    for (; i + 2 * lanes <= run; i += 2 * lanes) {
      a = F::fold(a, hn::LoadU(d, in + i));
      b = F::fold(b, hn::LoadU(d, in + i + lanes));
    }
    const float part = F::across(d, F::both(a, b));
    float rest = F::kStart;
    for (; i < run; ++i) rest = F::fold(rest, in[i]);
    if (F::lost(part + rest)) {
      F::join(total, SquaresInDouble(in, run, 1));
    } else {
      F::join(total, static_cast<double>(part));
      F::join(total, static_cast<double>(rest));
    }
    in += run;
    n -= run;
  }
}

template <class F>
void Columns(const void* src, std::int64_t rows, std::int64_t stride, std::int64_t columns, void* acc) {
  const DF d;
  const auto* in = static_cast<const float*>(src);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto* totals = static_cast<double*>(acc);
  for (std::int64_t first = 0; first < rows; first += kRun) {
    const std::int64_t last = std::min(rows, first + kRun);
    std::int64_t j = 0;
    for (; j + lanes <= columns; j += lanes) {
      VF a = hn::Set(d, F::kStart);
      for (std::int64_t i = first; i < last; ++i) a = F::fold(a, hn::LoadU(d, in + i * stride + j));
      HWY_ALIGN float parts[hn::MaxLanes(d)];
      hn::Store(a, d, parts);
      for (std::int64_t k = 0; k < lanes; ++k) {
        const bool lost = F::lost(parts[k]);
        F::join(totals[j + k], lost ? SquaresInDouble(in + first * stride + j + k, last - first, stride)
                                    : static_cast<double>(parts[k]));
      }
    }
    for (; j < columns; ++j) {
      float a = F::kStart;
      for (std::int64_t i = first; i < last; ++i) a = F::fold(a, in[i * stride + j]);
      F::join(totals[j], F::lost(a) ? SquaresInDouble(in + first * stride + j, last - first, stride)
                                    : static_cast<double>(a));
    }
  }
}

}  // namespace

/// Whether there is vector code for the function.
bool UseVectors(std::string_view function, ReduceFold& fold) {
  const auto use = [&](auto row, auto columns) {
    fold.variant = "simd";
    fold.row = row;
    fold.columns = columns;
    return true;
  };
  if (function == "sum" || function == "mean") return use(Row<SumFn>, Columns<SumFn>);
  if (function == "max") return use(Row<MaxFn>, Columns<MaxFn>);
  if (function == "min") return use(Row<MinFn>, Columns<MinFn>);
  if (function == "norm1") return use(Row<Norm1Fn>, Columns<Norm1Fn>);
  if (function == "norm2" || function == "squares") return use(Row<SquaresFn>, Columns<SquaresFn>);
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(UseVectors);

void reduce_simd_f32(std::string_view function, Target target, ReduceFold& fold) {
  if (MXINFER_DISPATCH(UseVectors, target)(function, fold)) fold.target = target;
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
