#include "kernels/boxes/overlap_device.h"
#include "kernels/nms/nms_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kWord = 64;  ///< boxes of a word of overlaps
constexpr int kWords = static_cast<int>(kNmsWindow / kWord);
constexpr int kBlock = 256;
constexpr int kSlices = kBlock / kWord;

struct IdBox {
  CornerBox<float> box;
  std::int32_t id;
};

__device__ __forceinline__ IdBox load_box(const Suppression& s, std::int64_t at) {
  const float4 corners = simt::load4(s.corners + at * 4);
  return {{corners.x, corners.y, corners.z, corners.w, s.area[at]}, s.id[at]};
}

/// Whether a kept box drops another one, with the operations of the CPU in their order.
__device__ __forceinline__ bool drops(const Suppression& s, const IdBox& kept, const IdBox& other) {
  const float shared = common_area(kept.box, other.box, s.more);
  const float all = area_of_union(kept.box.area, other.box.area, shared);
  const float overlap = s.inclusive && all <= 0 ? 0.0f : simt::div_rn(shared, all);
  return kept.id == other.id && (s.inclusive ? overlap >= s.limit : overlap > s.limit);
}

// ---- The boxes of a window against those that were kept before it.

struct EarlierSmem {
  IdBox kept[kBlock];
  std::uint32_t hits[kSlices][kWord];
};

/// A task is a word of a batch: 64 boxes, each of which kSlices threads compare.
__global__ void __launch_bounds__(kBlock)
    drop_by_earlier_kernel(Suppression s, std::int64_t start, std::int64_t tasks) {
  EarlierSmem& smem = simt::shared_memory<EarlierSmem>();
  const int column = static_cast<int>(threadIdx.x) % kWord, slice = static_cast<int>(threadIdx.x) / kWord;
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t batch = task / kWords, first = batch * s.boxes;
    const std::int64_t at = start + task % kWords * kWord + column, count = s.count[batch];
    const std::int64_t all = s.kept_count[batch], kept = at - column < count && all < s.most ? all : 0;
    IdBox box{};
    if (at < count) box = load_box(s, first + at);
    bool hit = false;
    for (std::int64_t base = 0; base < kept; base += kBlock) {
      const int here = static_cast<int>(kept - base < kBlock ? kept - base : kBlock);
      if (static_cast<int>(threadIdx.x) < here)
        smem.kept[threadIdx.x] = load_box(s, first + s.kept[batch * s.most + base + threadIdx.x]);
      __syncthreads();
      for (int k = slice; k < here; k += kSlices) hit = hit || drops(s, smem.kept[k], box);
      __syncthreads();
    }
    smem.hits[slice][column] = hit ? 1u : 0u;
    __syncthreads();
    if (threadIdx.x < kWord) {
      std::uint32_t any = 0;
      for (int i = 0; i < kSlices; ++i) any |= smem.hits[i][column];
      const std::uint32_t bits = __ballot_sync(simt::kAllLanes, any != 0);
      if (column % simt::kWarp == 0) s.dropped[task * 2 + column / simt::kWarp] = bits;
    }
    __syncthreads();
  }
}

// ---- The boxes of a window against each other.

struct OverlapSmem {
  IdBox columns[kWord];
};

/// A task is a square of 64 by 64 boxes: bit j of a row's word says that the row's box drops the later box j.
/// Squares below the diagonal are not written.
__global__ void __launch_bounds__(kWord)
    find_overlaps_kernel(Suppression s, std::int64_t start, int words, std::int64_t tasks) {
  OverlapSmem& smem = simt::shared_memory<OverlapSmem>();
  const std::int64_t window = s.window;
  for (std::int64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::int64_t batch = task / (words * words), first = batch * s.boxes + start;
    const int row_word = static_cast<int>(task / words % words), word = static_cast<int>(task % words);
    const std::int64_t left = s.count[batch] - start;
    if (word < row_word || word * kWord >= left) continue;
    const int row = row_word * kWord + static_cast<int>(threadIdx.x);
    const int column = word * kWord + static_cast<int>(threadIdx.x);
    if (column < left) smem.columns[threadIdx.x] = load_box(s, first + column);
    __syncthreads();
    std::uint64_t bits = 0;
    if (row < left) {
      const IdBox box = load_box(s, first + row);
      const int last = static_cast<int>(left - word * kWord < kWord ? left - word * kWord : kWord);
      for (int j = word == row_word ? static_cast<int>(threadIdx.x) + 1 : 0; j < last; ++j) {
        if (drops(s, box, smem.columns[j])) bits |= std::uint64_t{1} << j;
      }
    }
    s.overlaps[(batch * window + row) * kWords + word] = bits;
    __syncthreads();
  }
}

// ---- Which boxes of a window are kept, one after another.

struct SelectSmem {
  std::uint64_t dropped[kWords];
  std::uint64_t diagonal[kWord];
  std::uint64_t partial[kBlock / kWords][kWords];
  std::uint64_t kept;
  std::int64_t total;
};

