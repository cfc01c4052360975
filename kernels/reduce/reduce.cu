#include <limits>
#include <type_traits>

#include "kernels/cuda/stored_floats.h"
#include "kernels/reduce/reduce_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

// The functions, as in reduce_ref.cpp; A is the type of the accumulator. kRuns: four elements are joined in
// their own type before they go into the accumulator.
struct SumFn {
  static constexpr bool kRuns = true;
  template <typename T>
  using Accumulator = std::conditional_t<std::is_integral_v<T>, T, double>;
  template <typename A>
  static __device__ __forceinline__ A start() {
    return A(0);
  }
  template <typename A>
  static __device__ __forceinline__ A join(A a, A b) {
    if constexpr (std::is_integral_v<A>) {
      using U = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<U>(a) + static_cast<U>(b));
    } else {
      return a + b;
    }
  }
  /// What an element adds.
  template <typename T>
  static __device__ __forceinline__ T term(T x) {
    return x;
  }
  template <typename A>
  static __device__ __forceinline__ A finish(A a, std::int64_t) {
    return a;
  }
};

struct MeanFn : SumFn {
  template <typename A>
  static __device__ __forceinline__ A finish(A a, std::int64_t count) {
    if constexpr (std::is_integral_v<A>) {
      return count == 0 ? A(0) : static_cast<A>(static_cast<std::int64_t>(a) / count);
    } else {
      return a / static_cast<A>(count);
    }
  }
};

struct NanSumFn : SumFn {
  template <typename T>
  static __device__ __forceinline__ T term(T x) {
    return x != x ? T(0) : x;
  }
};

struct Norm1Fn : SumFn {
  template <typename T>
  static __device__ __forceinline__ T term(T x) {
    return std::fabs(x);
  }
};

// Squares and products leave the range of float32 though their elements and results do not: none in T.
struct SquaresFn : SumFn {
  static constexpr bool kRuns = false;
  template <typename A>
  static __device__ __forceinline__ A term(A x) {
    return x * x;
  }
};

struct Norm2Fn : SquaresFn {
  template <typename A>
  static __device__ __forceinline__ A finish(A a, std::int64_t) {
    return std::sqrt(a);
  }
};

struct ProdFn : SumFn {
  static constexpr bool kRuns = false;
  template <typename A>
  static __device__ __forceinline__ A start() {
    return A(1);
  }
  template <typename A>
  static __device__ __forceinline__ A join(A a, A b) {
    if constexpr (std::is_integral_v<A>) {
      using U = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<U>(a) * static_cast<U>(b));
    } else {
      return a * b;
    }
  }
};

struct NanProdFn : ProdFn {
  template <typename T>
  static __device__ __forceinline__ T term(T x) {
    return x != x ? T(1) : x;
  }
};

struct MaxFn : SumFn {
  template <typename T>
  using Accumulator = T;
  template <typename A>
  static __device__ __forceinline__ A start() {
    if constexpr (std::is_integral_v<A>) return std::numeric_limits<A>::lowest();
    return -std::numeric_limits<A>::infinity();
  }
  template <typename A>
  static __device__ __forceinline__ A join(A a, A b) {
    return b > a || b != b ? b : a;
  }
};

struct MinFn : MaxFn {
  template <typename A>
  static __device__ __forceinline__ A start() {
    if constexpr (std::is_integral_v<A>) return std::numeric_limits<A>::max();
    return std::numeric_limits<A>::infinity();
  }
  template <typename A>
  static __device__ __forceinline__ A join(A a, A b) {
    return b < a || b != b ? b : a;
  }
};

// Where element i of some dimensions is.
__device__ __forceinline__ std::int64_t offset_of(const ReduceDims& dims, std::int64_t i) {
  const int last = static_cast<int>(dims.rank) - 1;
  std::int64_t offset = 0;
#pragma unroll 1
  for (int d = last; d > 0; --d) {
    const std::int64_t next = i / dims.sizes[d];
    offset += (i - next * dims.sizes[d]) * dims.strides[d];
    i = next;
  }
  return offset + i * dims.strides[0];
}

// How the threads of a block share `columns` results: each has kBlock / columns threads.
struct Tile {
  int columns;        ///< a power of two
  bool side_by_side;  ///< neighbouring threads have neighbouring results, else elements of one
};

__device__ __forceinline__ int column_of(const Tile& tile) {
  const int thread = static_cast<int>(threadIdx.x);
  return tile.side_by_side ? thread % tile.columns : thread / (kBlock / tile.columns);
}
__device__ __forceinline__ int lane_of(const Tile& tile) {
  const int thread = static_cast<int>(threadIdx.x);
  return tile.side_by_side ? thread / tile.columns : thread % (kBlock / tile.columns);
}

