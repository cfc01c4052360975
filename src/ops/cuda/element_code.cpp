#include "ops/cuda/element_code.h"

#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;
using cuda::ElementOp;
using cuda::ElementSource;
using cuda::ElementwiseArgs;
using cuda::ElementwiseOperand;
using kernels::ElementType;
using OperandKind = ElementOperand::Kind;

std::optional<ElementOp> element_op(std::string_view function) {
  for (std::size_t i = 0; i < std::size(cuda::kElementOpNames); ++i) {
    if (function == cuda::kElementOpNames[i]) return static_cast<ElementOp>(i);
  }
  return std::nullopt;
}

std::optional<ElementType> compute_type(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::float16:
    case DType::bfloat16:
      return ElementType::float32;
    case DType::float64:
      return ElementType::float64;
    case DType::int32:
    case DType::uint8:
    case DType::int8:
    case DType::boolean:
      return ElementType::int32;
    case DType::int64:
      return ElementType::int64;
    default:
      return std::nullopt;
  }
}

/// Whether booleans have it: they have no arithmetic.
bool is_of_booleans(ElementOp op) {
  switch (op) {
    case ElementOp::bitwise_and:
    case ElementOp::bitwise_or:
    case ElementOp::bitwise_xor:
    case ElementOp::equal:
    case ElementOp::greater:
    case ElementOp::greater_equal:
    case ElementOp::identity:
    case ElementOp::lesser:
    case ElementOp::lesser_equal:
    case ElementOp::logical_and:
    case ElementOp::logical_not:
    case ElementOp::logical_or:
    case ElementOp::logical_xor:
    case ElementOp::not_equal:
    case ElementOp::ones_like:
    case ElementOp::select:
    case ElementOp::zeros_like:
      return true;
    default:
      return false;
  }
}

bool has_function(ElementOp op, DType dtype, ElementType type) {
  if (dtype == DType::boolean) return is_of_booleans(op);
  if (type == ElementType::float32) return true;
  return type == ElementType::float64 ? cuda::is_common(op) : cuda::is_of_integers(op);
}

/// A number as it is in that type.
double number_in(DType dtype, double number) {
  double result = 0;
  std::byte value[8];
  kernels::select_cast(ElementType::float64, element_type(dtype))(&number, value, 1);
  kernels::select_cast(element_type(dtype), ElementType::float64)(value, &result, 1);
  return result;
}

// Sets sizes and strides: dimensions that all inputs walk alike are one. Returns whether they are few enough.
bool set_walk(ElementwiseArgs& args, const std::vector<ElementCodeInput>& inputs, const Shape& out) {
  using Strides = std::vector<std::int64_t>;
  std::vector<std::int64_t> sizes;
  std::vector<Strides> strides;  // by dimension, innermost first
  Strides dense(inputs.size(), 1);
  for (std::size_t d = 0; d < out.rank(); ++d) {
    const std::int64_t size = out[out.rank() - 1 - d];
    Strides stride(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Shape& shape = inputs[i].shape;
      const std::int64_t own = d < shape.rank() ? shape[shape.rank() - 1 - d] : 1;
      stride[i] = own == 1 ? 0 : dense[i];
      dense[i] = d == 0 && inputs[i].row_stride != 0 ? inputs[i].row_stride : dense[i] * own;
    }
    if (size == 1) continue;
    bool merges = !sizes.empty();
    for (std::size_t i = 0; merges && i < inputs.size(); ++i)
      merges = stride[i] == strides.back()[i] * sizes.back();
    if (merges) {
      sizes.back() *= size;
    } else {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  }
  if (sizes.empty()) {
    sizes.push_back(1);
    strides.emplace_back(inputs.size(), 0);
  }
  if (sizes.size() > static_cast<std::size_t>(cuda::kElementwiseRank)) return false;
  args.rank = static_cast<int>(sizes.size());
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::size_t to = sizes.size() - 1 - d;
    args.sizes[to] = sizes[d];
    for (std::size_t i = 0; i < inputs.size(); ++i) args.input[i].strides[to] = strides[d][i];
  }
  return true;
}

