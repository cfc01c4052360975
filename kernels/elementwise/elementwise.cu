#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/elementwise/element_functions_device.h"
#include "kernels/elementwise/elementwise_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

struct Coordinates {
  std::int64_t at[kElementwiseRank];
};

// Of element i. Divisions of 64 bits are slow.
template <typename Index>
__device__ __forceinline__ Coordinates coordinates_by(const ElementwiseArgs& args, Index i) {
  Coordinates result;
#pragma unroll
  for (int d = kElementwiseRank - 1; d >= 0; --d) {
    result.at[d] = 0;
    if (d >= args.rank) continue;
    if (d == 0) {
      result.at[0] = static_cast<std::int64_t>(i);
    } else {
      const Index size = static_cast<Index>(args.sizes[d]);
      const Index next = i / size;
      result.at[d] = static_cast<std::int64_t>(i - next * size);
      i = next;
    }
  }
  return result;
}
__device__ __forceinline__ Coordinates coordinates_of(const ElementwiseArgs& args, std::int64_t i,
                                                      bool is_small) {
  return is_small ? coordinates_by(args, static_cast<std::uint32_t>(i)) : coordinates_by(args, i);
}

__device__ __forceinline__ std::int64_t offset_of(const ElementwiseArgs& args, int input,
                                                  const Coordinates& coordinates) {
  std::int64_t offset = 0;
#pragma unroll
  for (int d = 0; d < kElementwiseRank; ++d) {
    if (d < args.rank) offset += coordinates.at[d] * args.input[input].strides[d];
  }
  return offset;
}

// Element `at` of a type, as T.
template <typename T>
__device__ __forceinline__ T load_as(ElementType type, const void* data, std::int64_t at) {
  switch (type) {
    case ElementType::float64:
      return convert<T>(static_cast<const double*>(data)[at]);
    case ElementType::float16:
      return convert<T>(to_float(static_cast<const StoredFloat16*>(data)[at]));
    case ElementType::bfloat16:
      return convert<T>(to_float(static_cast<const StoredBFloat16*>(data)[at]));
    case ElementType::uint8:
      return convert<T>(static_cast<const std::uint8_t*>(data)[at]);
    case ElementType::int32:
      return convert<T>(static_cast<const std::int32_t*>(data)[at]);
    case ElementType::int8:
      return convert<T>(static_cast<const std::int8_t*>(data)[at]);
    case ElementType::int64:
      return convert<T>(static_cast<const std::int64_t*>(data)[at]);
    case ElementType::boolean:
      return truth<T>(static_cast<const std::uint8_t*>(data)[at] != 0);
    default:
      return convert<T>(static_cast<const float*>(data)[at]);
  }
}

__device__ __forceinline__ bool is_true(ElementType type, const void* data, std::int64_t at) {
  if (type == ElementType::int64) return static_cast<const std::int64_t*>(data)[at] != 0;
  return load_as<double>(type, data, at) != 0;
}

template <typename T>
__device__ __forceinline__ void store_as(ElementType type, void* data, std::int64_t at, T value) {
  switch (type) {
    case ElementType::float64:
      static_cast<double*>(data)[at] = convert<double>(value);
      break;
    case ElementType::float16:
      static_cast<StoredFloat16*>(data)[at] = to_stored<StoredFloat16>(convert<float>(value));
      break;
    case ElementType::bfloat16:
      static_cast<StoredBFloat16*>(data)[at] = to_stored<StoredBFloat16>(convert<float>(value));
      break;
    case ElementType::uint8:
      static_cast<std::uint8_t*>(data)[at] = convert<std::uint8_t>(value);
      break;
    case ElementType::int32:
      static_cast<std::int32_t*>(data)[at] = convert<std::int32_t>(value);
      break;
    case ElementType::int8:
      static_cast<std::int8_t*>(data)[at] = convert<std::int8_t>(value);
      break;
    case ElementType::int64:
      static_cast<std::int64_t*>(data)[at] = convert<std::int64_t>(value);
      break;
    case ElementType::boolean:
      static_cast<std::uint8_t*>(data)[at] = value != T(0) ? 1 : 0;
      break;
    default:
      static_cast<float*>(data)[at] = convert<float>(value);
      break;
  }
}