template <typename A>
struct ReduceSmem {
  A parts[kBlock];
};

// Joins what the threads of a result have; the first lane of each gets it. All threads call it.
template <class F, typename A>
__device__ __forceinline__ A join_lanes(ReduceSmem<A>& smem, const Tile& tile, A mine) {
  const int column = column_of(tile), lane = lane_of(tile);
  smem.parts[lane * tile.columns + column] = mine;
  __syncthreads();
  for (int step = kBlock / tile.columns / 2; step > 0; step /= 2) {
    if (lane < step) {
      A& own = smem.parts[lane * tile.columns + column];
      own = F::join(own, smem.parts[(lane + step) * tile.columns + column]);
    }
    __syncthreads();
  }
  const A result = smem.parts[column];
  __syncthreads();
  return result;
}

// An element as the type that functions have: T, or float for the floats of 16 bits.
template <typename T>
__device__ __forceinline__ T value_of(T x) {
  return x;
}
__device__ __forceinline__ float value_of(StoredFloat16 x) {
  return to_float(x);
}
__device__ __forceinline__ float value_of(StoredBFloat16 x) {
  return to_float(x);
}
template <typename Element>
using Valued = decltype(value_of(Element{}));

// As an element of dst, which is of type T or, if T is float, of one of 16 bits.
template <typename T>
__device__ __forceinline__ void store_result(void* dst, ElementType type, std::int64_t at, T value) {
  if constexpr (std::is_same_v<T, float>) {
    if (type == ElementType::float16) {
      static_cast<StoredFloat16*>(dst)[at] = to_stored<StoredFloat16>(value);
      return;
    }
    if (type == ElementType::bfloat16) {
      static_cast<StoredBFloat16*>(dst)[at] = to_stored<StoredBFloat16>(value);
      return;
    }
  }
  static_cast<T*>(dst)[at] = value;
}

// Folds elements begin, begin + step, ... before end of a result.
template <class F, typename Element, typename A>
__device__ __forceinline__ A fold(const ReduceDims& dims, const Element* src, std::int64_t begin,
                                  std::int64_t end, std::int64_t step) {
  using T = Valued<Element>;
  A acc = F::template start<A>();
  std::int64_t i = begin;
  for (; i + 3 * step < end; i += 4 * step) {
    T x[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) x[k] = value_of(src[offset_of(dims, i + k * step)]);
    if constexpr (F::kRuns) {
      const T low = F::join(F::term(x[0]), F::term(x[1])), high = F::join(F::term(x[2]), F::term(x[3]));
      acc = F::join(acc, static_cast<A>(F::join(low, high)));
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) acc = F::join(acc, F::term(static_cast<A>(x[k])));
    }
  }
  for (; i < end; i += step) acc = F::join(acc, F::term(static_cast<A>(value_of(src[offset_of(dims, i)]))));
  return acc;
}

// Blocks of tiles of results, by parts of what is reduced. partials: [splits][results], or null.
template <class F, typename Element>
__global__ void __launch_bounds__(kBlock)
    reduce_kernel(ReduceShape shape, Tile tile, std::int64_t results, std::int64_t count, const Element* src,
                  ElementType out, void* dst, typename F::template Accumulator<Valued<Element>>* partials) {
  using T = Valued<Element>;
  using A = typename F::template Accumulator<T>;
  ReduceSmem<A>& smem = simt::shared_memory<ReduceSmem<A>>();
  const std::int64_t part = (count + gridDim.y - 1) / gridDim.y;
  const std::int64_t begin = part * blockIdx.y;
  const std::int64_t end = begin + part < count ? begin + part : count;
  const int lanes = kBlock / tile.columns, lane = lane_of(tile);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * tile.columns;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * tile.columns; first < results;
       first += step) {
    const std::int64_t result = first + column_of(tile);
    A acc = F::template start<A>();
    if (result < results)
      acc = fold<F, Element, A>(shape.reduced, src + offset_of(shape.kept, result), begin + lane, end, lanes);
    acc = join_lanes<F>(smem, tile, acc);
    if (lane != 0 || result >= results) continue;
    if (partials != nullptr) {
      partials[blockIdx.y * results + result] = acc;
    } else {
      store_result(dst, out, result, convert<T>(F::finish(acc, count)));
    }
  }
}

// The results of the parts.
template <class F, typename T>
__global__ void __launch_bounds__(kBlock)
    join_kernel(std::int64_t results, std::int64_t count, int splits,
                const typename F::template Accumulator<T>* partials, ElementType out, void* dst) {
  using A = typename F::template Accumulator<T>;
  for (std::int64_t i = simt::first_index(); i < results; i += simt::grid_step()) {
    A acc = partials[i];
    for (int s = 1; s < splits; ++s) acc = F::join(acc, partials[s * results + i]);
    store_result(dst, out, i, convert<T>(F::finish(acc, count)));
  }
}

