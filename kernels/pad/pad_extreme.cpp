#include "kernels/pad/pad_extreme.h"

#include <algorithm>
#include <array>

namespace mxinfer::kernels {
namespace {

// A box [first, first + size) of dst, walked without dimension `axis`.
struct ExtremeBox {
  std::array<std::int64_t, kPadMaxRank> first{}, size{}, stride{};
};

// Calls body(offset) for each position of the box with index first[axis] along axis.
template <typename Body>
void for_each_line(const ExtremeBox& box, int rank, int axis, const Body& body) {
  std::array<std::int64_t, kPadMaxRank> index{};
  std::int64_t offset = 0;
  for (int d = 0; d < rank; ++d) {
    if (d != axis && box.size[d] == 0) return;
    offset += box.first[d] * box.stride[d];
  }
  while (true) {
    body(offset);
    int d = rank - 1;
    for (; d >= 0; --d) {
      if (d == axis) continue;
      offset += box.stride[d];
      if (++index[d] < box.size[d]) break;
      offset -= box.size[d] * box.stride[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

template <typename T>
bool is_beyond(bool largest, T a, T b) {
  const auto x = static_cast<Arithmetic<T>>(a), y = static_cast<Arithmetic<T>>(b);
  return largest ? x > y : x < y;
}

template <typename T, bool kLargest>
void pad_extreme(const PadArgs& args, const void* src, void* dst) {
  const T* from = static_cast<const T*>(src);
  T* to = static_cast<T*>(dst);
  const int rank = args.rank, last = rank - 1;
  ExtremeBox box;
  std::int64_t stride = 1;
  for (int d = last; d >= 0; --d) {
    box.first[d] = args.before[d];
    box.size[d] = args.in[d];
    box.stride[d] = stride;
    stride *= args.out[d];
  }
  for_each_line(box, rank, last, [&](std::int64_t offset) {
    std::copy_n(from, args.in[last], to + offset);
    from += args.in[last];
  });
  // Each dimension over those padded before it, and over the inside of those behind.
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t step = box.stride[axis], size = args.in[axis], before = args.before[axis];
    if (args.out[axis] == size) continue;
    for_each_line(box, rank, axis, [&](std::int64_t offset) {
      T* inside = to + offset;
      T extreme = inside[0];
      for (std::int64_t i = 1; i < size; ++i) {
        if (is_beyond<T>(kLargest, inside[i * step], extreme)) extreme = inside[i * step];
      }
      for (std::int64_t i = -before; i < 0; ++i) inside[i * step] = extreme;
      for (std::int64_t i = size; i < args.out[axis] - before; ++i) inside[i * step] = extreme;
    });
    box.first[axis] = 0;
    box.size[axis] = args.out[axis];
  }
}

template <bool kLargest>
constexpr PerType<PadExtremeFn> kPadExtreme = {
    pad_extreme<float, kLargest>,        pad_extreme<double, kLargest>,
    pad_extreme<Float16, kLargest>,      pad_extreme<std::uint8_t, kLargest>,
    pad_extreme<std::int32_t, kLargest>, pad_extreme<std::int8_t, kLargest>,
    pad_extreme<std::int64_t, kLargest>, nullptr};

}  // namespace

PadExtremeFn select_pad_extreme(bool largest, ElementType type) {
  return largest ? pick(kPadExtreme<true>, type) : pick(kPadExtreme<false>, type);
}

}  // namespace mxinfer::kernels
