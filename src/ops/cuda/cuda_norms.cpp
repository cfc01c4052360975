// BatchNorm as an element-wise program; LayerNorm, InstanceNorm, GroupNorm, L2Normalization, LRN and softmax.
#include <array>
#include <cstring>

#include "kernels/normalize/scale_shift.h"
#include "ops/common/axes.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/element_code.h"
#include "ops/elementwise/element_function.h"
#include "ops/nn/kernel_args.h"
#include "ops/nn/normalization/normalization.h"

namespace mxinfer::ops {
namespace {

constexpr const char* kBatchNorm = "scale_shift";

/// BatchNorm's program: functions, each of the value before and of an input.
class BatchNormProgram {
 public:
  explicit BatchNormProgram(const OpProblem& node) : node_(node) {}

  ElementOperand input(std::size_t i) const { return {ElementOperand::Kind::input, i, 0}; }
  ElementOperand last() const { return {ElementOperand::Kind::result, program_.size() - 1, 0}; }
  ElementOperand add(std::string function, std::vector<ElementOperand> operands,
                     kernels::UnaryParams params = {}) {
    program_.push_back({std::move(function), params, std::move(operands), node_.output(0).shape});
    return last();
  }
  /// The operator's own activation, or what a pass has fused behind it.
  const ElementProgram& with_activation() {
    const graph::PostOps& post_ops = node_.post_ops();
    if (node_.node().op->name == "_contrib_BatchNormWithReLU") {
      add("relu", {last()});
    } else if (post_ops.activation != graph::Activation::none) {
      const ElementFunction activation = activation_function(post_ops);
      add(activation.name, {last()}, activation.params);
    }
    return program_;
  }