// W neighbours from an address that is a multiple of their bytes, or of 16.
template <int W, typename T>
__device__ __forceinline__ Pack<W, float> load_neighbours(const void* data, std::int64_t at) {
  const T* from = static_cast<const T*>(data) + at;
  Pack<W, float> r;
  if constexpr (W < kVector<T>) {
    static_assert(W == 4, "four of 16 bits are 8 bytes");
    load_four(from, r.v);
  } else {
#pragma unroll
    for (int first = 0; first < W; first += kVector<T>) {
      float some[kVector<T>];
      load_vector(from + first, some);
#pragma unroll
      for (int k = 0; k < kVector<T>; ++k) r.v[first + k] = some[k];
    }
  }
  return r;
}
template <int W, typename T>
__device__ __forceinline__ void store_neighbours(void* data, std::int64_t at, const Pack<W, float>& x) {
  T* to = static_cast<T*>(data) + at;
  if constexpr (W < kVector<T>) {
    store_four(to, x.v);
  } else {
#pragma unroll
    for (int first = 0; first < W; first += kVector<T>) {
      float some[kVector<T>];
#pragma unroll
      for (int k = 0; k < kVector<T>; ++k) some[k] = x.v[first + k];
      store_vector(to + first, some);
    }
  }
}

// W elements along the last dimension: neighbours, or one that is repeated. Behind the end of a tensor, of
// which `left` elements are left, is nothing to read.
// kHalves: the type may be one of 16 bits; else it is float32.
template <int W, bool kHalves>
__device__ __forceinline__ Pack<W, float> load_along(ElementType type, const void* data, std::int64_t at,
                                                     std::int64_t stride, std::int64_t left) {
  const auto one = [&](std::int64_t i) {
    if constexpr (kHalves) {
      if (type == ElementType::float16) return to_float(static_cast<const StoredFloat16*>(data)[i]);
      if (type == ElementType::bfloat16) return to_float(static_cast<const StoredBFloat16*>(data)[i]);
    }
    return static_cast<const float*>(data)[i];
  };
  if (stride != 0 && left >= W) {
    if constexpr (kHalves) {
      if (type == ElementType::float16) return load_neighbours<W, StoredFloat16>(data, at);
      if (type == ElementType::bfloat16) return load_neighbours<W, StoredBFloat16>(data, at);
    }
    return load_neighbours<W, float>(data, at);
  }
  Pack<W, float> r{};
  const float first = one(at);
#pragma unroll
  for (int i = 0; i < W; ++i) {
    if (stride == 0) {
      r.v[i] = first;
    } else if (i < left) {
      r.v[i] = one(at + i);
    }
  }
  return r;
}
template <int W, bool kHalves>
__device__ __forceinline__ void store_along(ElementType type, void* data, std::int64_t at,
                                            const Pack<W, float>& x, std::int64_t left) {
  if (left >= W) {
    if constexpr (kHalves) {
      if (type == ElementType::float16) return store_neighbours<W, StoredFloat16>(data, at, x);
      if (type == ElementType::bfloat16) return store_neighbours<W, StoredBFloat16>(data, at, x);
    }
    return store_neighbours<W, float>(data, at, x);
  }
#pragma unroll
  for (int i = 0; i < W - 1; ++i) {
    if (i >= left) continue;
    if constexpr (kHalves) {
      store_as(type, data, at + i, x.v[i]);
    } else {
      static_cast<float*>(data)[at + i] = x.v[i];
    }
  }
}

// The values that are kept: constant indices only, so that they are registers.
template <int W, int S, typename T>
struct Slots {
  Pack<W, T> value[S];

  __device__ __forceinline__ Pack<W, T> get(int slot) const {
    Pack<W, T> result = value[0];
#pragma unroll
    for (int s = 1; s < S; ++s) {
      if (s == slot) result = value[s];
    }
    return result;
  }
  __device__ __forceinline__ void set(int slot, const Pack<W, T>& x) {
#pragma unroll
    for (int s = 0; s < S; ++s) {
      if (s == slot) value[s] = x;
    }
  }
};

template <int W, bool kHalves, typename T>
__device__ __forceinline__ Pack<W, T> load(const ElementwiseArgs& args, int input,
                                           const Coordinates& coordinates, std::int64_t left) {
  const ElementwiseInput& from = args.input[input];
  const std::int64_t offset = offset_of(args, input, coordinates);
  if constexpr (W > 1) {
    return load_along<W, kHalves>(from.type, from.data, offset, from.strides[args.rank - 1], left);
  } else {
    if (from.truth) return {{truth<T>(is_true(from.type, from.data, offset))}};
    return {{load_as<T>(from.type, from.data, offset)}};
  }
}

