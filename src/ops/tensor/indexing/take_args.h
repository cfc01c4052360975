// What the operators that read rows by index ask of their kernels.
#pragma once

#include "kernels/take/take.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Rows of `data` along `axis`, `count` of them.
kernels::TakeArgs take_args(const TensorType& data, std::size_t axis, std::int64_t count,
                            kernels::IndexMode mode);
/// clip unless the attribute `mode` is wrap.
kernels::IndexMode take_mode(const Attrs& attrs);
/// Of pick and batch_take, whose data is input 0.
kernels::PickArgs pick_args(const OpProblem& node);
kernels::PickArgs batch_take_args(const OpProblem& node);
/// Of gather_nd: data and indices.
kernels::GatherArgs gather_args(const OpProblem& node);
/// Error(invalid_argument), naming it, for an index that is outside.
void require_gather_fits(const kernels::GatherArgs& args, const std::int64_t* indices);
kernels::OneHotArgs one_hot_args(const OpProblem& node);

}  // namespace mxinfer::ops
