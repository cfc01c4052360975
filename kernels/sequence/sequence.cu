#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/index_array.h"
#include "kernels/sequence/sequence_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

struct Place {
  std::int64_t step, batch;
};

__device__ __forceinline__ Place place_of(const SequenceArgs& args, std::int64_t row) {
  if (args.batch_first) return {row % args.steps, row / args.steps};
  return {row / args.batch, row % args.batch};
}

template <typename T>
__global__ void __launch_bounds__(kBlock)
    mask_elements(SequenceArgs args, IndexArray lengths, std::int64_t count, T value, const T* src, T* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const Place place = place_of(args, i / args.inner);
    dst[i] = place.step < index_at(lengths, place.batch) ? src[i] : value;
  }
}

template <typename T>
__global__ void __launch_bounds__(kBlock)
    reverse_elements(SequenceArgs args, IndexArray lengths, std::int64_t count, const T* src, T* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t row = i / args.inner;
    const Place place = place_of(args, row);
    std::int64_t length = args.steps;
    if (lengths.data != nullptr) {
      const std::int64_t given = index_at(lengths, place.batch);
      if (given < length) length = given;
    }
    const std::int64_t step = place.step < length ? length - 1 - place.step : place.step;
    const std::int64_t from = row + (step - place.step) * (args.batch_first ? 1 : args.batch);
    dst[i] = src[from * args.inner + i % args.inner];
  }
}

}  // namespace

Status sequence_mask(const SequenceArgs& args, const IndexArray& lengths, const void* src, void* dst,
                     const Stream& stream) {
  const std::int64_t count = args.steps * args.batch * args.inner;
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    return simt::launch(mask_elements<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, args, lengths,
                        count, element_of<T>(args.value), static_cast<const T*>(src), static_cast<T*>(dst));
  };
  return with_element(args.element_bytes, run);
}

Status sequence_reverse(const SequenceArgs& args, const IndexArray& lengths, const void* src, void* dst,
                        const Stream& stream) {
  const std::size_t row_bytes = static_cast<std::size_t>(args.inner) * args.element_bytes;
  const std::size_t bytes = widest_word(row_bytes, src, dst);
  SequenceArgs words = args;
  words.inner = static_cast<std::int64_t>(row_bytes / bytes);
  const std::int64_t count = words.steps * words.batch * words.inner;
  return with_word(bytes, [&](auto word) {
    using T = decltype(word);
    return simt::launch(reverse_elements<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, words, lengths,
                        count, static_cast<const T*>(src), static_cast<T*>(dst));
  });
}

}  // namespace mxinfer::kernels::cuda