template <typename T>
__device__ __forceinline__ T number_of(const ElementwiseInstruction& instruction, int place) {
  if constexpr (std::is_same_v<T, float>) {
    return instruction.floats[place];
  } else {
    return convert<T>(instruction.numbers[place]);
  }
}

template <int W, typename T>
__device__ __forceinline__ Pack<W, T> repeated(T x) {
  Pack<W, T> r;
#pragma unroll
  for (int i = 0; i < W; ++i) r.v[i] = x;
  return r;
}

// What of W elements is at hand.
template <int W, int S, typename T>
struct Values {
  Pack<W, T> last{};
  Slots<W, S, T> slots{};
};

template <int W, int S, bool kHalves, typename T>
__device__ __forceinline__ Pack<W, T> operand(const ElementwiseArgs& args, const ElementwiseInstruction& now,
                                              const ElementwiseOperand& from, int place,
                                              const Values<W, S, T>& values, const Coordinates& coordinates,
                                              std::int64_t left) {
  switch (from.source) {
    case ElementSource::input:
      return load<W, kHalves, T>(args, from.index, coordinates, left);
    case ElementSource::number:
      return repeated<W, T>(number_of<T>(now, place));
    case ElementSource::slot:
      return values.slots.get(from.index);
    default:
      return values.last;
  }
}

template <int W, typename T>
__device__ __forceinline__ Pack<W, T> function(const ElementwiseInstruction& now, const Pack<W, T>& a,
                                               const Pack<W, T>& b, const Pack<W, T>& last) {
  if (now.op == ElementOp::select) {
    Pack<W, T> r;
#pragma unroll
    for (int i = 0; i < W; ++i) r.v[i] = last.v[i] != T(0) ? a.v[i] : b.v[i];
    return r;
  }
  if constexpr (std::is_integral_v<T>) {
    return whole_function(now.op, a, b, now.numbers[0], now.numbers[1]);
  } else {
    return real_function<W == 1>(now.op, a, b, number_of<T>(now, 0), number_of<T>(now, 1));
  }
}

// The last value of elements [i, i + W).
template <int W, int S, bool kHalves, typename T>
__device__ __forceinline__ Pack<W, T> result_of(const ElementwiseArgs& args, std::int64_t i,
                                                std::int64_t left, bool is_small) {
  const Coordinates coordinates = coordinates_of(args, i, is_small);
  Values<W, S, T> values;
#pragma unroll 1
  for (int k = 0; k < args.instructions; ++k) {
    const ElementwiseInstruction& now = args.program[k];
    const Pack<W, T> a = operand<W, S, kHalves, T>(args, now, now.a, 0, values, coordinates, left);
    const Pack<W, T> b = operand<W, S, kHalves, T>(args, now, now.b, 1, values, coordinates, left);
    values.last = function<W, T>(now, a, b, values.last);
    if (now.slot != kNoSlot) values.slots.set(now.slot, values.last);
  }
  return values.last;
}

// All types, an element a thread.
template <typename T>
__global__ void __launch_bounds__(kBlock) element_kernel(ElementwiseArgs args, std::int64_t count) {
  const bool is_small = count <= 0x7fffffff;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const Pack<1, T> x = result_of<1, kElementwiseSlots, true, T>(args, i, 1, is_small);
    store_as(args.out, args.dst, i, x.v[0]);
  }
}

// Floats of 32 bits, or of 16 too, and common functions: W elements a thread, S values kept at a time.
template <int W, int S, bool kHalves>
__global__ void __launch_bounds__(kBlock) vector_kernel(ElementwiseArgs args, std::int64_t count) {
  const bool is_small = count <= 0x7fffffff;
  for (std::int64_t i = W * simt::first_index(); i < count; i += W * simt::grid_step()) {
    const Pack<W, float> x = result_of<W, S, kHalves, float>(args, i, count - i, is_small);
    store_along<W, kHalves>(args.out, args.dst, i, x, count - i);
  }
}

// Programs that keep no values, of inputs that lie as the output does and are of its type: two vectors a
// thread, the second a grid's step further. The first two inputs are on their way before the program begins.
constexpr int kReadAhead = 2;
constexpr int kFlatBlock = 128;  ///< five of them have 96 registers to a thread

template <typename T>
struct FlatVectors {
  static constexpr int kWidth = 2 * kVector<T>;
  uint4 words[2];

