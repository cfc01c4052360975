// Where the inputs of a _foreach go: data, then states, then what stays the same, each to an input of the
// body. The body's outputs are those that are stacked, then the states.
#pragma once

#include "ops/control_flow/control_flow.h"
#include "tensor/data_desc.h"

namespace mxinfer::ops {

/// What the body gets of `data` in one step: a row, which of numbers in a row is one number of shape (1,).
/// Precondition: a rank of 1 at least.
inline Shape step_shape(const Shape& data) {
  return data.rank() == 1 ? Shape{1} : without_batch(data);
}

struct ForeachPorts {
  Locations data, states, remain;

  explicit ForeachPorts(const Attrs& attrs)
      : data(attrs.tuple("in_data_locs")),
        states(attrs.tuple("in_state_locs")),
        remain(attrs.tuple("remain_locs")) {}
  std::size_t count() const { return data.size() + states.size() + remain.size(); }
  /// By input of the node: which input of the body it is.
  Locations all() const {
    Locations all = data;
    all.insert(all.end(), states.begin(), states.end());
    all.insert(all.end(), remain.begin(), remain.end());
    return all;
  }
};

}  // namespace mxinfer::ops
