// AttentionKernel::tile of elements E. Included by a .cu file for each E, which calls launch_attention<E>().
//
// A block has 64 queries of a head, a warp 16 of them. While one operand of a step is multiplied, the other
// is copied to shared memory: values during scores, the next keys during weighted sums. In registers are
// scores, 8 keys to a fragment, sums, and of each row its greatest score and its sum of weights so far. A
// fragment of weights is the left operand of the second product as it is.
#pragma once

#include "kernels/attention/attention_device.h"
#include "kernels/attention/attention_tile.h"
#include "kernels/attention/attention_tiles.h"
#include "kernels/gemm/tensor_tile_device.h"

namespace mxinfer::kernels::cuda {
namespace {

template <typename E, int WIDTH>
struct AttentionShape : AttentionTile<static_cast<int>(sizeof(E)), WIDTH> {
  using Element = E;
  using Tile = AttentionTile<static_cast<int>(sizeof(E)), WIDTH>;
  /// Elements that an instruction has along the sum, and how many instructions a row and a step have.
  static constexpr int slice = 2 * kVector<E>;
  static constexpr int slices = WIDTH / slice, key_slices = Tile::keys / slice;
  static constexpr int key_fragments = Tile::keys / 8;
  /// Fragments of sums, in groups that are multiplied at once.
  static constexpr int group = WIDTH % 64 == 0 ? 8 : 4, groups = WIDTH / 8 / group;
};

template <class S>
struct AttentionSmem {
  alignas(16) std::uint32_t queries[S::queries][S::row_words];
  alignas(16) std::uint32_t keys[S::keys][S::row_words];
  alignas(16) std::uint32_t values[S::keys][S::row_words];
};

/// Begins to copy rows to shared memory, zeros behind the `rows` that there are and behind the `width`
/// elements of each. `vectors`: 16 bytes may be read at once.
template <class S, int ROWS>
__device__ __forceinline__ void fetch_rows(std::uint32_t (&to)[ROWS][S::row_words],
                                           const typename S::Element* first, std::int64_t stride, int rows,
                                           std::int64_t width, bool vectors) {
  using E = typename S::Element;
  constexpr int kChunks = S::row_bytes / 16, kAll = ROWS * kChunks;
  static_assert(kAll % S::threads == 0);
#pragma unroll
  for (int i = 0; i < kAll / S::threads; ++i) {
    const int at = i * S::threads + static_cast<int>(threadIdx.x);
    const int row = at / kChunks, chunk = at % kChunks;
    const int left = row < rows ? static_cast<int>(width) - chunk * kVector<E> : 0;
    const int count = left > kVector<E> ? kVector<E> : left < 0 ? 0 : left;
    // By 32 bits, for registers.
    const E* elements = first + (row * static_cast<int>(stride) + chunk * kVector<E>);
    if (vectors) {
      simt::cp_async16(&to[row][chunk * 4], elements, count * static_cast<int>(sizeof(E)));
    } else {
      Chunk<E> values;
#pragma unroll
      for (int e = 0; e < kVector<E>; ++e) values.set(e, e < count ? elements[e] : E{});
      values.store(&to[row][chunk * 4]);
    }
  }
}

template <typename E, int N>
__device__ __forceinline__ void round_words(std::uint32_t (&words)[N]) {
  if constexpr (std::is_same_v<E, float>) {
#pragma unroll
    for (std::uint32_t& word : words) word = nearly_rounded(word);
  }
}

/// A slice of the queries of a warp.
template <class S>
__device__ __forceinline__ void load_queries(std::uint32_t (&to)[1][4], const AttentionSmem<S>& smem,
                                             int slice) {
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int row = static_cast<int>(threadIdx.x) / simt::kWarp * 16 + lane % 16;
  simt::ldmatrix_x4(to[0], &smem.queries[row][(2 * slice + lane / 16) * 4]);
  round_words<typename S::Element>(to[0]);
}

/// A slice of the keys of a step.
template <class S>
__device__ __forceinline__ void load_keys(std::uint32_t (&to)[S::key_fragments][2],
                                          const AttentionSmem<S>& smem, int slice) {
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
#pragma unroll
  for (int n = 0; n < S::key_fragments; n += 2) {
    std::uint32_t both[4];
    simt::ldmatrix_x4(both, &smem.keys[8 * n + lane % 8 + lane / 16 * 8][(2 * slice + lane / 8 % 2) * 4]);
    round_words<typename S::Element>(both);
#pragma unroll
    for (int r = 0; r < 4; ++r) to[n + r / 2][r % 2] = both[r];
  }
}

/// A slice of the keys' values, a group of their columns. Of floats, the keys that an instruction takes as
/// t and t + 4 are 2t and 2t + 1, as weights have them.
template <class S>
__device__ __forceinline__ void load_values(std::uint32_t (&to)[S::group][2], const AttentionSmem<S>& smem,
                                            int slice, int group) {
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int column = group * S::group * 8;
  if constexpr (sizeof(typename S::Element) == 4) {
#pragma unroll
    for (int n = 0; n < S::group; ++n) {
#pragma unroll
      for (int r = 0; r < 2; ++r)
        to[n][r] = nearly_rounded(smem.values[slice * 8 + lane % 4 * 2 + r][column + 8 * n + lane / 4]);
    }
  } else {
#pragma unroll
    for (int n = 0; n < S::group; n += 2) {
      std::uint32_t both[4];
      simt::ldmatrix_x4_trans(both, &smem.values[slice * 16 + lane % 16][(column / 8 + n + lane / 16) * 4]);
#pragma unroll
      for (int r = 0; r < 4; ++r) to[n + r / 2][r % 2] = both[r];
    }
  }
}

/// A thread's scores of a step: score r of a fragment is that of row lane / 4 + r / 2 * 8 of the warp, key
/// 8n + lane % 4 * 2 + r % 2.
template <class S>
using AttentionScores = float[1][S::key_fragments][4];
template <class S>
using AttentionSums = float[S::groups][1][S::group][4];

/// A slice of weights as the left operand.
template <class S>
__device__ __forceinline__ void load_weights(std::uint32_t (&to)[1][4], const AttentionScores<S>& weights,
                                             int slice) {
  using E = typename S::Element;
  if constexpr (sizeof(E) == 4) {
    const float(&w)[4] = weights[0][slice];
#pragma unroll
    for (int r = 0; r < 4; ++r) to[0][r] = simt::float_bits(w[r % 2 * 2 + r / 2]);
    round_words<E>(to[0]);
  } else {
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const float(&w)[4] = weights[0][2 * slice + r / 2];
      to[0][r] = stored_pair<E>(w[r % 2 * 2], w[r % 2 * 2 + 1]);
    }
  }
}

/// The two rows of a thread: softmax so far.
struct RowPair {
  int length[2];
  float largest[2] = {kNoScore, kNoScore};
  float sum[2] = {0, 0};  ///< of the keys that this thread has
};

/// Where the block is.
struct AttentionPlace {
  std::int64_t batch, head, query;
  __device__ __forceinline__ AttentionPlace(const AttentionArgs& args, const AttentionGrid& grid,
                                            int queries) {
    const std::int64_t index = blockIdx.x / grid.tiles;
    query = blockIdx.x % grid.tiles * queries;
    batch = index / args.heads;
    head = index % args.heads;
  }
};

/// The query of a thread's row; the last one, where there is none.
__device__ __forceinline__ std::int64_t query_of(const AttentionArgs& args, const AttentionPlace& place,
                                                 int row) {
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t query = place.query + thread / simt::kWarp * 16 + thread % simt::kWarp / 4 + 8 * row;
  return query < args.queries ? query : args.queries - 1;
}

/// The greatest length of the block's queries.
template <class S>
__device__ __forceinline__ int greatest_length(const AttentionArgs& args, const AttentionPlace& place) {
  if (args.mask.masking != AttentionMasking::lengths) return static_cast<int>(args.keys);
  int greatest = 0;
  for (int i = static_cast<int>(threadIdx.x) % simt::kWarp; i < S::queries; i += simt::kWarp) {
    if (place.query + i >= args.queries) break;
    const int length = length_of(args, place.batch, place.head, place.query + i);
    greatest = length > greatest ? length : greatest;
  }
  for (int step = simt::kWarp / 2; step > 0; step /= 2) {
    const int other = __shfl_xor_sync(simt::kAllLanes, greatest, step);
    greatest = other > greatest ? other : greatest;
  }
  return greatest;
}

/// The key, from first_key on, of score r of fragment n.
__device__ __forceinline__ int key_of(int n, int r) {
  return 8 * n + static_cast<int>(threadIdx.x) % 4 * 2 + r % 2;
}

/// Calls body(score, mask) for the scores of keys that there are, with elements M of the mask.
template <typename M, class S, typename Body>
__device__ __forceinline__ void with_mask(const AttentionArgs& args, const AttentionPlace& place,
                                          int first_key, AttentionScores<S>& scores, const Body& body) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const std::int64_t row = place.batch * args.mask.batch + place.head * args.mask.head +
                             query_of(args, place, i) * args.mask.query;
    const M* mask = static_cast<const M*>(args.mask.data) + row + first_key * args.mask.key;
    const int left = static_cast<int>(args.keys) - first_key, step = static_cast<int>(args.mask.key);
#pragma unroll
    for (int n = 0; n < S::key_fragments; ++n) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int key = key_of(n, r);
        if (key < left) body(scores[0][n][2 * i + r], mask[key * step]);
      }
      if (n % 2 == 1) __syncwarp();  // no more of the mask at a time than there are registers for
    }
  }
}