__device__ __forceinline__ int count_bits(std::uint64_t bits) {
  return __popc(static_cast<unsigned>(bits)) + __popc(static_cast<unsigned>(bits >> 32));
}

/// The boxes of a word that are kept; at most `most`. `dropped` are those that are not, by earlier words.
__device__ __forceinline__ std::uint64_t select_word(const std::uint64_t (&diagonal)[kWord],
                                                     std::uint64_t dropped, std::int64_t most) {
  std::uint64_t kept = 0;
  std::int64_t left = most;
#pragma unroll 8
  for (int i = 0; i < kWord; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    const std::uint64_t drops_too = diagonal[i];
    if ((dropped & bit) == 0 && left > 0) {
      kept |= bit;
      dropped |= drops_too;
      --left;
    }
  }
  return kept;
}

/// A block for each batch.
__global__ void __launch_bounds__(kBlock) select_kernel(Suppression s, std::int64_t start) {
  SelectSmem& smem = simt::shared_memory<SelectSmem>();
  const int thread = static_cast<int>(threadIdx.x), column = thread % kWords, slice = thread / kWords;
  const std::int64_t window = s.window;
  for (std::int64_t batch = blockIdx.x; batch < s.batches; batch += gridDim.x) {
    const std::int64_t left = s.count[batch] - start;
    const int here = static_cast<int>(left < 0 ? 0 : left < window ? left : window);
    const int words = (here + kWord - 1) / kWord;
    const std::uint64_t* overlaps = s.overlaps + batch * window * kWords;
    if (thread < kWords) {
      const std::uint32_t* earlier = s.dropped + (batch * kWords + thread) * 2;
      smem.dropped[thread] = start == 0 ? 0 : static_cast<std::uint64_t>(earlier[1]) << 32 | earlier[0];
    }
    if (thread == 0) smem.total = start == 0 ? 0 : s.kept_count[batch];
    __syncthreads();
    for (int word = 0; word < words && smem.total < s.most; ++word) {
      const std::int64_t total = smem.total;
      if (thread < kWord) smem.diagonal[thread] = overlaps[(word * kWord + thread) * kWords + word];
      __syncthreads();
      if (thread == 0) {
        const int boxes = here - word * kWord;
        const std::uint64_t none = boxes < kWord ? ~std::uint64_t{0} << boxes : 0;
        const std::uint64_t kept = select_word(smem.diagonal, smem.dropped[word] | none, s.most - total);
        smem.kept = kept;
        smem.total = total + count_bits(kept);
      }
      __syncthreads();
      const std::uint64_t kept = smem.kept;
      if (thread < kWord && (kept >> thread & 1) != 0) {
        const int before = count_bits(kept & ((std::uint64_t{1} << thread) - 1));
        s.kept[batch * s.most + total + before] = static_cast<std::int32_t>(start + word * kWord + thread);
      }
      std::uint64_t bits = 0;
      if (column > word && column < words) {
        for (int i = slice; i < kWord; i += kBlock / kWords) {
          if ((kept >> i & 1) != 0) bits |= overlaps[(word * kWord + i) * kWords + column];
        }
      }
      smem.partial[slice][column] = bits;
      __syncthreads();
      if (thread < kWords) {
        for (int i = 0; i < kBlock / kWords; ++i) smem.dropped[thread] |= smem.partial[i][thread];
      }
      __syncthreads();
    }
    if (thread == 0) s.kept_count[batch] = static_cast<std::int32_t>(smem.total);
    __syncthreads();
  }
}

unsigned blocks_for(std::int64_t tasks) {
  constexpr std::int64_t kMost = 65536;
  return static_cast<unsigned>(tasks < kMost ? tasks : kMost);
}

}  // namespace

Status suppress_boxes(const Suppression& s, const Stream& stream) {
  Status status = kSuccess;
  for (std::int64_t start = 0; start < s.boxes && status == kSuccess; start += kNmsWindow) {
    if (start > 0) {
      const std::int64_t tasks = s.batches * kWords;
      status = simt::launch(drop_by_earlier_kernel, blocks_for(tasks), kBlock, sizeof(EarlierSmem), stream, s,
                            start, tasks);
    }
    const std::int64_t left = std::min(kNmsWindow, s.boxes - start);
    const int words = static_cast<int>((left + kWord - 1) / kWord);
    const std::int64_t squares = s.batches * words * words;
    if (status == kSuccess) {
      status = simt::launch(find_overlaps_kernel, blocks_for(squares), kWord, sizeof(OverlapSmem), stream, s,
                            start, words, squares);
    }
    if (status == kSuccess) {
      status =
          simt::launch(select_kernel, blocks_for(s.batches), kBlock, sizeof(SelectSmem), stream, s, start);
    }
  }
  return status;
}

}  // namespace mxinfer::kernels::cuda