 private:
  const OpProblem& node_;
  ElementProgram program_;
};

std::size_t channel_axis_of(const OpProblem& node) {
  const std::string& name = node.node().op->name;
  const bool has_axis = name == "BatchNorm" || name == "_contrib_BatchNormWithReLU";
  return has_axis ? resolve_axis("axis", node.attrs().integer("axis"), node.input(0).shape.rank()) : 1;
}

/// The inputs of a program: the data, then `count` rows along its channels.
std::vector<ElementCodeInput> data_and_rows(const OpProblem& node, std::size_t count) {
  const Shape& shape = node.input(0).shape;
  Shape row{shape[channel_axis_of(node)]};
  for (std::size_t d = channel_axis_of(node) + 1; d < shape.rank(); ++d) row.push_back(1);
  std::vector<ElementCodeInput> inputs(count + 1, {DType::float32, row});
  inputs[0].dtype = node.input(0).dtype;
  inputs[0].shape = shape;
  inputs[0].row_stride = node.input(0).row_stride;
  return inputs;
}

/// data * scale + shift.
ElementCode scale_shift_code(const OpProblem& node) {
  BatchNormProgram program(node);
  program.add("mul", {program.input(0), program.input(1)});
  program.add("add", {program.last(), program.input(2)});
  return element_code(program.with_activation(), data_and_rows(node, 2), DType::float32, node.output(0));
}

/// (data - mean) * (gamma / sqrt(variance + eps)) + beta, of inputs in BatchNorm's order.
ElementCode statistics_code(const OpProblem& node) {
  BatchNormProgram program(node);
  const ElementOperand eps{ElementOperand::Kind::number, 0, node.attrs().number("eps")};
  program.add("add", {program.input(4), eps});
  ElementOperand factor = program.add("rsqrt", {program.last()});
  if (!node.attrs().flag("fix_gamma")) factor = program.add("mul", {factor, program.input(1)});
  program.add("sub", {program.input(0), program.input(3)});
  program.add("mul", {program.last(), factor});
  program.add("add", {program.last(), program.input(2)});
  return element_code(program.with_activation(), data_and_rows(node, 4), DType::float32, node.output(0));
}

/// Scale and shift, `channels` of each, of parameters.
std::shared_ptr<const std::vector<float>> folded_statistics(const LowerContext& context,
                                                            std::size_t channels) {
  auto rows = std::make_shared<std::vector<float>>(2 * channels);
  const auto parameter = [&](std::size_t i) { return context.constant(i)->data<float>(); };
  kernels::fold_statistics(static_cast<std::int64_t>(channels),
                           context.attrs().flag("fix_gamma") ? nullptr : parameter(1), parameter(2),
                           parameter(3), parameter(4), context.attrs().number("eps"), rows->data(),
                           rows->data() + channels);
  return rows;
}

// The rows are kept with gamma; their name has their content, as gamma may serve other statistics too.
const float* packed_scale_shift(LowerContext& context,
                                const std::shared_ptr<const std::vector<float>>& rows) {
  const std::size_t bytes = rows->size() * sizeof(float);
  const std::string_view content(reinterpret_cast<const char*>(rows->data()), bytes);
  const std::string packing = concat("cuda_scale_shift_", std::hash<std::string_view>()(content));
  const auto pack = [rows, bytes](const TensorView&, std::byte* dst) {
    std::memcpy(dst, rows->data(), bytes);
  };
  return reinterpret_cast<const float*>(context.packed(1, packing, bytes, pack));
}

void allow_overwriting_data(LowerContext& context) {
  const TensorType& data = context.input(0);
  if (data.row_stride == 0 && data.dtype == context.output(0).dtype) context.may_overwrite(0, 0);
}

/// What a fused activation, or the operator's own, is.
kernels::PostOps activation_of(const OpProblem& node) {
  if (node.node().op->name == "_contrib_BatchNormWithReLU") return {kernels::Activation::relu};
  return node.post_ops();
}

/// Whether there is a kernel that is faster than the element-wise program: data and output are of one type,
/// and channels last, of which there are whole 16 bytes.
bool has_rows_of_channels(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  const std::size_t axis = channel_axis_of(node);
  if (shape.elements(axis + 1, shape.rank()) != 1 || !has_one_data_type(node)) return false;
  const auto vector = static_cast<std::int64_t>(16 / kernels::bytes_of(data_type(node)));
  return shape[axis] % vector == 0 && activation_of(node).activation != kernels::Activation::prelu;
}

Step scale_shift_rows_step(LowerContext& context, const device::CudaDevice& device) {
  const Shape& shape = context.input(0).shape;
  kernels::ScaleShiftArgs<float> args;
  args.channels = shape[channel_axis_of(context)];
  args.post_ops = activation_of(context);
  args.src_stride = context.input(0).row_stride;
  const auto channels = static_cast<std::size_t>(args.channels);
  args.scale = packed_scale_shift(context, folded_statistics(context, channels));
  args.shift = args.scale + channels;
  allow_overwriting_data(context);
  Step step{.kernel = of_data_type(kBatchNorm, context), .reason = "scale and shift are folded"};
  step.flops = 2.0 * static_cast<double>(shape.elements());
  step.run = [=, rows = shape.elements() / args.channels, type = data_type(context),
              &device](const RunContext& run) {
    enqueue(run, device.kernels().scale_shift, args, type, rows, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Step scale_shift_step(LowerContext& context, const ElementCode& code) {
  const auto channels = static_cast<std::size_t>(context.input(0).shape[channel_axis_of(context)]);
  const float* scale = packed_scale_shift(context, folded_statistics(context, channels));
  allow_overwriting_data(context);
  Step step{.kernel = of_data_type(kBatchNorm, context), .reason = "scale and shift are folded"};
  step.flops = code.flops;
  step.run = [=](const RunContext& run) {
    const std::array<const void*, 3> data{run.inputs[0], scale, scale + channels};
    run_element_code(run, code, data.data(), run.outputs[0]);
  };
  return step;
}

Step statistics_step(LowerContext& context, const ElementCode& code) {
  allow_overwriting_data(context);
  Step step{.kernel = of_data_type(kBatchNorm, context)};
  step.reason = "scale and shift are computed in every run: the statistics are not parameters";
  step.flops = code.flops;
  step.run = [=](const RunContext& run) { run_element_code(run, code, run.inputs, run.outputs[0]); };
  return step;
}

/// Whether data and output are float32, or halves that stand for it, and the statistics float32.
bool normalizes_float32(const OpProblem& node) {
  for (std::size_t i = 1; i < node.num_inputs(); ++i) {
    if (node.input(i).dtype != DType::float32) return false;
  }
  return arithmetic_type(node.input(0)) == DType::float32 &&
         arithmetic_type(node.output(0)) == DType::float32;
}

Implementations batch_norm_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!normalizes_float32(node)) return rejected(kBatchNorm, not_all_of_type(DType::float32));
  if (node.num_outputs() > 1) return rejected(kBatchNorm, "output_mean_var asks for the statistics");
  bool constant = true;
  for (std::size_t i = 1; i < 5; ++i) constant = constant && node.is_constant(i);
  if (constant && has_rows_of_channels(node)) return only(kBatchNorm, scale_shift_rows_step, device);
  const ElementCode code = constant ? scale_shift_code(node) : statistics_code(node);
  if (!code.rejects.empty()) return rejected(kBatchNorm, code.rejects);
  return only(kBatchNorm, [constant](LowerContext& context) {
    // Anew: only now it is known how the rows of the input lie.
    return constant ? scale_shift_step(context, scale_shift_code(context))
                    : statistics_step(context, statistics_code(context));
  });
}

Step row_norm_step(LowerContext& context, const device::CudaDevice& device) {
  const RowLayout layout = row_layout(context);
  const auto args = row_norm_args<float>(context.attrs(), layout);
  const bool statistics = context.num_outputs() > 1;
  context.may_overwrite(0, 0);  // a row is read to its end before it is written
  Step step{.kernel = of_data_type("row_norm", context),
            .reason = concat(layout.rows(), " rows of ", layout.length)};
  step.flops = 7.0 * static_cast<double>(layout.rows()) * static_cast<double>(layout.length);
  step.run = [=, rows = layout.rows(), type = data_type(context), &device](const RunContext& run) {
    auto now = args;
    now.gamma = run.input<float>(1);
    now.beta = run.input<float>(2);
    now.mean = statistics ? run.output<float>(1) : nullptr;
    now.std = statistics ? run.output<float>(2) : nullptr;
    enqueue(run, device.kernels().row_norm, now, type, rows, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Step lrn_step(LowerContext& context, const device::CudaDevice& device) {
  const Shape& shape = context.input(0).shape;
  const kernels::LrnArgs args = lrn_args(context);
  Step step{.kernel = of_data_type("lrn", context), .reason = concat("windows of ", args.size, " channels")};
  step.flops = static_cast<double>(shape.elements()) * (2.0 * static_cast<double>(args.size) + 10.0);
  step.run = [args, rows = shape[0] * shape[1], type = data_type(context), &device](const RunContext& run) {
    enqueue(run, device.kernels().lrn, args, type, rows, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Step l2_step(LowerContext& context, const device::CudaDevice& device) {
  const L2Lines lines = l2_lines(context.attrs().choice("mode"), context.input(0).shape);
  kernels::cuda::L2NormArgs args{.lines = lines.count, .length = lines.axis, .inner = lines.inner};
  args.eps = context.attrs().number32("eps");
  context.may_overwrite(0, 0);
  Step step{.kernel = of_data_type("l2_normalize", context),
            .reason = concat(lines.count, " lines of ", lines.axis)};
  step.flops = 3.0 * static_cast<double>(context.input(0).shape.elements());
  step.run = [args, type = data_type(context), &device](const RunContext& run) {
    enqueue(run, device.kernels().l2_norm, args, type, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Step softmax_step(LowerContext& context, const device::CudaDevice& device) {
  const SoftmaxLines lines = softmax_lines(context);
  const std::int64_t elements = context.output(0).shape.elements();
  const std::int64_t count = elements / lines.args.axis;
  context.may_overwrite(0, 0);
  Step step{.kernel = of_data_type("softmax", context)};
  step.reason = concat(count, " lines of ", lines.args.axis, ", ", lines.args.inner, " side by side");
  step.flops = 5.0 * static_cast<double>(elements);
  step.run = [=, type = data_type(context), &device](const RunContext& run) {
    enqueue(run, device.kernels().softmax, lines.args, type, count, run.inputs[0], run.outputs[0],
            lines.has_lengths ? run.inputs[1] : nullptr);
  };
  return step;
}

Implementations softmax_implementations(const OpProblem& node, const device::CudaDevice& device) {
  const TensorType &from = node.input(0), &to = node.output(0);
  const bool is_float32 = arithmetic_type(from) == DType::float32 && arithmetic_type(to) == DType::float32;
  if (!is_float32 || from.dtype != to.dtype) {
    return rejected("softmax",
                    concat("from ", to_string(from.dtype), " to ", to_string(to.dtype), ", not float32"));
  }
  return only(of_data_type("softmax", node), softmax_step, device);
}

}  // namespace

std::vector<CudaOp> cuda_norm_ops() {
  std::vector<CudaOp> ops;
  ops.push_back({"BatchNorm", batch_norm_implementations, strided_input_as_on_cpu});
  for (const char* name : {"BatchNorm_v1", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU"})
    ops.push_back({name, batch_norm_implementations});
  for (CudaOp& op : ops) op.halves = {HalfForm::any_type, reads_first};
  for (const char* name : {"LayerNorm", "InstanceNorm", "GroupNorm"}) {
    ops.push_back(
        with_halves({name, float_kernel("row_norm", row_norm_step)}, HalfForm::one_type, reads_first));
  }
  ops.push_back(with_halves({"LRN", float_kernel("lrn", lrn_step)}, HalfForm::one_type));
  ops.push_back(with_halves({"L2Normalization", float_kernel("l2_normalize", l2_step)}, HalfForm::one_type));
  return ops;
}

std::vector<CudaOp> cuda_softmax_ops() {
  std::vector<CudaOp> ops;
  for (const char* name : {"softmax", "log_softmax", "softmin", "SoftmaxActivation", "SoftmaxOutput"})
    ops.push_back(with_halves({name, softmax_implementations}, HalfForm::one_type, reads_first));
  return ops;
}

}  // namespace mxinfer::ops
