// What nodes of pooling, Correlation, softmax and of operators on sequences ask of their kernels.
#pragma once

#include "kernels/correlation/correlation.h"
#include "kernels/pool_nd/pool_nd.h"
#include "kernels/sequence/sequence.h"
#include "kernels/softmax/softmax.h"
#include "kernels/take/take.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Of dense arrays. Fails for attributes that do not fit the input; `v1`: of Pooling_v1.
kernels::PoolArgs pool_args(const Attrs& attrs, const TensorType& input, bool v1);

/// Of the average that adaptive pooling is if the sizes of (N, C, H, W) arrays divide.
kernels::PoolArgs even_pool_args(const Shape& in, const Shape& out);

/// `convention`: Pooling's pooling_convention. Fails if the kernel is larger than the padded input.
inline std::int64_t pool_windows(const std::string& convention, std::int64_t size, std::int64_t kernel,
                                 std::int64_t stride, std::int64_t pad) {
  const std::int64_t padded = size + 2 * pad;
  if (convention == "same") return ceil_div(padded, stride);
  if (kernel > padded) {
    fail(ErrorCode::invalid_argument, "kernel size ", kernel, " exceeds the input's ", size,
         " elements padded to ", padded);
  }
  if (convention == "valid") return 1 + (padded - kernel) / stride;
  return 1 + ceil_div(padded - kernel, stride);
}

/// Of Correlation, whose inputs have the shape `data`.
kernels::CorrelationShape correlation_shape(const Attrs& attrs, const Shape& data);

struct SoftmaxLines {
  kernels::SoftmaxArgs args{};
  bool has_lengths = false;  ///< input 1 holds them
};

/// Of softmax, log_softmax, softmin, SoftmaxActivation and SoftmaxOutput.
SoftmaxLines softmax_lines(const OpProblem& node);

/// Whether a node has lengths, as input 1.
bool has_lengths(const Attrs& attrs);
/// Of SequenceMask (with its value), SequenceLast or SequenceReverse.
kernels::SequenceArgs sequence_args(const OpProblem& node);
/// The step of each sequence that is its last one.
kernels::PickArgs last_step_args(const kernels::SequenceArgs& args);

}  // namespace mxinfer::ops
