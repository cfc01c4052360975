// topk, sort, argsort.
#include "base/fail.h"
#include "kernels/sort/sort_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/indexing/sort.h"

namespace mxinfer::ops {
namespace {

bool has_sort_kernel(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float16 || dtype == DType::int32 ||
         dtype == DType::int8 || dtype == DType::uint8;
}

template <SortedFn sorted_of>
Implementations sort_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const TensorType& input = node.input(0);
  const Sorted sorted = sorted_of(node.attrs(), input.shape);
  if (!has_sort_kernel(input.dtype)) {
    return rejected("sort", concat("elements of ", to_string(input.dtype), " are sorted by the CPU"));
  }
  if (sorted.args.length > kernels::cuda::kMostKeys) {
    return rejected("sort", concat("a row has more than ", kernels::cuda::kMostKeys, " elements"));
  }
  return only("sort", [sorted, &device](LowerContext& context) {
    const auto type = element_type(context.input(0).dtype);
    Step step;
    step.kernel = "sort";
    step.reason = "tiles in shared memory, then merges";
    step.scratch_bytes = kernels::cuda::sort_elements_scratch(sorted.args, sorted.outer);
    step.run = [=, &device](const RunContext& run) {
      enqueue(run, device.kernels().sort_elements, with_operands(sorted, run), type, sorted.outer,
              run.scratch);
    };
    return step;
  });
}

}  // namespace

std::vector<CudaOp> cuda_sort_ops() {
  return {{"topk", sort_implementations<topk_of>},
          {"sort", sort_implementations<sort_of>},
          {"argsort", sort_implementations<argsort_of>}};
}

}  // namespace mxinfer::ops
