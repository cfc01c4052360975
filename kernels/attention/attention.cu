#include "kernels/attention/attention_device.h"
#include "kernels/attention/attention_tile.h"
#include "kernels/attention/attention_tiles.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kRowsBlock = 128;
/// Columns of results that a lane sums at a time.
constexpr int kRowColumns = 4;

/// A query, for all lanes of a warp.
template <typename E>
class AttentionQuery {
 public:
  __device__ __forceinline__ AttentionQuery(const AttentionArgs& args, std::int64_t line)
      : args_(args),
        query_(line % args.queries),
        head_(line / args.queries % args.heads),
        batch_(line / args.queries / args.heads),
        length_(length_of(args, batch_, head_, query_)) {}

  __device__ __forceinline__ int length() const { return length_; }
  __device__ __forceinline__ const E* row(const AttentionRows& rows, std::int64_t word) const {
    return static_cast<const E*>(rows.data) + at(rows, word);
  }
  __device__ __forceinline__ E* out() const { return static_cast<E*>(args_.dst) + at(args_.out, query_); }

  __device__ __forceinline__ float score(int key) const {
    const E *query = row(args_.q, query_), *other = row(args_.k, key);
    float sum = 0;
    for (std::int64_t d = threadIdx.x % simt::kWarp; d < args_.width; d += simt::kWarp)
      sum += to_float(query[d]) * to_float(other[d]);
    sum = simt::warp_sum(sum) * (args_.scale * kLog2E);
    const AttentionMasking masking = args_.mask.masking;
    if (masking != AttentionMasking::where && masking != AttentionMasking::add) return sum;
    const bool add = masking == AttentionMasking::add;
    const float fill = mask_units(args_.mask.fill);
    with_mask_element(key, [&](auto mask) { sum = masked(sum, mask, add, fill); });
    return sum;
  }

  /// What its weight is multiplied by.
  __device__ __forceinline__ float factor(int key) const {
    float factor = 1;
    if (args_.mask.multiplies) with_mask_element(key, [&](auto mask) { factor = static_cast<float>(mask); });
    return factor;
  }

 private:
  __device__ __forceinline__ std::int64_t at(const AttentionRows& rows, std::int64_t word) const {
    return head_offset(rows, batch_, head_) + word * rows.word;
  }
  template <typename Body>
  __device__ __forceinline__ void with_mask_element(int key, const Body& body) const {
    const AttentionMask& mask = args_.mask;
    const std::int64_t at = batch_ * mask.batch + head_ * mask.head + query_ * mask.query + key * mask.key;
    with_mask_elements(mask.type,
                       [&](auto elements) { body(static_cast<decltype(elements)>(mask.data)[at]); });
  }

  const AttentionArgs& args_;
  std::int64_t query_, head_, batch_;
  int length_;
};

/// Sums of columns from `first` on: scores are computed anew, so that any width has registers.
template <typename E>
__device__ __forceinline__ void sum_columns(const AttentionArgs& args, const AttentionQuery<E>& query,
                                            float base, float share, std::int64_t first) {
  const std::int64_t column = first + threadIdx.x % simt::kWarp;
  float sums[kRowColumns] = {};
  for (int key = 0; key < query.length(); ++key) {
    const float weight = exp2f(query.score(key) - base) * share * query.factor(key);
    const E* values = query.row(args.v, key);
#pragma unroll
    for (int i = 0; i < kRowColumns; ++i) {
      const std::int64_t d = column + i * simt::kWarp;
      if (d < args.value_width) sums[i] += weight * to_float(values[d]);
    }
  }
#pragma unroll
  for (int i = 0; i < kRowColumns; ++i) {
    const std::int64_t d = column + i * simt::kWarp;
    if (d < args.value_width) query.out()[d] = to_stored<E>(sums[i]);
  }
}

template <typename E>
__global__ void __launch_bounds__(kRowsBlock) attention_rows(AttentionArgs args, std::int64_t lines) {
  constexpr int kWarps = kRowsBlock / simt::kWarp;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.x / simt::kWarp;
  for (std::int64_t line = first; line < lines; line += std::int64_t{gridDim.x} * kWarps) {
    const AttentionQuery<E> query(args, line);
    float largest = kNoScore, sum = 0;
    for (int key = 0; key < query.length(); ++key) {
      const float score = query.score(key), before = largest;
      largest = fmaxf(largest, score);
      const float base = base_of(largest);
      sum = sum * exp2f(before - base) + exp2f(score - base);
    }
    for (std::int64_t d = 0; d < args.value_width; d += kRowColumns * simt::kWarp)
      sum_columns(args, query, base_of(largest), 1 / sum, d);
  }
}

bool is_vector(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

/// Whether all rows begin at multiples of 16 bytes.
bool has_vectors(const AttentionRows& rows, const void* data, FloatType type) {
  const auto width = static_cast<std::int64_t>(16 / bytes_of(type));
  return is_vector(data) && rows.batch % width == 0 && rows.head % width == 0 && rows.word % width == 0;
}

Status attention_by_rows(const AttentionArgs& args, const Stream& stream) {
  return with_float_type(args.type, [&](auto element) {
    return simt::launch(attention_rows<decltype(element)>,
                        simt::grid_for(args.lines(), kRowsBlock / simt::kWarp), kRowsBlock, 0, stream, args,
                        args.lines());
  });
}

}  // namespace

Status attention(const AttentionArgs& args, const AttentionPlan& plan, const Stream& stream) {
  if (plan.kernel == AttentionKernel::rows) return attention_by_rows(args, stream);
  constexpr std::int64_t kQueries = AttentionTile<2, 64>::queries;
  AttentionGrid grid;
  grid.tiles = (args.queries + kQueries - 1) / kQueries;
  grid.vectors = has_vectors(args.q, args.q.data, args.type) && has_vectors(args.k, args.k.data, args.type) &&
                 has_vectors(args.v, args.v.data, args.type);
  grid.vectors_out = has_vectors(args.out, args.dst, args.type);
  switch (args.type) {
    case FloatType::float16:
      return launch_attention_f16(args, plan.width, grid, stream);
    case FloatType::bfloat16:
      return launch_attention_bf16(args, plan.width, grid, stream);
    case FloatType::float32:
      break;
  }
  return launch_attention_tf32(args, plan.width, grid, stream);
}

}  // namespace mxinfer::kernels::cuda
