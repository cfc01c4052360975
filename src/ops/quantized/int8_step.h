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

/// The step of an operator with int8 weights: inputs data, weight and scale, then a bias unless no_bias, and
/// attributes before_... and dst_factor; with `residual`, the index of an input, also after_... and
/// residual_scale. The weights are packed once, and must be a parameter.
Step int8_values_step(LowerContext& context, const kernels::ConvProblem& problem,
                      std::optional<std::size_t> residual = std::nullopt);

}  // namespace mxinfer::ops
