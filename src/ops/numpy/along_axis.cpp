#include "ops/numpy/along_axis.h"

namespace mxinfer::ops {

Lines::Lines(const Attrs& attrs, const Shape& of) : shape(of) {
  if (attrs.has("axis")) {
    axis = resolve_axis("axis", attrs.integer("axis"), of.rank());
  } else {
    shape = Shape{of.elements()};
  }
}

Shape Lines::with_length(std::int64_t length) const {
  Shape result = shape;
  result[axis] = length;
  return result;
}

std::vector<AttrSpec> places_attrs() {
  std::vector<AttrSpec> attrs;
  for (const char* name : {"int_ind", "start", "stop", "step", "axis"})
    attrs.push_back(integer_attr(name).optional_none());
  return attrs;
}

bool has_places(const Attrs& attrs) {
  return attrs.has("int_ind") || attrs.has("start") || attrs.has("stop") || attrs.has("step");
}

Range places_of(const Attrs& attrs, std::int64_t length, bool behind) {
  if (attrs.has("int_ind")) {
    const std::int64_t index = attrs.integer("int_ind"), place = index < 0 ? index + length : index;
    if (place < 0 || place >= length + (behind ? 1 : 0)) {
      fail(ErrorCode::invalid_argument, "int_ind=", index, " is outside the ", length,
           " elements of the axis");
    }
    return {place, 1, 1};
  }
  Attrs slice;
  for (const auto& [from, to] : {std::pair{"start", "begin"}, {"stop", "end"}, {"step", "step"}}) {
    graph::IntTuple entry{std::nullopt};
    if (attrs.has(from)) entry[0] = attrs.integer(from);
    slice.set(to, std::move(entry));
  }
  return slice_ranges(slice, Shape{length})[0];
}

}  // namespace mxinfer::ops