/// Masked by AttentionMasking::where or add. Whether an element is 0 its bits say, but for a float's sign.
template <class S>
__device__ __forceinline__ void mask_scores(const AttentionArgs& args, const AttentionPlace& place,
                                            int first_key, AttentionScores<S>& scores) {
  const AttentionMask& mask = args.mask;
  if (mask.masking == AttentionMasking::add) {
    return with_mask<float, S>(args, place, first_key, scores,
                               [](float& score, float added) { score += mask_units(added); });
  }
  const float fill = mask_units(mask.fill);
  const std::uint32_t counting =
      mask.type == ElementType::float32 || mask.type == ElementType::float64 ? 0x7fffffffu : 0xffffffffu;
  switch (mask_bytes(mask.type)) {
    case 1:
      return with_mask<std::uint8_t, S>(args, place, first_key, scores, [&](float& score, std::uint8_t x) {
        if (x == 0) score = fill;
      });
    case 4:
      return with_mask<std::uint32_t, S>(args, place, first_key, scores, [&](float& score, std::uint32_t x) {
        if ((x & counting) == 0) score = fill;
      });
    default:
      return with_mask<uint2, S>(args, place, first_key, scores, [&](float& score, uint2 x) {
        if ((x.x | (x.y & counting)) == 0) score = fill;
      });
  }
}

