// Operators that only move elements: the CPU's lowering asks the stream to copy where it lowers for a device
// (ops/common/copy_step.h), or makes its output an alias. Pad. Operators whose output the shapes and
// attributes tell alone: the CPU's step gives it once, when the plan is made.
#include <array>
#include <cstring>

#include "kernels/copy/copy.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/device_tables.h"
#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {
namespace {

Implementations by_copies(const OpProblem& node, const device::CudaDevice&) {
  return only("copy", node.node().op->lower);
}

Implementations diagonal(const OpProblem& node, const device::CudaDevice& device) {
  if (node.input(0).shape.rank() == 1) return rejected("copy", "a matrix is made of a row");
  return by_copies(node, device);
}

template <kernels::PadArgs (*kArgs)(const OpProblem&)>
Step pad_on_device(LowerContext& context, const device::CudaDevice& device) {
  Step step{.kernel = "pad", .reason = "moves elements only"};
  step.run = [args = kArgs(context), element = size_of(context.input(0).dtype), pad = device.kernels().pad](
                 const RunContext& run) { enqueue(run, pad, args, element, run.inputs[0], run.outputs[0]); };
  return step;
}

Implementations numpy_pad(const OpProblem& node, const device::CudaDevice& device) {
  const std::string& mode = node.attrs().choice("mode");
  if (mode == "maximum" || mode == "minimum") return rejected("pad", "extremes of lines are put around it");
  return one_kernel("pad", pad_on_device<numpy_pad_args>)(node, device);
}

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
  Step step{.reason = "known when the plan is made"};
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

const std::initializer_list<const char*> kCopies[] = {
    {"Reshape", "Flatten", "expand_dims", "squeeze", "reshape_like", "transpose", "SwapAxis", "reverse"},
    {"stack", "slice", "slice_axis", "slice_like", "Crop", "SliceChannel", "_split_v2"},
    {"broadcast_to", "broadcast_axis", "broadcast_like", "tile", "repeat", "depth_to_space",
     "space_to_depth"},
    {"_np_reshape", "_npx_reshape", "_np_squeeze", "_np_atleast_1d", "_np_atleast_2d", "_np_atleast_3d",
     "_np_transpose", "_np_moveaxis", "_npi_rot90", "_np_roll", "_npi_broadcast_to", "_npi_hsplit"},
    {"_npi_concatenate", "_npi_vstack", "_npi_hstack", "_npi_dstack", "_npi_column_stack", "_np_diagonal"},
    {"_image_crop", "_image_flip_left_right", "_image_flip_top_bottom", "_mxinfer_list_to_batch"},
};
/// Those that do not only move elements of their data, or move parameters.
const char* const kOtherCopies[] = {
    "_slice_assign",        "_slice_assign_scalar", "_linalg_extractdiag", "_linalg_makediag",
    "_linalg_extracttrian", "_linalg_maketrian",    "_rnn_param_concat",   "_np_diag",
    "_np_diagflat"};

}  // namespace

std::vector<CudaOp> cuda_copy_ops() {
  std::vector<CudaOp> ops;
  for (const auto& family : kCopies) {
    for (const char* name : family) ops.push_back(with_halves({name, by_copies}, HalfForm::moves));
  }
  for (const char* name : kOtherCopies) ops.push_back({name, by_copies});
  ops.push_back(with_halves({"Concat", by_copies, nullptr, strided_output_as_on_cpu}, HalfForm::moves));
  ops.push_back({"diag", diagonal});
  return ops;
}

std::vector<CudaOp> cuda_pad_ops() {
  return {with_halves({"Pad", one_kernel("pad", pad_on_device<pad_args>)}, HalfForm::moves),
          {"_npi_pad", numpy_pad}};
}

std::vector<CudaOp> cuda_constant_ops() {
  std::vector<CudaOp> ops;
  for (const char* name : {"_zeros",
                           "_ones",
                           "_full",
                           "_arange",
                           "_linspace",
                           "_eye",
                           "_zeros_without_dtype",
                           "shape_array",
                           "size_array",
                           "_contrib_arange_like",
                           "_contrib_index_array",
                           "_npi_arange",
                           "_npi_eye",
                           "_npi_identity",
                           "_npi_logspace",
                           "_npi_indices",
                           "_npi_hanning",
                           "_npi_hamming",
                           "_npi_blackman",
                           "_npi_diag_indices_from",
                           "_npi_full_like"})
    ops.push_back({name, one_kernel("constant", constant_on_device)});
  return ops;
}

}  // namespace mxinfer::ops
