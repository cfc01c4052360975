// The steps of products of 8-bit values: which kernel runs, and its tasks.
//
//   const Int8Tasks tasks(context, problem, type, step);   // completes step.kernel, flops and scratch
//   step.run = [=](const RunContext& run) { tasks.run(run, args); };
#pragma once

#include "kernels/conv/int8/int8_conv.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct Int8Tasks {
  Int8Tasks(const LowerContext& context, const kernels::ConvProblem& problem, kernels::Int8Type data,
            Step& step);
  void run(const RunContext& run, const kernels::Int8ConvArgs& args) const;

  const kernels::Int8ConvImpl* impl;
  std::int64_t tasks, grain;
};

/// A product with int8 weights: inputs data, weight and scale, then a bias unless no_bias, and attributes
/// before_... and dst_factor; with a residual, the index of an input, also after_... and residual_scale.
struct Int8Values {
  kernels::Int8ConvArgs args{};  ///< without addresses
  std::optional<std::size_t> bias{}, residual{};
};
Int8Values int8_values(const OpProblem& node, const kernels::ConvProblem& problem,
                       std::optional<std::size_t> residual = std::nullopt);

/// Of a node of _mxinfer_convolution_int8, and of _mxinfer_fully_connected_int8.
Int8Values convolution_int8_values(const OpProblem& node);
Int8Values fully_connected_int8_values(const OpProblem& node);

/// Its step. The weights are packed once, and must be a parameter.
Step int8_values_step(LowerContext& context, const Int8Values& values);

}  // namespace mxinfer::ops
