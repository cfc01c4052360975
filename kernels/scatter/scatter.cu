#include <algorithm>
#include <cstring>

#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/index_array.h"
#include "kernels/scatter/scatter_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

__global__ void __launch_bounds__(kBlock) forget_rows(ChosenRows chosen, std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) chosen.last[i] = -1;
}

/// The row of dst that index k names; `rows` if it is outside.
__device__ __forceinline__ std::int64_t row_of(const ScatterArgs& args, const IndexArray& indices,
                                               std::int64_t k, std::int64_t rows) {
  std::int64_t row = 0;
  for (int d = 0; d < args.rank; ++d) {
    const std::int64_t index = index_at(indices, d * args.count + k);
    if (index < 0 || index >= args.size[d]) return rows;
    row += index * args.stride[d];
  }
  return row;
}

/// The largest of several, in whichever order they come: the same in every call.
__global__ void __launch_bounds__(kBlock)
    choose_rows(ScatterArgs args, IndexArray indices, std::int64_t rows, ChosenRows chosen) {
  for (std::int64_t k = simt::first_index(); k < args.count; k += simt::grid_step())
    atomicMax(&chosen.last[row_of(args, indices, k, rows)], static_cast<std::int32_t>(k));
}

/// A thread has a word of a row: `words` in each, `count` in dst.
template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock)
    write_rows(ChosenRows chosen, std::int64_t rows, Index words, Index count, T outside, const T* base,
               const T* src, T* dst) {
  const bool fits = chosen.last[rows] < 0;
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const std::int64_t k = chosen.last[i / words];
    T word = outside;
    if (fits && k >= 0) word = src[k * words + i % words];
    if (fits && k < 0) word = base != nullptr ? base[i] : T{};
    dst[i] = word;
  }
}

__global__ void __launch_bounds__(kBlock)
    fill_rows(IndexArray indices, std::int64_t width, std::int64_t count, const float* values,
              const float* src, float* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step())
    dst[i] = index_at(indices, i / width) == i % width ? values[i / width] : src[i];
}

/// The bytes of the widest word that the rows of all three arrays consist of.
std::size_t word_of_rows(std::size_t row_bytes, const void* base, const void* src, const void* dst) {
  return std::min(widest_word(row_bytes, src, dst), widest_word(row_bytes, base, dst));
}

}  // namespace

Status scatter(const ScatterArgs& args, std::int64_t rows, const IndexArray& indices, const void* base,
               const void* src, void* dst, void* scratch, const Stream& stream) {
  Scratch memory(scratch);
  const ChosenRows chosen = chosen_rows(memory, rows);
  Status status =
      simt::launch(forget_rows, simt::grid_for(rows + 1, kBlock), kBlock, 0, stream, chosen, rows + 1);
  if (status != kSuccess) return status;
  status = simt::launch(choose_rows, simt::grid_for(args.count, kBlock), kBlock, 0, stream, args, indices,
                        rows, chosen);
  if (status != kSuccess) return status;
  const std::size_t bytes = word_of_rows(args.row_bytes, base, src, dst);
  const auto words = static_cast<std::int64_t>(args.row_bytes / bytes), count = rows * words;
  return with_word(bytes, [&](auto word) {
    return with_index(count, [&](auto index) {
      using T = decltype(word);
      using Index = decltype(index);
      T outside;
      std::memset(&outside, 0xFF, sizeof outside);
      return simt::launch(write_rows<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream, chosen,
                          rows, static_cast<Index>(words), static_cast<Index>(count), outside,
                          static_cast<const T*>(base), static_cast<const T*>(src), static_cast<T*>(dst));
    });
  });
}

Status fill_element(std::int64_t rows, std::int64_t width, const IndexArray& indices, const float* values,
                    const float* src, float* dst, const Stream& stream) {
  const std::int64_t count = rows * width;
  return simt::launch(fill_rows, simt::grid_for(count, kBlock), kBlock, 0, stream, indices, width, count,
                      values, src, dst);
}

}  // namespace mxinfer::kernels::cuda
