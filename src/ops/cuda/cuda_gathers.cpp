// Elements by index: take, Embedding, pick, batch_take, gather_nd, one_hot. topk, sort, argsort. Operators on
// sequences, by their lengths; without lengths they are copies.
#include "kernels/elementwise/cast.h"
#include "kernels/sort/sort_cuda.h"
#include "ops/common/axes.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/float_operands.h"
#include "ops/elementwise/elementwise.h"
#include "ops/nn/kernel_args.h"
#include "ops/tensor/kernel_args.h"
#include "tensor/floating.h"

namespace mxinfer::ops {
namespace {

using kernels::ElementType;
using kernels::cuda::IndexArray;

Step moving_step(const char* kernel) {
  return {.kernel = kernel, .reason = "moves elements only"};
}

/// Of nodes whose input `index` has a type that the kernels read.
CudaImplementationsFn indexed_kernel(std::size_t index, const char* name, CudaLowerFn lower) {
  return [=](const OpProblem& node, const device::CudaDevice& device) {
    return has_index_type(node, index) ? only(name, lower, device)
                                       : rejected("gather", no_index_type(node, index));
  };
}

/// Whether rows of input `data` may be taken as they are, or are a parameter of floats that is converted to
/// the type of the output.
bool has_rows(const OpProblem& node, std::size_t data) {
  const DType from = node.input(data).dtype, to = node.output(0).dtype;
  return from == to || (node.is_constant(data) && float_type(from) && float_type(to));
}

std::string no_rows(const OpProblem& node, std::size_t data) {
  return concat("rows are ", to_string(node.input(data).dtype), ", and its output ",
                to_string(node.output(0).dtype));
}

Step take_on_device(LowerContext& context, const device::CudaDevice& device, std::size_t data,
                    std::size_t indices, std::size_t axis, kernels::IndexMode mode) {
  const TensorType from{context.output(0).dtype, context.input(data).shape};
  const std::int64_t count = context.input(indices).shape.elements();
  Step step = moving_step("take");
  StoredOperand rows{data};
  if (from.dtype != context.input(data).dtype) {
    rows = stored_operand(context, data, *float_type(from.dtype));
    step.reason += concat("; its table is stored in ", to_string(from.dtype));
  }
  step.run = [=, args = take_args(from, axis, count, mode), outer = from.shape.elements(0, axis),
              type = index_type(context, indices), take = device.kernels().take](const RunContext& run) {
    const IndexArray index{run.inputs[indices], type};
    enqueue(run, take, args, outer, index, rows.data(run), run.outputs[0]);
  };
  return step;
}

Step take_along_axis(LowerContext& context, const device::CudaDevice& device) {
  const std::size_t axis =
      resolve_axis("axis", context.attrs().integer("axis"), context.input(0).shape.rank());
  return take_on_device(context, device, 0, 1, axis, take_mode(context.attrs()));
}

Implementations take_rows(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 1)) return rejected("gather", no_index_type(node, 1));
  if (node.attrs().choice("mode") == "raise")
    return rejected("take", "mode=raise: a GPU does not report an index that is out of range");
  if (!has_rows(node, 0)) return rejected("take", no_rows(node, 0));
  return only("take", take_along_axis, device);
}

Step embedding_on_device(LowerContext& context, const device::CudaDevice& device) {
  return take_on_device(context, device, 1, 0, 0, kernels::IndexMode::clip);
}

Implementations embedding(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 0)) return rejected("take", no_index_type(node, 0));
  if (!has_rows(node, 1)) return rejected("take", no_rows(node, 1));
  return only("take", embedding_on_device, device);
}

template <kernels::PickArgs (*kArgs)(const OpProblem&)>
Step pick_on_device(LowerContext& context, const device::CudaDevice& device) {
  Step step = moving_step("pick");
  step.run = [=, args = kArgs(context), rows = context.input(1).shape.elements(),
              type = index_type(context, 1), pick = device.kernels().pick](const RunContext& run) {
    enqueue(run, pick, args, rows, false, IndexArray{run.inputs[1], type}, run.inputs[0], run.outputs[0]);
  };
  return step;
}

// Indices that are parameters are checked when the plan is made.
void require_parameter_fits(const LowerContext& context, const kernels::GatherArgs& args) {
  const Tensor& given = *context.constant(1);
  std::vector<std::int64_t> indices(static_cast<std::size_t>(given.elements()));
  kernels::select_cast(static_cast<ElementType>(given.dtype()), ElementType::int64)(
      given.raw(), indices.data(), given.elements());
  require_gather_fits(args, indices.data());
}

