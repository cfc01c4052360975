// Walking over tensors that broadcast together, row by row.
//
//   const Broadcast<2> walk({&lhs, &rhs}, out);
//   walk.rows(begin, end, [&](const std::array<std::int64_t, 2>& at, std::int64_t dst, std::int64_t n) { ...
//   });
#pragma once

#include <mxinfer/shape.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace mxinfer::ops {

/// N operands read along an output of shape `out`. Neighbouring dimensions that all operands walk alike are
/// merged, so that a row is as long as can be; along a row an operand either advances by 1 or stands still.
template <std::size_t N>
class Broadcast {
 public:
  /// Each shape must broadcast to `out`: aligned at the last dimension, sizes equal or 1.
  Broadcast(const std::array<const Shape*, N>& shapes, const Shape& out);

  /// Whether operand i advances along a row.
  bool advances(std::size_t i) const { return strides_[rank_ - 1][i] != 0; }
  std::int64_t row_length() const { return sizes_[rank_ - 1]; }

  /// Calls body(offsets of the operands, offset in the output, n) for pieces of rows that cover [begin, end)
  /// of the output.
  template <typename Body>
  void rows(std::int64_t begin, std::int64_t end, const Body& body) const;

 private:
  using Offsets = std::array<std::int64_t, N>;
  std::size_t rank_ = 1;
  std::array<std::int64_t, Shape::kMaxRank> sizes_{1};
  std::array<Offsets, Shape::kMaxRank> strides_{};
};

template <std::size_t N>
Broadcast<N>::Broadcast(const std::array<const Shape*, N>& shapes, const Shape& out) {
  rank_ = 0;
  Offsets dense;
  dense.fill(1);
  // From the last dimension outwards; sizes_ and strides_ are filled in that order and reversed at the end.
  for (std::size_t d = 0; d < out.rank(); ++d) {
    const std::int64_t size = out[out.rank() - 1 - d];
    Offsets stride{};
    for (std::size_t i = 0; i < N; ++i) {
      const Shape& shape = *shapes[i];
      const std::int64_t own = d < shape.rank() ? shape[shape.rank() - 1 - d] : 1;
      stride[i] = own == 1 ? 0 : dense[i];
      dense[i] *= own;
    }
    if (size == 1) continue;
    bool merges = rank_ > 0;
    for (std::size_t i = 0; merges && i < N; ++i) {
      merges = stride[i] == strides_[rank_ - 1][i] * sizes_[rank_ - 1];
    }
    if (merges) {
      sizes_[rank_ - 1] *= size;
    } else {
      sizes_[rank_] = size;
      strides_[rank_++] = stride;
    }
  }
  if (rank_ == 0) {  // a single element
    sizes_[0] = 1;
    strides_[0].fill(1);
    rank_ = 1;
  }
  std::reverse(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(rank_));
  std::reverse(strides_.begin(), strides_.begin() + static_cast<std::ptrdiff_t>(rank_));
}

template <std::size_t N>
template <typename Body>
void Broadcast<N>::rows(std::int64_t begin, std::int64_t end, const Body& body) const {
  const std::int64_t length = row_length();
  std::array<std::int64_t, Shape::kMaxRank> index{};
  Offsets base{};
  std::int64_t row = begin / length;
  for (std::size_t d = rank_ - 1; d-- > 0;) {
    index[d] = row % sizes_[d];
    row /= sizes_[d];
    for (std::size_t i = 0; i < N; ++i) base[i] += index[d] * strides_[d][i];
  }
  std::int64_t column = begin % length;
  while (begin < end) {
    const std::int64_t n = std::min(length - column, end - begin);
    Offsets at = base;
    for (std::size_t i = 0; i < N; ++i) at[i] += column * strides_[rank_ - 1][i];
    body(at, begin, n);
    begin += n;
    column = 0;
    for (std::size_t d = rank_ - 1; d-- > 0;) {
      for (std::size_t i = 0; i < N; ++i) base[i] += strides_[d][i];
      if (++index[d] < sizes_[d]) break;
      index[d] = 0;
      for (std::size_t i = 0; i < N; ++i) base[i] -= sizes_[d] * strides_[d][i];
    }
  }
}

}  // namespace mxinfer::ops