/// In units of log2(e).
template <class S>
__device__ __forceinline__ void scale_scores(float scale, AttentionScores<S>& scores) {
#pragma unroll
  for (int n = 0; n < S::key_fragments; ++n) {
#pragma unroll
    for (int r = 0; r < 4; ++r) scores[0][n][r] *= scale * kLog2E;
  }
}

/// Keys that a row does not have weigh nothing.
template <class S>
__device__ __forceinline__ void cut_scores(const RowPair& rows, int first_key, AttentionScores<S>& scores) {
  const int least = rows.length[0] < rows.length[1] ? rows.length[0] : rows.length[1];
  if (first_key + S::keys <= least) return;
#pragma unroll
  for (int n = 0; n < S::key_fragments; ++n) {
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      if (key_of(n, r) >= rows.length[r / 2] - first_key) scores[0][n][r] = kNoScore;
    }
  }
}

/// Of the four threads that have a row.
template <typename Join>
__device__ __forceinline__ float over_row(float x, const Join& join) {
  x = join(x, __shfl_xor_sync(simt::kAllLanes, x, 1));
  return join(x, __shfl_xor_sync(simt::kAllLanes, x, 2));
}

/// Scores become weights, relative to the greatest score so far; what was summed before is made so too.
template <class S>
__device__ __forceinline__ void weigh(RowPair& rows, AttentionScores<S>& scores, AttentionSums<S>& sums) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    float largest = rows.largest[i];
#pragma unroll
    for (int n = 0; n < S::key_fragments; ++n)
      largest = fmaxf(largest, fmaxf(scores[0][n][2 * i], scores[0][n][2 * i + 1]));
    largest = over_row(largest, [](float x, float y) { return fmaxf(x, y); });
    const float base = base_of(largest), factor = exp2f(rows.largest[i] - base);
    rows.largest[i] = largest;
    float sum = rows.sum[i] * factor;
