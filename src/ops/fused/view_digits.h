// How a walk over some of an array's elements advances along the array's axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mxinfer::ops {

/// Elements offset + sum(i_d * strides[d]) of an array, along the dimensions of a walk.
struct ViewAccess {
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
};

/// An axis of an array that lies row-major: elements from one place to the next, and how many places.
struct ViewAxis {
  std::int64_t stride = 1, size = 1;
};

/// What a walk has to become before it can go on: dimension `dim` becomes two, the inner of `at` places; or
/// two walks, the first of `at` places.
struct ViewChange {
  enum class Kind : std::uint8_t { none, split, cut, impossible };
  Kind kind = Kind::none;
  std::size_t dim = 0;
  std::int64_t at = 0;
};

struct ViewDigits {
  ViewChange change{};
  static constexpr std::size_t kNoAxis = static_cast<std::size_t>(-1);
  std::vector<std::size_t> axis;    ///< by dimension of the walk: along which it goes, or kNoAxis
  std::vector<std::int64_t> step;   ///< by dimension of the walk: places along that axis
  std::vector<std::int64_t> first;  ///< by axis: where the walk begins

  /// The largest place of an axis.
  std::int64_t last(std::size_t a, const std::vector<std::int64_t>& sizes) const;
};

/// `axes` from the outermost on; each stride is the product of the next axis's stride and size. All places
/// are inside of the array.
ViewDigits view_digits(const std::vector<std::int64_t>& sizes, const ViewAccess& access,
                       const std::vector<ViewAxis>& axes);

/// The change that leaves an axis's places on one side of `border`; impossible if there is none.
ViewChange cut_at_border(const std::vector<std::int64_t>& sizes, const ViewDigits& digits, std::size_t axis,
                         std::int64_t border);

}  // namespace mxinfer::ops