Tile tile_for(const ReduceShape& shape, std::int64_t part) {
  const ReduceDims &kept = shape.kept, &reduced = shape.reduced;
  const bool side_by_side = kept.strides[kept.rank - 1] == 1 && reduced.strides[reduced.rank - 1] != 1;
  if (side_by_side) return {part < 8 ? 256 : kept.sizes[kept.rank - 1] < 8 ? 8 : 32, true};
  return {part < 4 ? 256 : part < 64 ? 64 : part < 2048 ? 8 : 1, false};
}

template <class F, typename Element>
Status launch_reduce(const ReduceCudaArgs& args, const void* src, void* dst, void* partials,
                     const Stream& stream) {
  using T = Valued<Element>;
  using A = typename F::template Accumulator<T>;
  const std::int64_t results = args.shape.kept.elements(), count = args.shape.reduced.elements();
  const Tile tile = tile_for(args.shape, (count + args.splits - 1) / args.splits);
  dim3 grid = simt::grid_for(results, tile.columns);
  grid.y = static_cast<unsigned>(args.splits);
  A* parts = args.splits > 1 ? static_cast<A*>(partials) : nullptr;
  const Status status =
      simt::launch(reduce_kernel<F, Element>, grid, kBlock, sizeof(ReduceSmem<A>), stream, args.shape, tile,
                   results, count, static_cast<const Element*>(src), args.out, dst, parts);
  if (status != kSuccess || parts == nullptr) return status;
  return simt::launch(join_kernel<F, T>, simt::grid_for(results, kBlock), kBlock, 0, stream, results, count,
                      args.splits, parts, args.out, dst);
}

template <typename T>
Status reduce_typed(const ReduceCudaArgs& args, const void* src, void* dst, void* partials,
                    const Stream& stream) {
  switch (args.op) {
    case ReduceOp::mean:
      return launch_reduce<MeanFn, T>(args, src, dst, partials, stream);
    case ReduceOp::prod:
      return launch_reduce<ProdFn, T>(args, src, dst, partials, stream);
    case ReduceOp::max:
      return launch_reduce<MaxFn, T>(args, src, dst, partials, stream);
    case ReduceOp::min:
      return launch_reduce<MinFn, T>(args, src, dst, partials, stream);
    default:
      return launch_reduce<SumFn, T>(args, src, dst, partials, stream);
  }
}

// Those that only floats have, and the others.
template <typename Element>
Status reduce_floats(const ReduceCudaArgs& args, const void* src, void* dst, void* partials,
                     const Stream& stream) {
  switch (args.op) {
    case ReduceOp::nansum:
      return launch_reduce<NanSumFn, Element>(args, src, dst, partials, stream);
    case ReduceOp::nanprod:
      return launch_reduce<NanProdFn, Element>(args, src, dst, partials, stream);
    case ReduceOp::norm1:
      return launch_reduce<Norm1Fn, Element>(args, src, dst, partials, stream);
    case ReduceOp::norm2:
      return launch_reduce<Norm2Fn, Element>(args, src, dst, partials, stream);
    case ReduceOp::squares:
      return launch_reduce<SquaresFn, Element>(args, src, dst, partials, stream);
    default:
      return reduce_typed<Element>(args, src, dst, partials, stream);
  }
}

// The second pass: (x - mean)^2.
template <typename T>
__device__ __forceinline__ double squares_around(const ReduceDims& dims, const T* src, double mean,
                                                 std::int64_t begin, std::int64_t end, std::int64_t step) {
  double sum = 0;
  for (std::int64_t i = begin; i < end; i += step) {
    const double distance = static_cast<double>(src[offset_of(dims, i)]) - mean;
    sum += distance * distance;
  }
  return sum;
}

__global__ void __launch_bounds__(kBlock)
    moments_kernel(ReduceShape shape, Tile tile, std::int64_t results, std::int64_t count, const float* src,
                   float* mean, float* variance) {
  ReduceSmem<double>& smem = simt::shared_memory<ReduceSmem<double>>();
  const int lanes = kBlock / tile.columns, lane = lane_of(tile);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * tile.columns;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * tile.columns; first < results;
       first += step) {
    const std::int64_t result = first + column_of(tile);
    const bool is_result = result < results;
    const float* from = src + (is_result ? offset_of(shape.kept, result) : 0);
    double sum = is_result ? fold<SumFn, float, double>(shape.reduced, from, lane, count, lanes) : 0;
    const double middle = join_lanes<SumFn>(smem, tile, sum) / static_cast<double>(count);
    sum = is_result ? squares_around(shape.reduced, from, middle, lane, count, lanes) : 0;
    const double squares = join_lanes<SumFn>(smem, tile, sum);
    if (lane != 0 || !is_result) continue;
    mean[result] = static_cast<float>(middle);
    variance[result] = static_cast<float>(squares / static_cast<double>(count));
  }
}

