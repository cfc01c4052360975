#include "kernels/cuda/dispatch.h"
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
      return convert<T>(simt::from_float16(static_cast<const std::uint16_t*>(data)[at]));
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
      static_cast<std::uint16_t*>(data)[at] = simt::to_float16(convert<float>(value));
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

// Four elements of float32 along the last dimension: neighbours, or one that is repeated. Behind the end of
// a tensor, of which `left` elements are left, is nothing to read.
__device__ __forceinline__ Pack<4, float> load_four(const float* data, std::int64_t stride,
                                                    std::int64_t left) {
  if (stride == 0) {
    const float x = *data;
    return {{x, x, x, x}};
  }
  if (left >= 4) {
    const float4 x = simt::load4(data);
    return {{x.x, x.y, x.z, x.w}};
  }
  Pack<4, float> r{};
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    if (i < left) r.v[i] = data[i];
  }
  return r;
}
__device__ __forceinline__ void store_four(float* data, const Pack<4, float>& x, std::int64_t left) {
  if (left >= 4) {
    simt::store4(data, float4{x.v[0], x.v[1], x.v[2], x.v[3]});
    return;
  }
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    if (i < left) data[i] = x.v[i];
  }
}

// The values that are kept: constant indices only, so that they are registers.
template <int W, typename T>
struct Slots {
  Pack<W, T> value[kElementwiseSlots];

  __device__ __forceinline__ Pack<W, T> get(int slot) const {
    Pack<W, T> result = value[0];
#pragma unroll
    for (int s = 1; s < kElementwiseSlots; ++s) {
      if (s == slot) result = value[s];
    }
    return result;
  }
  __device__ __forceinline__ void set(int slot, const Pack<W, T>& x) {
#pragma unroll
    for (int s = 0; s < kElementwiseSlots; ++s) {
      if (s == slot) value[s] = x;
    }
  }
};

template <int W, typename T>
__device__ __forceinline__ Pack<W, T> load(const ElementwiseArgs& args, int input,
                                           const Coordinates& coordinates, std::int64_t left) {
  const ElementwiseInput& from = args.input[input];
  const std::int64_t offset = offset_of(args, input, coordinates);
  if constexpr (W == 4) {
    return load_four(static_cast<const float*>(from.data) + offset, from.strides[args.rank - 1], left);
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

// What of an element, or four, is at hand.
template <int W, typename T>
struct Values {
  Pack<W, T> last{};
  Slots<W, T> slots{};
};

template <int W, typename T>
__device__ __forceinline__ Pack<W, T> operand(const ElementwiseArgs& args, const ElementwiseInstruction& now,
                                              const ElementwiseOperand& from, int place,
                                              const Values<W, T>& values, const Coordinates& coordinates,
                                              std::int64_t left) {
  switch (from.source) {
    case ElementSource::input:
      return load<W, T>(args, from.index, coordinates, left);
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
template <int W, typename T>
__device__ __forceinline__ Pack<W, T> result_of(const ElementwiseArgs& args, std::int64_t i,
                                                std::int64_t left, bool is_small) {
  const Coordinates coordinates = coordinates_of(args, i, is_small);
  Values<W, T> values;
#pragma unroll 1
  for (int k = 0; k < args.instructions; ++k) {
    const ElementwiseInstruction& now = args.program[k];
    const Pack<W, T> a = operand<W, T>(args, now, now.a, 0, values, coordinates, left);
    const Pack<W, T> b = operand<W, T>(args, now, now.b, 1, values, coordinates, left);
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
    const Pack<1, T> x = result_of<1, T>(args, i, 1, is_small);
    store_as(args.out, args.dst, i, x.v[0]);
  }
}

// float32 and common functions, four elements a thread.
__global__ void __launch_bounds__(kBlock) four_kernel(ElementwiseArgs args, std::int64_t count) {
  const bool is_small = count <= 0x7fffffff;
  for (std::int64_t i = 4 * simt::first_index(); i < count; i += 4 * simt::grid_step()) {
    const Pack<4, float> x = result_of<4, float>(args, i, count - i, is_small);
    store_four(static_cast<float*>(args.dst) + i, x, count - i);
  }
}

bool reads_four(const ElementwiseInput& input, int rank) {
  if (input.type != ElementType::float32 || input.truth) return false;
  const std::int64_t along = input.strides[static_cast<std::size_t>(rank - 1)];
  if (along == 0) return true;
  for (int d = 0; d + 1 < rank; ++d) {
    if (input.strides[static_cast<std::size_t>(d)] % 4 != 0) return false;
  }
  return along == 1 && is_vector_aligned(input.data);
}

bool fits_four(const ElementwiseArgs& args) {
  if (args.compute != ElementType::float32 || args.out != ElementType::float32) return false;
  if (!is_vector_aligned(args.dst)) return false;
  // Of one dimension, the last elements may be fewer than four.
  if (args.rank > 1 && args.sizes[static_cast<std::size_t>(args.rank - 1)] % 4 != 0) return false;
  for (int i = 0; i < args.inputs; ++i) {
    if (!reads_four(args.input[static_cast<std::size_t>(i)], args.rank)) return false;
  }
  for (int k = 0; k < args.instructions; ++k) {
    if (!is_common(args.program[static_cast<std::size_t>(k)].op)) return false;
  }
  return true;
}

template <typename T>
Status launch_elements(const ElementwiseArgs& args, const Stream& stream) {
  const std::int64_t count = args.elements();
  return simt::launch(element_kernel<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count);
}

}  // namespace

Status elementwise(const ElementwiseArgs& args, const Stream& stream) {
  if (fits_four(args)) {
    const std::int64_t count = args.elements();
    return simt::launch(four_kernel, simt::grid_for((count + 3) / 4, kBlock), kBlock, 0, stream, args, count);
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
