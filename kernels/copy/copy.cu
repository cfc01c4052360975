#include "kernels/copy/copy_cuda.h"
#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

struct Place {
  std::int64_t src, dst;
};

/// Where element i of the walk is on both sides.
__device__ __forceinline__ Place place_of(const CopyArgs& args, std::int64_t i) {
  Place place{args.src_offset, args.dst_offset};
  for (int d = args.rank - 1; d >= 0; --d) {
    const std::int64_t next = i / args.dims[d];
    const std::int64_t at = i - next * args.dims[d];
    place.src += at * args.src_strides[d];
    place.dst += at * args.dst_strides[d];
    i = next;
  }
  return place;
}

template <typename T>
__global__ void copy_kernel(CopyArgs args, std::int64_t count, const T* src, T* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const Place place = place_of(args, i);
    dst[place.dst] = src[place.src];
  }
}

template <typename T>
__global__ void fill_kernel(CopyArgs args, std::int64_t count, T element, T* dst) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step())
    dst[place_of(args, i).dst] = element;
}

/// Calls body with an element of the type that has so many bytes.
template <typename Body>
Status with_element(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1:
      return body(std::uint8_t{});
    case 2:
      return body(std::uint16_t{});
    case 4:
      return body(std::uint32_t{});
    default:
      return body(std::uint64_t{});
  }
}

}  // namespace

Status strided_copy(const CopyArgs& simplified, std::size_t element_bytes, const void* src, void* dst,
                    const Stream& stream) {
  const std::int64_t count = simplified.elements();
  return with_element(element_bytes, [&](auto element) {
    using T = decltype(element);
    return simt::launch(copy_kernel<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, simplified, count,
                        static_cast<const T*>(src), static_cast<T*>(dst));
  });
}

Status strided_fill(const CopyArgs& simplified, std::size_t element_bytes, std::uint64_t element, void* dst,
                    const Stream& stream) {
  const std::int64_t count = simplified.elements();
  return with_element(element_bytes, [&](auto zero) {
    using T = decltype(zero);
    return simt::launch(fill_kernel<T>, simt::grid_for(count, kBlock), kBlock, 0, stream, simplified, count,
                        static_cast<T>(element), static_cast<T*>(dst));
  });
}

}  // namespace mxinfer::kernels::cuda
