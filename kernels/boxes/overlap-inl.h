// Boxes as corners, and the intersection of two. For the kernels that compare boxes.
#pragma once

#include "kernels/boxes/boxes.h"

namespace mxinfer::kernels {

/// The box of four numbers in either format.
template <typename A, typename T>
CornerBox<A> corner_box(const T* box, BoxFormat format) {
  const A a = static_cast<A>(box[0]), b = static_cast<A>(box[1]), c = static_cast<A>(box[2]),
          d = static_cast<A>(box[3]);
  const bool corner = format == BoxFormat::corner;
  const A width = corner ? c - a : c, height = corner ? d - b : d;
  const A area = width < 0 || height < 0 ? A(0) : width * height;
  if (corner) return {a, b, c, d, area};
  return {a - c / 2, b - d / 2, a + c / 2, b + d / 2, area};
}

/// The length that [a1, a2] and [b1, b2] share, each `more` longer than the difference of its ends.
template <typename A>
A shared_length(A a1, A a2, A b1, A b2, A more = 0) {
  const A length = (a2 < b2 ? a2 : b2) - (a1 > b1 ? a1 : b1) + more;
  return length > 0 ? length : A(0);
}

template <typename A>
A shared_area(const CornerBox<A>& a, const CornerBox<A>& b, A more = 0) {
  return shared_length(a.x1, a.x2, b.x1, b.x2, more) * shared_length(a.y1, a.y2, b.y1, b.y2, more);
}

}  // namespace mxinfer::kernels