// An element and where it is; -1: there is none.
template <typename T>
struct Found {
  T value;
  int at;
};

// Of equal elements the first, and the first NaN before all.
template <bool kLargest, typename T>
__device__ __forceinline__ Found<T> better(Found<T> a, Found<T> b) {
  if (a.at < 0) return b;
  if (b.at < 0) return a;
  const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
  if (a_nan || b_nan) return a_nan && (!b_nan || a.at < b.at) ? a : b;
  if (a.value == b.value) return a.at < b.at ? a : b;
  return (kLargest ? a.value > b.value : a.value < b.value) ? a : b;
}

template <typename T>
struct ArgSmem {
  Found<T> found[kBlock];
};

// `threads` threads, a power of two, to a line.
template <bool kLargest, typename T, typename Out>
__global__ void __launch_bounds__(kBlock)
    arg_kernel(ArgReduceCudaArgs args, int threads, const T* src, Out* dst) {
  ArgSmem<T>& smem = simt::shared_memory<ArgSmem<T>>();
  const int own = static_cast<int>(threadIdx.x), lane = own % threads, per_block = kBlock / threads;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * per_block;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * per_block; first < args.lines;
       first += step) {
    const std::int64_t line = first + own / threads;
    Found<T> best{T(0), -1};
    if (line < args.lines) {
      const T* from = src + line / args.inner * args.axis * args.inner + line % args.inner;
      for (std::int64_t i = lane; i < args.axis; i += threads)
        best = better<kLargest, T>(best, {from[i * args.inner], static_cast<int>(i)});
    }
    smem.found[own] = best;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
      if (lane < half) smem.found[own] = better<kLargest>(smem.found[own], smem.found[own + half]);
      __syncthreads();
    }
    if (lane == 0 && line < args.lines) dst[line] = static_cast<Out>(smem.found[own].at);
    __syncthreads();
  }
}

template <typename T, typename Out>
Status launch_arg_to(const ArgReduceCudaArgs& args, const void* src, void* dst, const Stream& stream) {
  const int threads = args.inner >= 32 || args.axis < 8 ? 1 : args.axis < 1024 ? 32 : kBlock;
  return simt::launch(args.largest ? arg_kernel<true, T, Out> : arg_kernel<false, T, Out>,
                      simt::grid_for(args.lines, kBlock / threads), kBlock, sizeof(ArgSmem<T>), stream, args,
                      threads, static_cast<const T*>(src), static_cast<Out*>(dst));
}

template <typename T>
Status launch_arg(const ArgReduceCudaArgs& args, const void* src, void* dst, const Stream& stream) {
  return args.to_int64 ? launch_arg_to<T, std::int64_t>(args, src, dst, stream)
                       : launch_arg_to<T, T>(args, src, dst, stream);
}

}  // namespace

Status reduce(const ReduceCudaArgs& args, const void* src, void* dst, void* partials, const Stream& stream) {
  switch (args.type) {
    case ElementType::int32:
      return reduce_typed<std::int32_t>(args, src, dst, partials, stream);
    case ElementType::int64:
      return reduce_typed<std::int64_t>(args, src, dst, partials, stream);
    case ElementType::float16:
      return reduce_floats<StoredFloat16>(args, src, dst, partials, stream);
    case ElementType::bfloat16:
      return reduce_floats<StoredBFloat16>(args, src, dst, partials, stream);
    default:
      return reduce_floats<float>(args, src, dst, partials, stream);
  }
}

Status moments(const ReduceShape& shape, const float* src, float* mean, float* variance,
               const Stream& stream) {
  const std::int64_t results = shape.kept.elements(), count = shape.reduced.elements();
  const Tile tile = tile_for(shape, count);
  return simt::launch(moments_kernel, simt::grid_for(results, tile.columns), kBlock,
                      sizeof(ReduceSmem<double>), stream, shape, tile, results, count, src, mean, variance);
}

Status arg_reduce(const ArgReduceCudaArgs& args, const void* src, void* dst, const Stream& stream) {
  return args.type == ElementType::int32 ? launch_arg<std::int32_t>(args, src, dst, stream)
                                         : launch_arg<float>(args, src, dst, stream);
}

}  // namespace mxinfer::kernels::cuda
