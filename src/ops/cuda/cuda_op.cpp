#include "ops/cuda/cuda_op.h"

#include "base/fail.h"
#include "ops/backend.h"

namespace mxinfer::ops {

bool all_of_type(const OpProblem& node, DType dtype) {
  for (std::size_t i = 0; i < node.num_inputs(); ++i) {
    if (node.input(i).dtype != dtype) return false;
  }
  for (std::size_t o = 0; o < node.num_outputs(); ++o) {
    if (node.output(o).dtype != dtype) return false;
  }
  return true;
}

std::string not_all_of_type(DType dtype) {
  return concat("its inputs and outputs are not all ", to_string(dtype));
}

bool strided_input_as_on_cpu(const graph::Node& node, const Shape& shape, std::int64_t row_stride) {
  return cpu_backend().takes_strided_input(node, shape, row_stride);
}
bool strided_output_as_on_cpu(const graph::Node& node, const Shape& shape, std::int64_t row_stride) {
  return cpu_backend().takes_strided_output(node, shape, row_stride);
}

}  // namespace mxinfer::ops