Step gather_on_device(LowerContext& context, const device::CudaDevice& device) {
  const kernels::GatherArgs args = gather_args(context);
  if (context.is_constant(1)) require_parameter_fits(context, args);
  Step step = moving_step("gather");
  step.run = [=, type = index_type(context, 1), gather = device.kernels().gather](const RunContext& run) {
    enqueue(run, gather, args, IndexArray{run.inputs[1], type}, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Implementations gathered(const OpProblem& node, const device::CudaDevice& device) {
  if (!has_index_type(node, 1)) return rejected("gather", no_index_type(node, 1));
  // The rows of such indices are NaN, which only floats have.
  if (!node.is_constant(1) && !is_float(node.input(0).dtype)) {
    return rejected("gather", concat("indices are computed and data is ", to_string(node.input(0).dtype),
                                     ": a GPU does not report an index that is out of range"));
  }
  return only("gather", gather_on_device, device);
}

Step one_hot_on_device(LowerContext& context, const device::CudaDevice& device) {
  Step step{.kernel = "one_hot"};
  step.run = [args = one_hot_args(context), rows = context.input(0).shape.elements(),
              type = index_type(context, 0), one_hot = device.kernels().one_hot](const RunContext& run) {
    enqueue(run, one_hot, args, rows, IndexArray{run.inputs[0], type}, run.outputs[0]);
  };
  return step;
}

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
    Step step{.kernel = "sort", .reason = "tiles in shared memory, then merges"};
    step.scratch_bytes = kernels::cuda::sort_elements_scratch(sorted.args, sorted.outer);
    step.run = [=, &device](const RunContext& run) {
      enqueue(run, device.kernels().sort_elements, with_operands(sorted, run), type, sorted.outer,
              run.scratch);
    };
    return step;
  });
}

using kernels::cuda::IndexArray;

using SequenceLauncher = kernels::cuda::Status (*)(const kernels::SequenceArgs&, const IndexArray&,
                                                   const void*, void*, const kernels::cuda::Stream&);

Step sequence_on_device(LowerContext& context, const char* name, SequenceLauncher launcher) {
  const bool lengths = has_lengths(context.attrs());
  const auto type = lengths ? index_type(context, 1) : kernels::ElementType::int64;
  Step step{.kernel = name, .reason = "moves elements only"};
  step.run = [=, args = sequence_args(context)](const RunContext& run) {
    const IndexArray index{lengths ? run.inputs[1] : nullptr, type};
    enqueue(run, launcher, args, index, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Step last_on_device(LowerContext& context, const device::CudaDevice& device) {
  const kernels::PickArgs args = last_step_args(sequence_args(context));
  Step step{.kernel = "sequence_last", .reason = "moves elements only"};
  step.run = [=, rows = context.input(1).shape.elements(), type = index_type(context, 1),
              pick = device.kernels().pick](const RunContext& run) {
    enqueue(run, pick, args, rows, true, IndexArray{run.inputs[1], type}, run.inputs[0], run.outputs[0]);
  };
  return step;
}

// `lower` is what it does with lengths that a GPU reads.
Implementations with_lengths(const OpProblem& node, const char* name, LowerFn lower) {
  if (!has_lengths(node.attrs())) return only("copy", node.node().op->lower);
  if (!has_index_type(node, 1)) return rejected(name, no_index_type(node, 1));
  return only(name, std::move(lower));
}

Implementations masked_sequence(const OpProblem& node, const device::CudaDevice& device) {
  return with_lengths(node, "sequence_mask", [&device](LowerContext& context) {
    context.may_overwrite(0, 0);
    return sequence_on_device(context, "sequence_mask", device.kernels().sequence_mask);
  });
}

Implementations last_of_sequence(const OpProblem& node, const device::CudaDevice& device) {
  return with_lengths(node, "sequence_last",
                      [&device](LowerContext& context) { return last_on_device(context, device); });
}

Implementations reversed_sequence(const OpProblem& node, const device::CudaDevice& device) {
  if (has_lengths(node.attrs()) && !has_index_type(node, 1))
    return rejected("sequence_reverse", no_index_type(node, 1));
  return only("sequence_reverse", [&device](LowerContext& context) {
    return sequence_on_device(context, "sequence_reverse", device.kernels().sequence_reverse);
  });
}

bool reads_second(const graph::Node&, std::size_t input) {
  return input == 1;
}

/// Of an operator that reads no values, and writes them.
bool no_input(const graph::Node&, std::size_t) {
  return false;
}

/// Rows of a table, which is packed in 16 bits if it is a parameter.
CudaOp of_table(CudaOp op, bool (*reads)(const graph::Node& node, std::size_t input)) {
  op.halves = {.form = HalfForm::moves, .reads = reads, .packs_parameters = true};
  return op;
}

}  // namespace

std::vector<CudaOp> cuda_gather_ops() {
  std::vector<CudaOp> ops{with_halves({"one_hot", indexed_kernel(0, "one_hot", one_hot_on_device)},
                                      HalfForm::any_type, no_input)};
  ops.push_back(of_table({"take", take_rows}, reads_first));
  ops.push_back(of_table({"Embedding", embedding}, reads_second));
  const std::vector<CudaOp> by_elements{
      {"pick", indexed_kernel(1, "pick", pick_on_device<pick_args>)},
      {"batch_take", indexed_kernel(1, "pick", pick_on_device<batch_take_args>)},
      {"gather_nd", gathered}};
  for (const CudaOp& op : by_elements) ops.push_back(with_halves(op, HalfForm::moves, reads_first));
  return ops;
}

std::vector<CudaOp> cuda_sort_ops() {
  return {{"topk", sort_implementations<topk_of>},
          {"sort", sort_implementations<sort_of>},
          {"argsort", sort_implementations<argsort_of>}};
}

std::vector<CudaOp> cuda_sequence_ops() {
  return {with_halves({"SequenceMask", masked_sequence}, HalfForm::moves, reads_first),
          with_halves({"SequenceLast", last_of_sequence}, HalfForm::moves, reads_first),
          with_halves({"SequenceReverse", reversed_sequence}, HalfForm::moves, reads_first)};
}

}  // namespace mxinfer::ops