  __device__ __forceinline__ void load(const ElementwiseInput& input, std::uint32_t first,
                                       std::uint32_t second) {
    words[0] = *reinterpret_cast<const uint4*>(static_cast<const T*>(input.data) + first);
    words[1] = *reinterpret_cast<const uint4*>(static_cast<const T*>(input.data) + second);
  }
  __device__ __forceinline__ Pack<kWidth, float> floats() const {
    const std::uint32_t all[8] = {words[0].x, words[0].y, words[0].z, words[0].w,
                                  words[1].x, words[1].y, words[1].z, words[1].w};
    Pack<kWidth, float> r;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        r.v[i] = simt::bits_float(all[i]);
      } else {
        r.v[i] = to_float(T{static_cast<std::uint16_t>(all[i / 2] >> (i % 2 * 16))});
      }
    }
    return r;
  }
};

template <typename T>
__device__ __forceinline__ Pack<2 * kVector<T>, float> flat_operand(const ElementwiseArgs& args,
                                                                    const ElementwiseInstruction& now,
                                                                    const ElementwiseOperand& from, int place,
                                                                    const FlatVectors<T> (&ahead)[kReadAhead],
                                                                    std::uint32_t first, std::uint32_t second,
                                                                    const Pack<2 * kVector<T>, float>& last) {
  if (from.source == ElementSource::number) return repeated<2 * kVector<T>>(number_of<float>(now, place));
  if (from.source != ElementSource::input) return last;
  FlatVectors<T> vectors = from.index == 0 ? ahead[0] : ahead[1];
  if (from.index >= kReadAhead) vectors.load(args.input[from.index], first, second);
  return vectors.floats();
}

template <typename T>
__device__ __forceinline__ void store_flat(void* dst, std::uint32_t at, const Pack<2 * kVector<T>, float>& x,
                                           int from) {
  float some[kVector<T>];
#pragma unroll
  for (int i = 0; i < kVector<T>; ++i) some[i] = x.v[from + i];
  store_vector(static_cast<T*>(dst) + at, some);
}

template <typename T>
__global__ void __launch_bounds__(kFlatBlock, 5) flat_kernel(ElementwiseArgs args, std::uint32_t count) {
  constexpr int kWidth = 2 * kVector<T>;
  const std::uint32_t step = kVector<T> * static_cast<std::uint32_t>(simt::grid_step());
  for (std::uint32_t i = kVector<T> * static_cast<std::uint32_t>(simt::first_index()); i < count;
       i += 2 * step) {
    const std::uint32_t second = i + step < count ? i + step : i;
    FlatVectors<T> ahead[kReadAhead];
    // A program of one input reads it twice, which costs nothing.
    ahead[0].load(args.input[0], i, second);
    ahead[1].load(args.input[args.inputs > 1 ? 1 : 0], i, second);
    Pack<kWidth, float> last{};
#pragma unroll 1
    for (int k = 0; k < args.instructions; ++k) {
      const ElementwiseInstruction& now = args.program[k];
      const Pack<kWidth, float> a = flat_operand<T>(args, now, now.a, 0, ahead, i, second, last);
      const Pack<kWidth, float> b = flat_operand<T>(args, now, now.b, 1, ahead, i, second, last);
      last = function<kWidth, float>(now, a, b, last);
    }
    store_flat<T>(args.dst, i, last, 0);
    if (second != i) store_flat<T>(args.dst, second, last, kVector<T>);
  }
}

bool is_half(ElementType type) {
  return type == ElementType::float16 || type == ElementType::bfloat16;
}

/// Whether `width` neighbours can be accessed at once.
bool is_aligned_for(int width, ElementType type, const void* data) {
  const std::size_t bytes = static_cast<std::size_t>(width) * (is_half(type) ? 2 : 4);
  return reinterpret_cast<std::uintptr_t>(data) % (bytes < 16 ? bytes : 16) == 0;
}

bool reads_along(const ElementwiseInput& input, int rank, int width) {
  if ((input.type != ElementType::float32 && !is_half(input.type)) || input.truth) return false;
  const std::int64_t along = input.strides[static_cast<std::size_t>(rank - 1)];
  if (along == 0) return true;
  for (int d = 0; d + 1 < rank; ++d) {
    if (input.strides[static_cast<std::size_t>(d)] % width != 0) return false;
  }
  return along == 1 && is_aligned_for(width, input.type, input.data);
}

