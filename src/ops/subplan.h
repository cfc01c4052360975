// Subplan: a subgraph of an operator such as _foreach, made ready to run by the plan that holds the operator.
//
//   auto body = context.subplan(0, input_types);          // in lower()
//   step.scratch_bytes = body->workspace_bytes();
//   step.thread_scratch_bytes = body->thread_scratch_bytes();
//   step.run = [body](const RunContext& run) { body->run(inputs, outputs, run.scratch, run); };
#pragma once

#include <cstddef>
#include <vector>

#include "ops/step.h"
#include "ops/tensor_type.h"

namespace mxinfer::ops {

/// Immutable; may run several times at once, each in a workspace of its own.
class Subplan {
 public:
  virtual ~Subplan() = default;
  virtual const std::vector<TensorType>& outputs() const = 0;
  virtual std::size_t workspace_bytes() const = 0;
  virtual std::size_t thread_scratch_bytes() const = 0;
  virtual double flops() const = 0;
  /// outputs must not overlap inputs; `parent` lends the scratch of its threads. Allocates nothing.
  virtual void run(const void* const* inputs, void* const* outputs, std::byte* workspace,
                   const RunContext& parent) const = 0;
};

}  // namespace mxinfer::ops
