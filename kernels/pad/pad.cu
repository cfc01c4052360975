#include "kernels/cuda/dispatch.h"
#include "kernels/pad/pad_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// The source index for position i of a dimension, -1 if it is the constant.
__device__ __forceinline__ std::int64_t source_index(PadMode mode, std::int64_t i, std::int64_t size) {
  if (i >= 0 && i < size) return i;
  if (mode == PadMode::constant) return -1;
  if (mode == PadMode::edge) return i < 0 ? 0 : size - 1;
  if (size == 1) return 0;
  const bool ends_twice = mode == PadMode::symmetric;
  const std::int64_t period = ends_twice ? 2 * size : 2 * (size - 1);
  if (i < 0) i = -i - ends_twice;
  if (i >= period) i %= period;
  return i < size ? i : period - i - ends_twice;
}

template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock)
    pad_elements(PadArgs args, Index count, T value, const T* src, T* dst) {
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    std::int64_t from = 0, stride = 1;
    Index rest = i;
    for (int d = args.rank - 1; d >= 0 && from >= 0; --d) {
      const auto size = static_cast<Index>(args.out[d]);
      const Index next = rest / size;
      const std::int64_t at =
          source_index(args.mode, static_cast<std::int64_t>(rest - next * size) - args.before[d], args.in[d]);
      from = at < 0 ? -1 : from + at * stride;
      stride *= args.in[d];
      rest = next;
    }
    dst[i] = from < 0 ? value : src[from];
  }
}

bool is_whole(const PadArgs& args, int d) {
  return args.before[d] == 0 && args.in[d] == args.out[d];
}

/// The same with neighbouring dimensions as one where neither is padded.
PadArgs merged(const PadArgs& args) {
  PadArgs result = args;
  result.rank = 0;
  for (int d = 0; d < args.rank; ++d) {
    const int last = result.rank - 1;
    if (last >= 0 && is_whole(args, d) && is_whole(result, last)) {
      result.in[last] *= args.in[d];
      result.out[last] *= args.out[d];
      continue;
    }
    result.in[result.rank] = args.in[d];
    result.out[result.rank] = args.out[d];
    result.before[result.rank] = args.before[d];
    ++result.rank;
  }
  return result;
}

}  // namespace

Status pad(const PadArgs& args, std::size_t element_bytes, const void* src, void* dst, const Stream& stream) {
  std::int64_t count = 1;
  for (int d = 0; d < args.rank; ++d) count *= args.out[d];
  return with_element(element_bytes, [&](auto zero) {
    using T = decltype(zero);
    return with_index(count, [&](auto index) {
      using Index = decltype(index);
      return simt::launch(pad_elements<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream,
                          merged(args), static_cast<Index>(count), element_of<T>(args.value),
                          static_cast<const T*>(src), static_cast<T*>(dst));
    });
  });
}

}  // namespace mxinfer::kernels::cuda