/// Writes the instructions, and which values are kept where.
class CodeWriter {
 public:
  CodeWriter(const ElementProgram& program, DType dtype, ElementwiseArgs& args)
      : program_(program),
        dtype_(dtype),
        args_(args),
        last_reader_(program.size(), 0),
        slots_(program.size(), cuda::kNoSlot) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      for (const ElementOperand& operand : program[i].operands) {
        if (operand.kind == OperandKind::result) last_reader_[operand.index] = i;
      }
    }
  }

  /// Why it cannot; empty: it did.
  std::string write() {
    for (std::size_t i = 0; i < program_.size(); ++i) {
      const auto op = element_op(program_[i].function);
      if (!op || !has_function(*op, dtype_, args_.compute))
        return concat("the GPU has no ", program_[i].function, " of ", to_string(dtype_));
      add(i, *op);
      if (slots_[i] != cuda::kNoSlot && slots_[i] >= cuda::kElementwiseSlots)
        return concat("more than ", cuda::kElementwiseSlots, " values are kept at a time");
    }
    return {};
  }

 private:
  void add(std::size_t i, ElementOp op) {
    const ElementInstruction& from = program_[i];
    cuda::ElementwiseInstruction& to = args_.program[i];
    to.op = op;
    to.numbers = {from.params.a, from.params.b};
    to.a = operand(i, 0);
    if (from.operands.size() > 1) to.b = operand(i, 1);
    for (std::size_t k = 0; k < from.operands.size(); ++k) {
      if (from.operands[k].kind == OperandKind::number)
        to.numbers[k] = number_in(dtype_, from.operands[k].number);
    }
    for (std::size_t k = 0; k < to.numbers.size(); ++k) to.floats[k] = static_cast<float>(to.numbers[k]);
    for (std::size_t value = 0; value < i; ++value) {
      if (slots_[value] != cuda::kNoSlot && last_reader_[value] == i) free_.push_back(slots_[value]);
    }
    if (is_kept(i)) slots_[i] = take();
    to.slot = slots_[i];
  }

  ElementwiseOperand operand(std::size_t reader, std::size_t k) const {
    const ElementOperand& from = program_[reader].operands[k];
    if (from.kind == OperandKind::number) return {ElementSource::number, 0};
    if (from.kind == OperandKind::input) return {ElementSource::input, static_cast<std::uint8_t>(from.index)};
    if (from.index + 1 == reader) return {ElementSource::last, 0};
    return {ElementSource::slot, slots_[from.index]};
  }

  /// Whether an instruction behind the next one reads it.
  bool is_kept(std::size_t i) const { return last_reader_[i] > i + 1; }

  std::uint8_t take() {
    if (free_.empty()) return used_++;
    const std::uint8_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  const ElementProgram& program_;
  DType dtype_;
  ElementwiseArgs& args_;
  std::vector<std::size_t> last_reader_;
  std::vector<std::uint8_t> slots_;
  std::vector<std::uint8_t> free_;
  std::uint8_t used_ = 0;
};

ElementCode refused_code(std::string why) {
  ElementCode code;
  code.rejects = std::move(why);
  return code;
}

bool is_byte(DType dtype) {
  return dtype == DType::uint8 || dtype == DType::int8;
}

}  // namespace

ElementCode element_code(const ElementProgram& program, const std::vector<ElementCodeInput>& inputs,
                         DType dtype, const TensorType& out) {
  const auto compute = compute_type(dtype);
  for (const ElementCodeInput& input : inputs) {
    if (!compute_type(input.dtype)) return refused_code(concat("an input is ", to_string(input.dtype)));
  }
  if (!compute || !compute_type(out.dtype))
    return refused_code(concat("the output is ", to_string(out.dtype)));
  if (inputs.size() > static_cast<std::size_t>(cuda::kElementwiseInputs))
    return refused_code(concat("more than ", cuda::kElementwiseInputs, " inputs"));
  if (program.size() > static_cast<std::size_t>(cuda::kElementwiseInstructions))
    return refused_code(concat("more than ", cuda::kElementwiseInstructions, " functions"));
  if (dtype == DType::bfloat16 && (program.size() > 1 || program[0].function != "identity"))
    return refused_code("the GPU moves bfloat16, and computes none");
  // They wrap when they are stored, and not between instructions.
  if (is_byte(dtype) && program.size() > 1) return refused_code("several functions of 8-bit integers");
  auto args = std::make_shared<ElementwiseArgs>();
  args->inputs = static_cast<int>(inputs.size());
  args->instructions = static_cast<int>(program.size());
  args->compute = *compute;
  args->out = element_type(out.dtype);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    args->input[i].type = element_type(inputs[i].dtype);
    args->input[i].truth = inputs[i].truth;
  }
  if (!set_walk(*args, inputs, out.shape))
    return refused_code(
        concat("more than ", cuda::kElementwiseRank, " dimensions that inputs walk differently"));
  if (std::string why = CodeWriter(program, dtype, *args).write(); !why.empty()) return refused_code(why);
  return {.args = std::move(args),
          .text = to_text(program),
          .flops = static_cast<double>(out.shape.elements()) * static_cast<double>(program.size())};
}

void run_element_code(const RunContext& run, const ElementCode& code, const void* const* data, void* dst) {
  ElementwiseArgs args = *code.args;
  for (std::size_t i = 0; i < static_cast<std::size_t>(args.inputs); ++i) args.input[i].data = data[i];
  args.dst = dst;
  const auto& library = static_cast<const device::CudaStream*>(run.stream)->device().kernels();
  enqueue(run, library.elementwise, args);
}

Step element_step(LowerContext& context, const ElementCode& code) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(code.args->inputs); ++i) {
    // An input that is repeated has another shape, or is read otherwise than it lies.
    if (context.input(i) == context.output(0) && !code.args->input[i].truth) context.may_overwrite(0, i);
  }
  Step step{.kernel = concat("elementwise_", to_string(context.output(0).dtype))};
  step.reason = concat("one loop: ", code.text);
  step.flops = code.flops;
  step.run = [code](const RunContext& run) { run_element_code(run, code, run.inputs, run.outputs[0]); };
  return step;
}

}  // namespace mxinfer::ops