#pragma unroll
    for (int n = 0; n < S::key_fragments; ++n) {
#pragma unroll
      for (int r = 2 * i; r < 2 * i + 2; ++r) {
        scores[0][n][r] = exp2f(scores[0][n][r] - base);
        sum += scores[0][n][r];
      }
    }
    rows.sum[i] = sum;
#pragma unroll
    for (int g = 0; g < S::groups; ++g) {
#pragma unroll
      for (int n = 0; n < S::group; ++n) {
        sums[g][0][n][2 * i] *= factor;
        sums[g][0][n][2 * i + 1] *= factor;
      }
    }
  }
}

/// The queries are read anew in each step: in registers they would take the place of sums.
template <class S>
__device__ __forceinline__ void multiply_keys(AttentionScores<S>& scores, const AttentionSmem<S>& smem) {
#pragma unroll
  for (int i = 0; i < S::slices; ++i) {
    std::uint32_t queries[1][4], keys[S::key_fragments][2];
    load_queries<S>(queries, smem, i);
    load_keys<S>(keys, smem, i);
    multiply_fragments<typename S::Element>(scores, queries, keys);
  }
}

template <class S>
__device__ __forceinline__ void add_weighted(AttentionSums<S>& sums, const AttentionScores<S>& weights,
                                             const AttentionSmem<S>& smem) {
#pragma unroll
  for (int i = 0; i < S::key_slices; ++i) {
    std::uint32_t left[1][4];
    load_weights<S>(left, weights, i);
#pragma unroll
    for (int g = 0; g < S::groups; ++g) {
      std::uint32_t values[S::group][2];
      load_values<S>(values, smem, i, g);
      multiply_fragments<typename S::Element>(sums[g], left, values);
    }
  }
}

/// Sums over the sums of weights, by way of the shared memory that the warp's queries had.
template <class S>
__device__ __forceinline__ void store_results(const AttentionArgs& args, const AttentionGrid& grid,
                                              const AttentionPlace& place, const RowPair& rows,
                                              const AttentionSums<S>& sums, AttentionSmem<S>& smem) {
  using E = typename S::Element;
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
  const int warp_row = static_cast<int>(threadIdx.x) / simt::kWarp * 16;
  __syncwarp();  // all lanes have read their queries
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float whole = over_row(rows.sum[i], [](float x, float y) { return x + y; });
    const float share = rows.length[i] == 0 ? 0.0f : 1 / whole;
    std::uint32_t* row = smem.queries[warp_row + lane / 4 + 8 * i];
#pragma unroll
    for (int n = 0; n < S::width / 8; ++n) {
      const float(&sum)[4] = sums[n / S::group][0][n % S::group];
      const float x = sum[2 * i] * share, y = sum[2 * i + 1] * share;
      if constexpr (sizeof(E) == 4) {
        const int column = 8 * n + lane % 4 * 2;
        row[column] = simt::float_bits(x), row[column + 1] = simt::float_bits(y);
      } else {
        row[4 * n + lane % 4] = stored_pair<E>(x, y);
      }
    }
  }
  __syncwarp();
  constexpr int kChunks = S::row_bytes / 16;
  E* first = static_cast<E*>(args.dst) + head_offset(args.out, place.batch, place.head);
#pragma unroll 1
  for (int i = lane; i < 16 * kChunks; i += simt::kWarp) {
    const int row = warp_row + i / kChunks, column = i % kChunks * kVector<E>;
    const std::int64_t query = place.query + row;
    if (query >= args.queries || column >= args.value_width) continue;
    const std::uint32_t* from = &smem.queries[row][i % kChunks * 4];
    E* to = first + query * args.out.word + column;
    if (grid.vectors_out && column + kVector<E> <= args.value_width) {
      *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
      continue;
    }
    for (int e = 0; e < kVector<E> && column + e < args.value_width; ++e) {
      if constexpr (sizeof(E) == 4) {
        to[e] = simt::bits_float(from[e]);
      } else {
        to[e] = E{static_cast<std::uint16_t>(from[e / 2] >> e % 2 * 16)};
      }
    }
  }
}

template <typename E>
__device__ __forceinline__ const E* rows_from(const AttentionRows& rows, const AttentionPlace& place,
                                              std::int64_t first) {
  return static_cast<const E*>(rows.data) + head_offset(rows, place.batch, place.head) + first * rows.word;
}

