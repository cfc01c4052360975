// ElementCode: an ElementProgram as the kernel of kernels/elementwise/elementwise_cuda.h runs it.
//
//   const ElementCode code = element_code(program, {{DType::float32, shape}}, DType::float32, out);
//   if (!code.rejects.empty()) return rejected("elementwise", code.rejects);
//   return only("elementwise", [code](LowerContext& context) { return element_step(context, code); });
#pragma once

#include "kernels/elementwise/elementwise_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/elementwise/element_function.h"

namespace mxinfer::ops {

/// An input of a program, and the shape along which it is read: it broadcasts to that of the output.
struct ElementCodeInput {
  DType dtype = DType::float32;
  Shape shape{};
  bool truth = false;           ///< read as 1 where it is not 0
  std::int64_t row_stride = 0;  ///< as TensorType's
};

struct ElementCode {
  std::string rejects{};  ///< why a GPU does not run it; empty: it does
  std::shared_ptr<const kernels::cuda::ElementwiseArgs> args{};
  std::string text{};  ///< the program, for explain
  double flops = 0;
};

/// A program whose values have the type `dtype` (of the output, or of what is compared), or the next one that
/// computes the same: float32 for the floats of 16 bits, int32 for the narrower integers and booleans. An
/// instruction of "select" chooses its first operand where the value before is not 0, else its second.
ElementCode element_code(const ElementProgram& program, const std::vector<ElementCodeInput>& inputs,
                         DType dtype, const TensorType& out);

/// Output 0 from the inputs, in order; written over one of its type and shape, if the plan likes.
Step element_step(LowerContext& context, const ElementCode& code);

/// As the step runs it: `data` of the code's inputs.
void run_element_code(const RunContext& run, const ElementCode& code, const void* const* data, void* dst);

}  // namespace mxinfer::ops
