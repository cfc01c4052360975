// The weights of a convolution, packed as a row of kernels reads them.
//
//   if (context.is_constant(1) && row.packing != nullptr) args.weight = packed_conv_weight(context, 1, shape,
//   row);
#pragma once

#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Input i, a parameter. Of the shape, filters, channels, groups and kernel matter. Precondition: row.packing
/// is set; `row` outlives the plan.
template <typename T>
const T* packed_conv_weight(LowerContext& context, std::size_t i, const kernels::ConvShape& shape,
                            const kernels::ConvRow<T>& row) {
  const auto pack = [shape, &row](const TensorView& weight, std::byte* dst) {
    row.pack(shape, weight.data<T>(), reinterpret_cast<T*>(dst));
  };
  const auto bytes = static_cast<std::size_t>(row.packed_elements(shape)) * sizeof(T);
  return reinterpret_cast<const T*>(
      context.packed(i, concat(row.packing, " groups=", shape.groups), bytes, pack));
}

}  // namespace mxinfer::ops
