#include "kernels/rnn/rnn_cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rnn/rnn_cell_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once a target.
#include <hwy/highway.h>

#include "kernels/common/math-inl.h"
#include "kernels/common/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Clipped(D d, const CellClip<float>& clip, V c) {
  if (!clip.clip) return c;
  const V low = hn::Set(d, clip.low);
  // The comparison is false for NaN, which becomes low.
  const V inside = hn::Min(hn::IfThenElse(hn::Ge(c, low), c, low), hn::Set(d, clip.high));
  return clip.keep_nan ? hn::IfThenElse(hn::Eq(c, c), inside, c) : inside;
}

template <class V>
struct CellAndOut {
  V cell, out;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE CellAndOut<V> LstmStep(D d, const CellClip<float>& clip, V i, V f, V g, V o, V c) {
  const V next = hn::MulAdd(Sigmoid(d, f), c, hn::Mul(Sigmoid(d, i), Tanh(d, g)));
  const V cell = Clipped(d, clip, next);
  return {cell, hn::Mul(Sigmoid(d, o), Tanh(d, cell))};
}

HWY_INLINE std::int64_t StepOf(std::int64_t stride, std::int64_t dense) {
  return stride != 0 ? stride : dense;
}

void LstmCell(const LstmCellArgs<float>& args, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t n = args.hidden;
  // Elements from a gate to the next; the gates of element j begin at scale * j.
  const std::int64_t gate_step = args.block != 0 ? lanes : n, scale = args.block != 0 ? 4 : 1;
  for (std::int64_t row = begin; row < end; ++row) {
    const float* gates = args.gates + row * StepOf(args.gates_stride, 4 * n);
    float* cell = args.cell + row * StepOf(args.cell_stride, n);
    float* out = args.out + row * StepOf(args.out_stride, n);
    std::int64_t j = 0;
    for (; j + lanes <= n; j += lanes) {
      const auto load = [&](std::int64_t gate) { return hn::LoadU(d, gates + scale * j + gate * gate_step); };
      const auto next = LstmStep(d, args.clip, load(0), load(1), load(2), load(3), hn::LoadU(d, cell + j));
      hn::StoreU(next.cell, d, cell + j);
      hn::StoreU(next.out, d, out + j);
    }
    if (j == n) continue;
    const auto load = [&](std::int64_t gate) {
      return LoadFirst(d, gates + scale * j + gate * gate_step, n - j, 0.0f);
    };
    const auto next =
        LstmStep(d, args.clip, load(0), load(1), load(2), load(3), LoadFirst(d, cell + j, n - j, 0.0f));
    StoreFirst(d, next.cell, cell + j, n - j);
    StoreFirst(d, next.out, out + j, n - j);
  }
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V GruStep(D d, V xr, V xz, V xn, V yr, V yz, V yn, V h) {
  const V z = Sigmoid(d, hn::Add(xz, yz));
  const V fresh = Tanh(d, hn::MulAdd(Sigmoid(d, hn::Add(xr, yr)), yn, xn));
  return hn::MulAdd(z, h, hn::Mul(hn::Sub(hn::Set(d, 1.0f), z), fresh));
}

void GruCell(const GruCellArgs<float>& args, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t n = args.hidden;
  const std::int64_t gate_step = args.block != 0 ? lanes : n, scale = args.block != 0 ? 3 : 1;
  for (std::int64_t row = begin; row < end; ++row) {
    const float* x = args.from_input + row * StepOf(args.gates_stride, 3 * n);
    const float* y = args.from_state + row * StepOf(args.gates_stride, 3 * n);
    const float* state = args.state + row * StepOf(args.state_stride, n);
    float* out = args.out + row * StepOf(args.out_stride, n);
    std::int64_t j = 0;
    for (; j + lanes <= n; j += lanes) {
      const auto load = [&](const float* from, std::int64_t gate) {
        return hn::LoadU(d, from + scale * j + gate * gate_step);
      };
      hn::StoreU(GruStep(d, load(x, 0), load(x, 1), load(x, 2), load(y, 0), load(y, 1), load(y, 2),
                         hn::LoadU(d, state + j)),
                 d, out + j);
    }
    if (j == n) continue;
    const auto load = [&](const float* from, std::int64_t gate) {
      return LoadFirst(d, from + scale * j + gate * gate_step, n - j, 0.0f);
    };
    StoreFirst(d,
               GruStep(d, load(x, 0), load(x, 1), load(x, 2), load(y, 0), load(y, 1), load(y, 2),
                       LoadFirst(d, state + j, n - j, 0.0f)),
               out + j, n - j);
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(LstmCell);
MXINFER_TABLE(GruCell);

LstmCellFn<float> select_lstm_cell_f32(Target target) {
  return target == Target::ref ? lstm_cell_ref<float> : MXINFER_DISPATCH(LstmCell, target);
}
GruCellFn<float> select_gru_cell_f32(Target target) {
  return target == Target::ref ? gru_cell_ref<float> : MXINFER_DISPATCH(GruCell, target);
}

}  // namespace mxinfer::kernels
#endif
