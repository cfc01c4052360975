// An array as lines along the attribute axis, or as one line without it, and the places on a line that an
// index or a slice names.
#pragma once

#include "ops/common/axes.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct Lines {
  /// Without the attribute axis, of the flattened array.
  Lines(const Attrs& attrs, const Shape& of);

  std::int64_t outer() const { return shape.elements(0, axis); }
  std::int64_t length() const { return shape[axis]; }
  std::int64_t inner() const { return shape.elements(axis + 1, shape.rank()); }
  Shape with_length(std::int64_t length) const;

  Shape shape;
  std::size_t axis = 0;
};

/// int_ind, start, stop, step, axis.
std::vector<AttrSpec> places_attrs();
/// Whether the attributes name places, rather than an input.
bool has_places(const Attrs& attrs);
/// The places that int_ind or the slice names on a line, in its order; `behind`: the one behind its end is
/// one. Error(invalid_argument) for an index outside.
Range places_of(const Attrs& attrs, std::int64_t length, bool behind);

}  // namespace mxinfer::ops