bool fits_vectors(const ElementwiseArgs& args, int width) {
  const bool is_float = args.out == ElementType::float32 || is_half(args.out);
  if (args.compute != ElementType::float32 || !is_float) return false;
  if (!is_aligned_for(width, args.out, args.dst)) return false;
  // Of one dimension, the last elements may be fewer.
  if (args.rank > 1 && args.sizes[static_cast<std::size_t>(args.rank - 1)] % width != 0) return false;
  for (int i = 0; i < args.inputs; ++i) {
    if (!reads_along(args.input[static_cast<std::size_t>(i)], args.rank, width)) return false;
  }
  for (int k = 0; k < args.instructions; ++k) {
    if (!is_common(args.program[static_cast<std::size_t>(k)].op)) return false;
  }
  return true;
}

/// Eight elements are 16 bytes of halves; more than two kept values of eight would not fit into registers.
constexpr int kWideSlots = 2;
bool has_halves(const ElementwiseArgs& args) {
  bool halves = is_half(args.out);
  for (int i = 0; i < args.inputs; ++i) halves |= is_half(args.input[static_cast<std::size_t>(i)].type);
  return halves;
}
bool fits_eight(const ElementwiseArgs& args) {
  for (int k = 0; k < args.instructions; ++k) {
    const std::uint8_t slot = args.program[static_cast<std::size_t>(k)].slot;
    if (slot != kNoSlot && slot >= kWideSlots) return false;
  }
  return fits_vectors(args, 8);
}

/// Whether flat_kernel() runs the program. Precondition: fits_vectors() of a vector of the output's type.
bool is_flat(const ElementwiseArgs& args, int width) {
  constexpr std::int64_t kCounted = std::int64_t{1} << 31;  // by the kernel
  if (args.rank != 1 || args.inputs == 0 || args.sizes[0] % width != 0 || args.sizes[0] >= kCounted)
    return false;
  for (int i = 0; i < args.inputs; ++i) {
    const ElementwiseInput& input = args.input[static_cast<std::size_t>(i)];
    if (input.type != args.out || input.strides[0] != 1) return false;
  }
  for (int k = 0; k < args.instructions; ++k) {
    const ElementwiseInstruction& now = args.program[static_cast<std::size_t>(k)];
    if (now.slot != kNoSlot || now.a.source == ElementSource::slot || now.b.source == ElementSource::slot)
      return false;
  }
  return true;
}

template <typename T>
Status launch_flat(const ElementwiseArgs& args, const Stream& stream) {
  const std::int64_t count = args.elements(), threads = (count / kVector<T> + 1) / 2;
  return simt::launch(flat_kernel<T>, simt::grid_for(threads, kFlatBlock), kFlatBlock, 0, stream, args,
                      static_cast<std::uint32_t>(count));
}

template <int W, int S, bool kHalves>
Status launch_vectors(const ElementwiseArgs& args, const Stream& stream) {
  const std::int64_t count = args.elements();
  return simt::launch(vector_kernel<W, S, kHalves>, simt::grid_for((count + W - 1) / W, kBlock), kBlock, 0,
                      stream, args, count);
}

template <typename T>
Status launch_elements(const ElementwiseArgs& args, const Stream& stream) {
  const std::int64_t count = args.elements();
  return simt::launch(element_kernel<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count);
}

}  // namespace

Status elementwise(const ElementwiseArgs& args, const Stream& stream) {
  const bool halves = has_halves(args);
  const int width = is_half(args.out) ? 8 : 4;
  if (fits_vectors(args, width) && is_flat(args, width)) {
    if (args.out == ElementType::float16) return launch_flat<StoredFloat16>(args, stream);
    return args.out == ElementType::bfloat16 ? launch_flat<StoredBFloat16>(args, stream)
                                             : launch_flat<float>(args, stream);
  }
  if (halves && fits_eight(args)) return launch_vectors<8, kWideSlots, true>(args, stream);
  if (fits_vectors(args, 4)) {
    return halves ? launch_vectors<4, kElementwiseSlots, true>(args, stream)
                  : launch_vectors<4, kElementwiseSlots, false>(args, stream);
  }
  switch (args.compute) {
    case ElementType::float64:
      return launch_elements<double>(args, stream);
    case ElementType::int32:
      return launch_elements<std::int32_t>(args, stream);
    case ElementType::int64:
      return launch_elements<std::int64_t>(args, stream);
    default:
      return launch_elements<float>(args, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
