#include <cstring>

#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/index_array.h"
#include "kernels/take/take_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// Which row of src a row of dst is.
struct TakeRow {
  TakeArgs args;
  IndexArray indices;
  __device__ __forceinline__ std::int64_t operator()(std::int64_t row) const {
    return row / args.count * args.size +
           resolve_index(index_at(indices, row % args.count), args.size, args.mode);
  }
};

struct PickRow {
  PickArgs args;
  IndexArray indices;
  bool from_one;
  __device__ __forceinline__ std::int64_t operator()(std::int64_t row) const {
    std::int64_t index = index_at(indices, row);
    if (from_one) index = index > 0 ? index - 1 : -1;
    return (row / args.mid * args.size + resolve_index(index, args.size, args.mode)) * args.mid +
           row % args.mid;
  }
};

/// The same, or -1 where an index is outside.
struct GatherRow {
  GatherArgs args;
  IndexArray indices;
  __device__ __forceinline__ std::int64_t operator()(std::int64_t row) const {
    std::int64_t from = 0;
    for (int d = 0; d < args.rank; ++d) {
      std::int64_t index = index_at(indices, d * args.count + row);
      if (index < 0) index += args.size[d];
      if (index < 0 || index >= args.size[d]) return -1;
      from += index * args.stride[d];
    }
    return from;
  }
};

/// A thread has a word of a row: `words` in each, `count` in dst.
template <typename Row, typename T, typename Index>
__global__ void __launch_bounds__(kBlock) copy_rows(Row row, Index words, Index count, const T* src, T* dst) {
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step()))
    dst[i] = src[row(i / words) * words + i % words];
}

/// Likewise; `outside` are the words of a row that is none of src.
template <typename T, typename Index>
__global__ void __launch_bounds__(kBlock)
    gather_rows(GatherRow row, Index words, Index count, T outside, const T* src, T* dst) {
  for (Index i = static_cast<Index>(simt::first_index()); i < count;
       i += static_cast<Index>(simt::grid_step())) {
    const std::int64_t from = row(i / words);
    dst[i] = from < 0 ? outside : src[from * words + i % words];
  }
}

/// Calls body with a word of the rows of dst, a number of the type that counts all of them, and how many a
/// row has.
template <typename Body>
Status with_words(std::int64_t rows, std::size_t row_bytes, const void* src, const void* dst,
                  const Body& body) {
  const std::size_t bytes = widest_word(row_bytes, src, dst);
  const auto words = static_cast<std::int64_t>(row_bytes / bytes);
  return with_word(bytes, [&](auto word) {
    return with_index(rows * words, [&](auto index) { return body(word, index, words); });
  });
}

template <typename Row>
Status launch_rows(const Row& row, std::int64_t rows, std::size_t row_bytes, const void* src, void* dst,
                   const Stream& stream) {
  return with_words(rows, row_bytes, src, dst, [&](auto word, auto index, std::int64_t words) {
    using T = decltype(word);
    using Index = decltype(index);
    return simt::launch(copy_rows<Row, T, Index>, simt::grid_for(rows * words, kBlock), kBlock, 0, stream,
                        row, static_cast<Index>(words), static_cast<Index>(rows * words),
                        static_cast<const T*>(src), static_cast<T*>(dst));
  });
}

template <typename T>
__global__ void __launch_bounds__(kBlock)
    one_hot_elements(IndexArray indices, std::int64_t depth, std::int64_t count, T on, T off, T* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step())
    dst[i] = index_at(indices, i / depth) == i % depth ? on : off;
}

}  // namespace

Status take(const TakeArgs& args, std::int64_t outer, const IndexArray& indices, const void* src, void* dst,
            const Stream& stream) {
  return launch_rows(TakeRow{args, indices}, outer * args.count, args.row_bytes, src, dst, stream);
}

Status pick(const PickArgs& args, std::int64_t rows, bool from_one, const IndexArray& indices,
            const void* src, void* dst, const Stream& stream) {
  return launch_rows(PickRow{args, indices, from_one}, rows, args.row_bytes, src, dst, stream);
}

Status gather(const GatherArgs& args, const IndexArray& indices, const void* src, void* dst,
              const Stream& stream) {
  return with_words(args.count, args.row_bytes, src, dst, [&](auto word, auto index, std::int64_t words) {
    using T = decltype(word);
    using Index = decltype(index);
    T outside;
    std::memset(&outside, 0xFF, sizeof outside);
    const std::int64_t count = args.count * words;
    return simt::launch(gather_rows<T, Index>, simt::grid_for(count, kBlock), kBlock, 0, stream,
                        GatherRow{args, indices}, static_cast<Index>(words), static_cast<Index>(count),
                        outside, static_cast<const T*>(src), static_cast<T*>(dst));
  });
}

Status one_hot(const OneHotArgs& args, std::int64_t rows, const IndexArray& indices, void* dst,
               const Stream& stream) {
  const std::int64_t count = rows * args.depth;
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    return simt::launch(one_hot_elements<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, indices,
                        args.depth, count, element_of<T>(args.on), element_of<T>(args.off),
                        static_cast<T*>(dst));
  };
  return with_element(args.element_bytes, run);
}

}  // namespace mxinfer::kernels::cuda
