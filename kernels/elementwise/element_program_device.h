// What the kernels of elementwise_cuda.h share: the values of a program's instructions for some elements of
// its output.
#pragma once

#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/stored_floats.h"
#include "kernels/elementwise/element_functions_device.h"
#include "kernels/elementwise/elementwise_cuda.h"

namespace mxinfer::kernels::cuda {

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

}  // namespace mxinfer::kernels::cuda
