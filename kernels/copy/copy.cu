#include "kernels/copy/copy_cuda.h"
#include "kernels/cuda/dispatch.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

struct Place {
  std::int64_t src, dst;
};

/// Where element i of the walk over the first `rank` dimensions is on both sides.
template <typename Index>
__device__ __forceinline__ Place place_of(const CopyArgs& args, int rank, Index i) {
  Place place{args.src_offset, args.dst_offset};
  for (int d = rank - 1; d >= 0; --d) {
    const auto size = static_cast<Index>(args.dims[d]);
    const Index next = i / size;
    const auto at = static_cast<std::int64_t>(i - next * size);
    place.src += at * args.src_strides[d];
    place.dst += at * args.dst_strides[d];
    i = next;
  }
  return place;
}

template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock) copy_kernel(CopyArgs args, Index count, const T* src, T* dst) {
  for (auto i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const Place place = place_of(args, args.rank, i);
    dst[place.dst] = src[place.src];
  }
}

template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock) fill_kernel(CopyArgs args, Index count, T element, T* dst) {
  for (auto i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step()))
    dst[place_of(args, args.rank, i).dst] = element;
}

constexpr int kTile = 32;
constexpr int kTileRows = kBlock / kTile;
constexpr std::int64_t kMostBlocks = 2048;

template <typename T>
struct SmemTile {
  T elements[kTile][kTile + 1];  // one more: columns are read without bank conflicts
};

/// The last two dimensions are consecutive in src, and before that in dst: through tiles, so that both sides
/// are walked in order.
template <typename T>
__global__ void __launch_bounds__(kBlock)
    transpose_kernel(CopyArgs args, std::int64_t tiles, const T* src, T* dst) {
  SmemTile<T>& smem = simt::shared_memory<SmemTile<T>>();
  const int in_dst = args.rank - 2, in_src = args.rank - 1;
  const std::int64_t height = args.dims[in_dst], width = args.dims[in_src];
  const std::int64_t across = (width + kTile - 1) / kTile, down = (height + kTile - 1) / kTile;
  const int column = static_cast<int>(threadIdx.x) % kTile, row = static_cast<int>(threadIdx.x) / kTile;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const Place place = place_of(args, args.rank - 2, tile / across / down);
    const std::int64_t x0 = tile % across * kTile, y0 = tile / across % down * kTile;
    for (int r = row; r < kTile; r += kTileRows) {
      const std::int64_t y = y0 + r, x = x0 + column;
      if (y < height && x < width)
        smem.elements[r][column] = src[place.src + y * args.src_strides[in_dst] + x];
    }
    __syncthreads();
    for (int r = row; r < kTile; r += kTileRows) {
      const std::int64_t y = y0 + column, x = x0 + r;
      if (y < height && x < width)
        dst[place.dst + x * args.dst_strides[in_src] + y] = smem.elements[column][r];
    }
    __syncthreads();  // the tile is written again
  }
}

void swap_dimensions(CopyArgs& args, int a, int b) {
  const auto swap = [&](std::int64_t* list) {
    const std::int64_t first = list[a];
    list[a] = list[b];
    list[b] = first;
  };
  swap(args.dims);
  swap(args.src_strides);
  swap(args.dst_strides);
}

/// Brings the dimension that is consecutive in src to the end and the one that is in dst before it. Returns
/// false if they are one, or too small for tiles.
bool order_for_tiles(CopyArgs& args) {
  const auto find = [&](const std::int64_t* strides) {
    for (int d = 0; d < args.rank; ++d) {
      if (strides[d] == 1 && args.dims[d] >= kTile / 2) return d;
    }
    return -1;
  };
  const int in_src = find(args.src_strides), in_dst = find(args.dst_strides);
  if (in_src < 0 || in_dst < 0 || in_src == in_dst) return false;
  if (args.dst_strides[in_src] == 1 || args.src_strides[in_dst] == 1) return false;
  swap_dimensions(args, in_src, args.rank - 1);
  const int moved = in_dst == args.rank - 1 ? in_src : in_dst;
  swap_dimensions(args, moved, args.rank - 2);
  return true;
}

/// The bytes of the widest word that the last dimension can be walked by: both sides are consecutive there.
std::size_t word_of(const CopyArgs& args, std::size_t element_bytes, const void* src, const void* dst) {
  const int last = args.rank - 1;
  if (last < 0 || args.src_strides[last] != 1 || args.dst_strides[last] != 1) return element_bytes;
  std::size_t all = static_cast<std::size_t>(args.dims[last]) | static_cast<std::size_t>(args.src_offset) |
                    static_cast<std::size_t>(args.dst_offset);
  for (int d = 0; d < last; ++d)
    all |= static_cast<std::size_t>(args.src_strides[d]) | static_cast<std::size_t>(args.dst_strides[d]);
  return widest_word(all * element_bytes, src, dst);
}

/// The same walk with words of `times` elements.
CopyArgs in_words(const CopyArgs& args, std::int64_t times) {
  CopyArgs words = args;
  const int last = args.rank - 1;
  if (times == 1) return words;
  words.dims[last] /= times;
  words.src_offset /= times;
  words.dst_offset /= times;
  for (int d = 0; d < last; ++d) {
    words.src_strides[d] /= times;
    words.dst_strides[d] /= times;
  }
  return words;
}

template <typename T>
Status launch_transpose(const CopyArgs& args, const void* src, void* dst, const Stream& stream) {
  std::int64_t tiles = 1;
  for (int d = 0; d < args.rank; ++d)
    tiles *= d < args.rank - 2 ? args.dims[d] : (args.dims[d] + kTile - 1) / kTile;
  const auto blocks = static_cast<unsigned>(tiles < kMostBlocks ? tiles : kMostBlocks);
  return simt::launch(transpose_kernel<T>, dim3(blocks), kBlock, sizeof(SmemTile<T>), stream, args, tiles,
                      static_cast<const T*>(src), static_cast<T*>(dst));
}

}  // namespace

Status strided_copy(const CopyArgs& simplified, std::size_t element_bytes, const void* src, void* dst,
                    const Stream& stream) {
  CopyArgs tiled = simplified;
  if (order_for_tiles(tiled)) {
    return with_element(element_bytes, [&](auto element) {
      return launch_transpose<decltype(element)>(tiled, src, dst, stream);
    });
  }
  const std::size_t word_bytes = word_of(simplified, element_bytes, src, dst);
  const CopyArgs args = in_words(simplified, static_cast<std::int64_t>(word_bytes / element_bytes));
  const std::int64_t count = args.elements();
  return with_word(word_bytes, [&](auto word) {
    using T = decltype(word);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(copy_kernel<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, args,
                          static_cast<Index>(count), static_cast<const T*>(src), static_cast<T*>(dst));
    });
  });
}

Status strided_fill(const CopyArgs& simplified, std::size_t element_bytes, std::uint64_t element, void* dst,
                    const Stream& stream) {
  const std::int64_t count = simplified.elements();
  return with_element(element_bytes, [&](auto zero) {
    using T = decltype(zero);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(fill_kernel<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, simplified,
                          static_cast<Index>(count), static_cast<T>(element), static_cast<T*>(dst));
    });
  });
}

}  // namespace mxinfer::kernels::cuda
