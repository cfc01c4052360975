// Depthwise convolutions by vpdpbusd, which adds four products to each sum: those of four taps of a row of
// the filter. The bytes of four pixels are interleaved for it; with filters of up to three taps and stride 1,
// the next output is multiplied by the same bytes, with weights that are one tap further.
#include "kernels/common/cpu_products.h"
#include "kernels/conv/int8/int8_depthwise.h"
#include "kernels/conv/int8/int8_depthwise_sums.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <cstring>

#include "kernels/common/divide.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vnni")
#endif

namespace mxinfer::kernels {
namespace {

// Vector j of a block has channels 16 * L + 4 * j to + 3 in its part L of 128 bits: the order in which bytes
// are interleaved, and in which sums are packed to bytes again.
constexpr int kVectors = 4, kParts = 4;
constexpr std::int64_t kVectorBytes = 64;

constexpr std::int64_t channel_at(int vector, int lane) {
  return lane / 4 * 16 + vector * 4 + lane % 4;
}

std::int64_t quads_of_row(const ConvProblem& s) {
  return ceil_div(s.kernel[2], kDepthwiseQuad);
}

/// How many times weights are packed: a second time one tap further, if that still is one quad. It does not
/// depend on strides, which nodes that share weights may have of their own.
std::int64_t shifts_of(const ConvProblem& s) {
  return s.kernel[2] < kDepthwiseQuad ? 2 : 1;
}

/// Whether two outputs side by side share the bytes of four pixels.
bool has_pairs(const ConvProblem& s) {
  return shifts_of(s) == 2 && s.stride[2] == 1 && s.dilate[2] == 1;
}

/// Vectors of weights of the block: [kernel row][quad][shift][kVectors].
std::int64_t weight_vectors(const ConvProblem& s) {
  return s.kernel[1] * quads_of_row(s) * shifts_of(s) * kVectors;
}

/// And then what sums start from.
std::size_t depthwise_block_bytes(const ConvProblem& s) {
  return static_cast<std::size_t>((weight_vectors(s) + kVectors) * kVectorBytes);
}

void pack_depthwise_block(const ConvProblem& s, const std::int8_t* weight, std::int64_t channels,
                          bool is_signed, std::byte* packed) {
  const std::int64_t taps = volume(s.kernel);
  const std::int64_t shifts = shifts_of(s);
  auto* start = reinterpret_cast<std::int32_t*>(packed + weight_vectors(s) * kVectorBytes);
  for (int j = 0; j < kVectors; ++j) {
    for (int lane = 0; lane < 16; ++lane) {
      const std::int64_t channel = channel_at(j, lane);
      if (channel >= channels) continue;
      const std::int8_t* filter = weight + channel * taps;
      std::int32_t sum = 0;
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t row = tap / s.kernel[2], x = tap % s.kernel[2];
        sum += filter[tap];
        for (std::int64_t shift = 0; shift < shifts; ++shift) {
          const std::int64_t at = x + shift, quad = at / kDepthwiseQuad;
          const std::int64_t vector = ((row * quads_of_row(s) + quad) * shifts + shift) * kVectors + j;
          packed[vector * kVectorBytes + lane * 4 + at % kDepthwiseQuad] =
              static_cast<std::byte>(filter[tap]);
        }
      }
      start[j * 16 + lane] = is_signed ? -128 * sum : 0;
    }
  }
}

struct Block {
  __m512i of[kVectors];
};

inline Block load_block(const void* from) {
  const auto* vectors = static_cast<const char*>(from);
  Block block;
  for (int j = 0; j < kVectors; ++j) block.of[j] = _mm512_loadu_si512(vectors + j * kVectorBytes);
  return block;
}

/// The bytes of four pixels, those of each channel side by side.
inline Block interleave(const std::uint8_t* pixels, std::int64_t step) {
  const __m512i a = _mm512_loadu_si512(pixels), b = _mm512_loadu_si512(pixels + step);
  const __m512i c = _mm512_loadu_si512(pixels + 2 * step), d = _mm512_loadu_si512(pixels + 3 * step);
  const __m512i ab_low = _mm512_unpacklo_epi8(a, b), ab_high = _mm512_unpackhi_epi8(a, b);
  const __m512i cd_low = _mm512_unpacklo_epi8(c, d), cd_high = _mm512_unpackhi_epi8(c, d);
  return {{_mm512_unpacklo_epi16(ab_low, cd_low), _mm512_unpackhi_epi16(ab_low, cd_low),
           _mm512_unpacklo_epi16(ab_high, cd_high), _mm512_unpackhi_epi16(ab_high, cd_high)}};
}

inline void add_products(Block& sums, const Block& bytes, const std::byte* weights) {
  for (int j = 0; j < kVectors; ++j)
    sums.of[j] = _mm512_dpbusd_epi32(sums.of[j], bytes.of[j], _mm512_loadu_si512(weights + j * kVectorBytes));
}

/// Keeps the compiler from adding products only when sums are stored: it would keep all weights on the stack
/// until then.
inline void complete(Block& sums) {
  for (int j = 0; j < kVectors; ++j) __asm__("" : "+v"(sums.of[j]));
}

/// Four parts of 128 bits, 16 channels apart: those of a vector.
inline __m512 parts_of(const float* channels) {
  __m512 parts = _mm512_castps128_ps512(_mm_loadu_ps(channels));
  parts = _mm512_insertf32x4(parts, _mm_loadu_ps(channels + 16), 1);
  parts = _mm512_insertf32x4(parts, _mm_loadu_ps(channels + 32), 2);
  return _mm512_insertf32x4(parts, _mm_loadu_ps(channels + 48), 3);
}

/// Bias and scale of the block in the order of vectors; 0 and 1 if there are none.
struct Factors {
  __m512 bias[kVectors], scale[kVectors];