/// MASKED: by AttentionMasking::where or add, which take registers.
template <typename E, int WIDTH, bool MASKED>
__global__ void __launch_bounds__(AttentionTile<sizeof(E), WIDTH>::threads,
                                  MASKED ? AttentionTile<sizeof(E), WIDTH>::masked_blocks
                                         : AttentionTile<sizeof(E), WIDTH>::blocks)
    attention_tile(AttentionArgs args, AttentionGrid grid) {
  using S = AttentionShape<E, WIDTH>;
  AttentionSmem<S>& smem = simt::shared_memory<AttentionSmem<S>>();
  const AttentionPlace place(args, grid, S::queries);
  const E *keys = rows_from<E>(args.k, place, 0), *values = rows_from<E>(args.v, place, 0);
  int left = static_cast<int>(args.keys);
  fetch_rows<S>(smem.queries, rows_from<E>(args.q, place, place.query), args.q.word,
                static_cast<int>(args.queries - place.query), args.width, grid.vectors);
  fetch_rows<S>(smem.keys, keys, args.k.word, left, args.width, grid.vectors);
  simt::cp_async_commit();
  fetch_rows<S>(smem.values, values, args.v.word, left, args.value_width, grid.vectors);
  simt::cp_async_commit();
  const int length = greatest_length<S>(args, place);  // while copies are on their way
  RowPair rows;
#pragma unroll
  for (int i = 0; i < 2; ++i)
    rows.length[i] = length_of(args, place.batch, place.head, query_of(args, place, i));
  AttentionSums<S> sums = {};
  simt::cp_async_wait<1>();
  __syncthreads();
  // A group of copies is committed for each operand of a step, empty ones behind the last.
#pragma unroll 1
  for (int first = 0; first < length; first += S::keys) {
    AttentionScores<S> scores = {};
    multiply_keys<S>(scores, smem);
    __syncthreads();  // all are done with the keys
    const bool more = first + S::keys < length;
    left -= S::keys;
    keys += S::keys * args.k.word;
    if (more) fetch_rows<S>(smem.keys, keys, args.k.word, left, args.width, grid.vectors);
    simt::cp_async_commit();
    scale_scores<S>(args.scale, scores);
    if constexpr (MASKED) mask_scores<S>(args, place, first, scores);
    cut_scores<S>(rows, first, scores);
    weigh<S>(rows, scores, sums);
    if (MASKED && args.mask.multiplies) {
      with_mask<float, S>(args, place, first, scores, [](float& weight, float factor) { weight *= factor; });
    }
    simt::cp_async_wait<1>();
    __syncthreads();  // the values are there for all
    add_weighted<S>(sums, scores, smem);
    if (!more) break;
    __syncthreads();  // all are done with the values
    values += S::keys * args.v.word;
    fetch_rows<S>(smem.values, values, args.v.word, left, args.value_width, grid.vectors);
    simt::cp_async_commit();
    simt::cp_async_wait<1>();
    __syncthreads();  // the next keys are there for all
  }
  simt::cp_async_wait<0>();
  store_results<S>(args, grid, place, rows, sums, smem);
}

template <typename E, int WIDTH>
Status launch_attention_of(const AttentionArgs& args, const AttentionGrid& grid, const Stream& stream) {
  using S = AttentionShape<E, WIDTH>;
  static_assert(sizeof(AttentionSmem<S>) == S::shared_bytes);
  const auto blocks = static_cast<unsigned>(args.batch * args.heads * grid.tiles);
  const AttentionMasking masking = args.mask.masking;
  const bool is_masked = masking == AttentionMasking::where || masking == AttentionMasking::add;
  return simt::launch(is_masked ? attention_tile<E, WIDTH, true> : attention_tile<E, WIDTH, false>,
                      dim3(blocks), S::threads, S::shared_bytes, stream, args, grid);
}

/// `width`: of kAttentionWidths.
template <typename E>
Status launch_attention(const AttentionArgs& args, int width, const AttentionGrid& grid,
                        const Stream& stream) {
  switch (width) {
    case 32:
      return launch_attention_of<E, 32>(args, grid, stream);
    case 64:
      return launch_attention_of<E, 64>(args, grid, stream);
    case 96:
      return launch_attention_of<E, 96>(args, grid, stream);
    case 128:
      return launch_attention_of<E, 128>(args, grid, stream);
    default:
      return launch_attention_of<E, 256>(args, grid, stream);
  }
}

}  // namespace
}  // namespace mxinfer::kernels::cuda
