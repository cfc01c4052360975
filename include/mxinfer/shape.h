// Shape: the sizes of a tensor's dimensions, outermost first. It holds up to 16 of them in place, so that
// passing shapes around allocates nothing.
//
//   mxinfer::Shape shape{1, 3, 224, 224};
//   shape[1];             // 3
//   shape.elements();     // 150528
//   to_string(shape);     // "(1, 3, 224, 224)"
//
// In descriptors a dimension of -1 is free. In tensors every dimension is 0 or more.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace mxinfer {
inline namespace MXINFER_ABI {

class MXINFER_API Shape {
 public:
  static constexpr std::size_t kMaxRank = 16;

  Shape() noexcept = default;
  /// Throws Error(unsupported) for more than kMaxRank dimensions.
  Shape(std::initializer_list<std::int64_t> dims);
  explicit Shape(Span<const std::int64_t> dims);

  std::size_t rank() const noexcept { return rank_; }
  std::size_t size() const noexcept { return rank_; }
  bool empty() const noexcept { return rank_ == 0; }
  std::int64_t operator[](std::size_t i) const noexcept { return dims_[i]; }
  std::int64_t& operator[](std::size_t i) noexcept { return dims_[i]; }
  std::int64_t back() const noexcept { return dims_[rank_ - 1]; }
  const std::int64_t* data() const noexcept { return dims_; }
  const std::int64_t* begin() const noexcept { return dims_; }
  const std::int64_t* end() const noexcept { return dims_ + rank_; }

  /// Appends a dimension. Throws Error(unsupported) when kMaxRank are there already.
  void push_back(std::int64_t dim);
  /// Inserts a dimension before index i (0..rank).
  void insert(std::size_t i, std::int64_t dim);
  /// Removes the dimension at index i.
  void erase(std::size_t i);

  /// The number of elements, 1 for rank 0. Throws Error(invalid_argument) if it exceeds 2^63 - 1 or a
  /// dimension is negative.
  std::int64_t elements() const;
  /// The product of dimensions [first, last); the same errors as elements().
  std::int64_t elements(std::size_t first, std::size_t last) const;

  friend bool operator==(const Shape& a, const Shape& b) noexcept {
    if (a.rank_ != b.rank_) return false;
    for (std::size_t i = 0; i < a.rank_; ++i) {
      if (a.dims_[i] != b.dims_[i]) return false;
    }
    return true;
  }
  friend bool operator!=(const Shape& a, const Shape& b) noexcept { return !(a == b); }

 private:
  std::int64_t dims_[kMaxRank] = {};
  std::size_t rank_ = 0;
};

/// As Python prints a tuple: "()", "(3,)", "(1, 3, 224, 224)".
MXINFER_API std::string to_string(const Shape& shape);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
