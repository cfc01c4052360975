#include "kernels/conv/bf16/bf16_tile.h"
#include "kernels/conv/bf16/bf16_winograd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/bf16/bf16_winograd_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/cpu_products.h"
#include "kernels/common/dispatch.h"
#include "kernels/conv/winograd/winograd_points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using Points = WinogradPoints2;
using D = Points::D;
using V = Points::V;
constexpr int n = Points::kIn, m = Points::kOut;
constexpr std::int64_t kLanes = HWY_LANES(float);
static_assert(n == kBf16WinogradIn && m == kBf16WinogradOut);

template <Rounding kRounding>
void Input(const Bf16InputTile& t) {
  const D d;
  for (std::int64_t k = 0; k < t.channels; k += kLanes) {
    TransformInputTile<Points>(
        [&](int i, int j) HWY_ATTR { return LoadBFloat16(d, t.pixels[i * n + j] + k); },
        [&](int point, V v) HWY_ATTR { StoreRounded<kRounding>(v, t.points + point * t.point_stride + k); });
  }
}

void Output(const Bf16OutputTile& t) {
  const D d;
  for (std::int64_t k = 0; k < t.columns; k += kLanes) {
    TransformOutputTile<Points>([&](int point)
                                    HWY_ATTR { return hn::LoadU(d, t.points + point * t.point_stride + k); },
                                [&](int i, const V(&out)[m]) HWY_ATTR {
                                  for (int j = 0; j < m; ++j)
                                    hn::StoreU(out[j], d, t.outputs + (i * m + j) * kBf16PanelColumns + k);
                                });
  }
}

constexpr Bf16Winograd kTransforms{Input<Rounding::in_steps>, Output};
constexpr Bf16Winograd kTransformsAtOnce{Input<Rounding::at_once>, Output};

}  // namespace

const Bf16Winograd& Bf16WinogradImpl(bool at_once) {
  return HWY_TARGET == HWY_AVX3 && at_once ? kTransformsAtOnce : kTransforms;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Bf16WinogradImpl);

const Bf16Winograd& bf16_winograd(Target target) {
  return MXINFER_DISPATCH(Bf16WinogradImpl, target)(rounds_at_once(target));
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
