// Shape: the sizes of a tensor's dimensions, outermost first. It stores up to 16 of them in place, so passing
// shapes around allocates no memory.
//
//   mxinfer::Shape shape{1, 3, 224, 224};
//   shape[1];             // 3
//   shape.elements();     // 150528
//   to_string(shape);     // "(1, 3, 224, 224)"
//
// In a DataDesc, a dimension of -1 is free. In a tensor, every dimension is 0 or more.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The sizes of the dimensions.
class MXINFER_API Shape {
 public:
  /// The largest number of dimensions.
  static constexpr std::size_t kMaxRank = 16;

  /// A shape of rank 0.
  Shape() noexcept = default;
  /// Throws Error(unsupported) if there are more than kMaxRank dimensions.
  Shape(std::initializer_list<std::int64_t> dims);
  explicit Shape(Span<const std::int64_t> dims);

  /// The number of dimensions; size() is another name for it.
  std::size_t rank() const noexcept { return rank_; }
  std::size_t size() const noexcept { return rank_; }
  bool empty() const noexcept { return rank_ == 0; }
  /// The dimension at index i. Precondition: i < rank().
  std::int64_t operator[](std::size_t i) const noexcept { return dims_[i]; }
  std::int64_t& operator[](std::size_t i) noexcept { return dims_[i]; }
  /// The innermost dimension. Precondition: !empty().
  std::int64_t back() const noexcept { return dims_[rank_ - 1]; }
  const std::int64_t* data() const noexcept { return dims_; }
  const std::int64_t* begin() const noexcept { return dims_; }
  const std::int64_t* end() const noexcept { return dims_ + rank_; }

  /// Appends a dimension. Throws Error(unsupported) if there are kMaxRank already.
  void push_back(std::int64_t dim);
  /// Inserts a dimension before index i, which is 0 to rank(). Throws as push_back().
  void insert(std::size_t i, std::int64_t dim);
  /// Removes the dimension at index i.
  void erase(std::size_t i);

  /// Returns the number of elements, which is 1 for rank 0. Throws Error(invalid_argument) if a dimension is
  /// negative or the number exceeds 2^63 - 1.
  std::int64_t elements() const;
  /// Returns the product of the dimensions [first, last). Throws as elements().
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

/// Returns the shape as Python prints a tuple: "()", "(3,)", "(1, 3, 224, 224)".
MXINFER_API std::string to_string(const Shape& shape);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