  Factors(const Int8PostOpsArgs& post, std::int64_t channels) {
    float biases[kDepthwiseBlock] = {}, scales[kDepthwiseBlock];
    for (float& scale_of_channel : scales) scale_of_channel = 1.0F;
    for (std::int64_t c = 0; post.bias != nullptr && c < channels; ++c)
      biases[c] = static_cast<float>(post.bias[c]);
    for (std::int64_t c = 0; post.scale != nullptr && c < channels; ++c) scales[c] = post.scale[c];
    for (int j = 0; j < kVectors; ++j) {
      bias[j] = parts_of(biases + j * 4);
      scale[j] = parts_of(scales + j * 4);
    }
  }
};

/// Sums become bytes. Packing limits them; floats of 2^31 and more would become negative integers before.
template <bool kSigned>
inline void store_bytes(const Block& sums, const Factors& factors, __mmask64 channels, std::byte* dst) {
  const __m512 most = _mm512_set1_ps(kSigned ? 127.0F : 255.0F);
  Block rounded;
  for (int j = 0; j < kVectors; ++j) {
    const __m512 sum = _mm512_maskz_cvtepi32_ps(0xffff, sums.of[j]);
    const __m512 x = _mm512_mul_ps(_mm512_add_ps(sum, factors.bias[j]), factors.scale[j]);
    // The second operand if the first is NaN. Masks of all lanes, because GCC warns of what the instructions
    // without one leave undefined.
    rounded.of[j] = _mm512_maskz_cvtps_epi32(0xffff, _mm512_maskz_min_ps(0xffff, x, most));
  }
  const __m512i low = _mm512_packs_epi32(rounded.of[0], rounded.of[1]);
  const __m512i high = _mm512_packs_epi32(rounded.of[2], rounded.of[3]);
  const __m512i bytes = kSigned ? _mm512_packs_epi16(low, high) : _mm512_packus_epi16(low, high);
  _mm512_mask_storeu_epi8(dst, channels, bytes);
}

/// Sums in the order of channels.
inline void keep_sums(const Block& sums, WaitingSums& waiting) {
  for (int j = 0; j < kVectors; ++j) {
    alignas(64) std::int32_t lanes[16];
    _mm512_store_si512(lanes, sums.of[j]);
    for (int part = 0; part < kParts; ++part)
      std::memcpy(waiting.next(part * 16 + j * 4), lanes + part * 4, 4 * sizeof(std::int32_t));
  }
  waiting.finish_output();
}

/// The filter: its rows, known or 0, and whether two outputs share bytes.
template <int kFilterRows, bool kSharesBytes>
struct Filter {
  static constexpr int kRows = kFilterRows;
  static constexpr bool kPairs = kSharesBytes;
};

/// All outputs of a row, one or two at a time; `store` takes the sums of each, in order. With known rows, a
/// row of the filter is one quad, and all are unrolled.
template <class Filter, class Store>
inline void sum_row(const Int8DepthwiseRow& row, const Store& store) {
  constexpr bool kPairs = Filter::kPairs, kKnown = Filter::kRows > 0;
  const ConvProblem& s = *row.problem;
  const std::int64_t rows = kKnown ? Filter::kRows : s.kernel[1], quads = kKnown ? 1 : quads_of_row(s);
  const std::int64_t count = s.output[2];
  const std::int64_t step = s.dilate[2] * kDepthwiseBlock, next = s.stride[2] * kDepthwiseBlock;
  const std::byte* const start = row.weights + weight_vectors(s) * kVectorBytes;
  constexpr std::int64_t kShiftBytes = kVectors * kVectorBytes;
  const std::int64_t quad_bytes = shifts_of(s) * kShiftBytes;
  for (std::int64_t x = 0; x < count; x += kPairs ? 2 : 1) {
    Block sums = load_block(start), sums_of_next = sums;
    const std::byte* weights = row.weights;
#pragma GCC unroll 3
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::uint8_t* pixels = row.lines[r] + x * next;
      for (std::int64_t q = 0; q < quads; ++q, pixels += kDepthwiseQuad * step, weights += quad_bytes) {
        const Block bytes = interleave(pixels, step);
        add_products(sums, bytes, weights);
        if constexpr (kPairs) add_products(sums_of_next, bytes, weights + kShiftBytes);
      }
    }
    if constexpr (kPairs) complete(sums_of_next);
    store(sums);
    if (kPairs && x + 1 < count) store(sums_of_next);
  }
}

