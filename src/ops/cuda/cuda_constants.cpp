// Operators whose output the shapes and attributes tell alone. The CPU's step gives it once, when the plan is
// made.
#include <array>
#include <cstring>

#include "kernels/copy/copy.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/device_tables.h"

namespace mxinfer::ops {
namespace {

Tensor value_of(LowerContext& context) {
  Tensor value(context.output(0).dtype, context.output(0).shape);
  const std::array<void*, 1> outputs{value.raw()};
  context.node().op->lower(context).run({nullptr, outputs.data(), nullptr, nullptr, 0, nullptr});
  return value;
}

bool is_one_element(const Tensor& value) {
  const auto* bytes = static_cast<const std::byte*>(value.raw());
  const std::size_t size = size_of(value.dtype());
  return value.bytes() <= size || std::memcmp(bytes, bytes + size, value.bytes() - size) == 0;
}

kernels::CopyArgs row_of(std::int64_t count, std::int64_t src_stride) {
  kernels::CopyArgs args;
  args.rank = 1;
  args.dims[0] = count;
  args.src_strides[0] = src_stride;
  args.dst_strides[0] = 1;
  return kernels::simplify(args);
}

Step constant_on_device(LowerContext& context, const device::CudaDevice& device) {
  const Tensor value = value_of(context);
  const std::size_t size = size_of(value.dtype());
  Step step;
  step.reason = "known when the plan is made";
  if (is_one_element(value)) {
    std::uint64_t element = 0;
    std::memcpy(&element, value.raw(), size);
    step.kernel = "fill";
    step.run = [=, args = row_of(value.elements(), 0)](const RunContext& run) {
      run.stream->fill_strided(args, size, element, run.outputs[0]);
    };
    return step;
  }
  DeviceTables tables;
  tables.add(static_cast<const std::byte*>(value.raw()), value.bytes());
  step.kernel = "constant";
  step.run = [=, args = row_of(value.elements(), 1), memory = tables.copy_to(device)](const RunContext& run) {
    run.stream->copy_strided(args, size, memory->data(), run.outputs[0]);
  };
  return step;
}

Implementations constant_output(const OpProblem&, const device::CudaDevice& device) {
  return only("constant", [&device](LowerContext& context) { return constant_on_device(context, device); });
}

}  // namespace

std::vector<CudaOp> cuda_constant_ops() {
  std::vector<CudaOp> ops;
  for (const char* name : {"_zeros", "_ones", "_full", "_arange", "_linspace", "_eye", "_zeros_without_dtype",
                           "shape_array", "size_array", "_contrib_arange_like", "_contrib_index_array"})
    ops.push_back({name, constant_output});
  return ops;
}

}  // namespace mxinfer::ops
