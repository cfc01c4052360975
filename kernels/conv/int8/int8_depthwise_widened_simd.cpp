// Depthwise convolutions for CPUs without instructions for products of 8-bit integers: bytes become 16-bit
// integers, and the products of two taps side by side are added in 32 bits.
#include "kernels/conv/int8/int8_depthwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/int8/int8_depthwise_widened_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "kernels/common/dispatch.h"
#include "kernels/common/divide.h"
#include "kernels/conv/int8/int8_depthwise_sums.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

// A block is packed as [kernel row][pair of taps][tap of the pair][channel] of int16, and then what sums
// start from.

std::int64_t PairsOfRow(const ConvProblem& s) {
  return ceil_div(s.kernel[2], 2);
}

std::int64_t PackedWeights(const ConvProblem& s) {
  return s.kernel[1] * PairsOfRow(s) * 2 * kDepthwiseBlock;
}

std::size_t BlockBytes(const ConvProblem& s) {
  return static_cast<std::size_t>(PackedWeights(s)) * sizeof(std::int16_t) +
         kDepthwiseBlock * sizeof(std::int32_t);
}

void PackBlock(const ConvProblem& s, const std::int8_t* weight, std::int64_t channels, bool is_signed,
               std::byte* packed) {
  auto* weights = reinterpret_cast<std::int16_t*>(packed);
  auto* start = reinterpret_cast<std::int32_t*>(weights + PackedWeights(s));
  for (std::int64_t c = 0; c < channels; ++c) {
    const std::int8_t* filter = weight + c * volume(s.kernel);
    std::int32_t sum = 0;
    for (std::int64_t row = 0; row < s.kernel[1]; ++row) {
      for (std::int64_t x = 0; x < s.kernel[2]; ++x) {
        const std::int8_t factor = filter[row * s.kernel[2] + x];
        weights[(row * PairsOfRow(s) * 2 + x) * kDepthwiseBlock + c] = factor;
        sum += factor;
      }
    }
    start[c] = is_signed ? -128 * sum : 0;
  }
}

#if HWY_TARGET == HWY_SCALAR

void SumOutput(const Int8DepthwiseRow& row, std::int64_t x, WaitingSums& waiting) {
  const ConvProblem& s = *row.problem;
  const auto* weights = reinterpret_cast<const std::int16_t*>(row.weights);
  const auto* start = reinterpret_cast<const std::int32_t*>(weights + PackedWeights(s));
  for (std::int64_t c = 0; c < row.channels; ++c) {
    std::int32_t sum = start[c];
    for (std::int64_t r = 0; r < s.kernel[1]; ++r) {
      for (std::int64_t k = 0; k < s.kernel[2]; ++k) {
        const std::int64_t pixel = x * s.stride[2] + k * s.dilate[2];
        sum += weights[(r * PairsOfRow(s) * 2 + k) * kDepthwiseBlock + c] *
               row.lines[r][pixel * kDepthwiseBlock + c];
      }
    }
    *waiting.next(c) = sum;
  }
}

#else

using D8 = hn::Rebind<std::uint8_t, hn::ScalableTag<std::int16_t> >;
using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::ScalableTag<std::int32_t>;
using V16 = hn::Vec<D16>;
using V32 = hn::Vec<D32>;
constexpr std::int64_t kChannels = HWY_LANES(std::int16_t);
constexpr std::int64_t kPartLanes = 4;  // Interleave* work within 128 bits

/// Sums of adjacent products; some CPUs keep them in two parts.
struct PairSums {
  V32 first, second;

  HWY_INLINE void Add(V16 a, V16 b) { first = hn::ReorderWidenMulAccumulate(D32(), a, b, first, second); }
  HWY_INLINE void Store(std::int32_t* to) const {
    hn::StoreU(hn::RearrangeToOddPlusEven(first, second), D32(), to);
  }
};

HWY_INLINE V16 Widened(const std::uint8_t* from) {
  return hn::PromoteTo(D16(), hn::LoadU(D8(), from));
}

/// The channels from `c` on of output x.
HWY_INLINE void SumChannels(const Int8DepthwiseRow& row, std::int64_t x, std::int64_t c,
                            WaitingSums& waiting) {
  const ConvProblem& s = *row.problem;
  const D16 d;
  const std::int64_t step = s.dilate[2] * kDepthwiseBlock, pairs = PairsOfRow(s);
  const auto* weights = reinterpret_cast<const std::int16_t*>(row.weights) + c;
  const D32 d32;
  PairSums low{hn::Zero(d32), hn::Zero(d32)}, high{hn::Zero(d32), hn::Zero(d32)};
  for (std::int64_t r = 0; r < s.kernel[1]; ++r) {
    const std::uint8_t* pixel = row.lines[r] + x * s.stride[2] * kDepthwiseBlock + c;
    for (std::int64_t p = 0; p < pairs; ++p, pixel += 2 * step, weights += 2 * kDepthwiseBlock) {
      const V16 a = Widened(pixel), b = Widened(pixel + step);
      const V16 wa = hn::LoadU(d, weights), wb = hn::LoadU(d, weights + kDepthwiseBlock);
      low.Add(hn::InterleaveLower(d, a, b), hn::InterleaveLower(d, wa, wb));
      high.Add(hn::InterleaveUpper(d, a, b), hn::InterleaveUpper(d, wa, wb));
    }
  }
  alignas(64) std::int32_t lows[kChannels / 2], highs[kChannels / 2];
  low.Store(lows);
  high.Store(highs);
  const std::int32_t* start = reinterpret_cast<const std::int32_t*>(
                                  reinterpret_cast<const std::int16_t*>(row.weights) + PackedWeights(s)) +
                              c;
  for (std::int64_t i = 0; i < kChannels / 2; i += kPartLanes) {
    std::int32_t* to = waiting.next(c + 2 * i);
    const hn::FixedTag<std::int32_t, kPartLanes> part;
    hn::StoreU(hn::Add(hn::Load(part, lows + i), hn::LoadU(part, start + 2 * i)), part, to);
    hn::StoreU(hn::Add(hn::Load(part, highs + i), hn::LoadU(part, start + 2 * i + kPartLanes)), part,
               to + kPartLanes);
  }
}

void SumOutput(const Int8DepthwiseRow& row, std::int64_t x, WaitingSums& waiting) {
  for (std::int64_t c = 0; c < row.channels; c += kChannels) SumChannels(row, x, c, waiting);
}

#endif

void RunRow(const Int8DepthwiseRow& row) {
  WaitingSums waiting(row);
  for (std::int64_t x = 0; x < row.problem->output[2]; ++x) {
    SumOutput(row, x, waiting);
    waiting.finish_output();
  }
}

}  // namespace

const Int8DepthwiseKernel& Int8DepthwiseImpl() {
  static constexpr Int8DepthwiseKernel kKernel{"int8_conv_depthwise_widened",
                                               "int16 pairs of taps, blocks of 64 channels", BlockBytes,
                                               PackBlock, RunRow};
  return kKernel;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Int8DepthwiseImpl);

const Int8DepthwiseKernel& int8_depthwise_widened(Target target) {
  return MXINFER_DISPATCH(Int8DepthwiseImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