template <class Filter>
void run_depthwise_row(const Int8DepthwiseRow& row) {
  if (!row.is_plain) {
    WaitingSums waiting(row);
    sum_row<Filter>(row, [&](const Block& sums) { keep_sums(sums, waiting); });
    return;
  }
  const Factors factors(row.post, row.channels);
  const __mmask64 channels = ~std::uint64_t{0} >> (kDepthwiseBlock - row.channels);
  std::byte* dst = row.post.dst;
  const std::int64_t stride = row.post.dst_stride;
  if (row.post.conv->dst_type == Int8Type::s8) {
    sum_row<Filter>(row, [&](const Block& sums) {
      store_bytes<true>(sums, factors, channels, dst);
      dst += stride;
    });
  } else {
    sum_row<Filter>(row, [&](const Block& sums) {
      store_bytes<false>(sums, factors, channels, dst);
      dst += stride;
    });
  }
}

void run_depthwise(const Int8DepthwiseRow& row) {
  const ConvProblem& s = *row.problem;
  if (s.kernel[1] == 3 && quads_of_row(s) == 1)
    return has_pairs(s) ? run_depthwise_row<Filter<3, true>>(row) : run_depthwise_row<Filter<3, false>>(row);
  has_pairs(s) ? run_depthwise_row<Filter<0, true>>(row) : run_depthwise_row<Filter<0, false>>(row);
}

}  // namespace
}  // namespace mxinfer::kernels

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // __x86_64__

namespace mxinfer::kernels {

const Int8DepthwiseKernel* int8_depthwise_avx512_vnni() {
#if defined(__x86_64__)
  static constexpr Int8DepthwiseKernel kKernel{"int8_conv_depthwise_avx512_vnni",
                                               "int8 quads of taps, blocks of 64 channels",
                                               depthwise_block_bytes, pack_depthwise_block, run_depthwise};
  return has_avx512_vnni() ? &kKernel : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace mxinfer::kernels
