#include "kernels/elementwise/element_program_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

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
