#include "ops/elementwise/element_function.h"

#include <map>

#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

const ElementFunctions& all_functions() {
  static const ElementFunctions& all = *[] {
    auto* functions = new ElementFunctions;
    add_activation_functions(*functions);
    add_binary_functions(*functions);
    add_fill_nan_function(*functions);
    add_scalar_functions(*functions);
    add_unary_functions(*functions);
    return functions;
  }();
  return all;
}

using graph::Graph;
using graph::Node;
using graph::Value;
using OperandKind = ElementOperand::Kind;

class Writer {
 public:
  explicit Writer(const std::vector<Shape>& inputs) : inputs_(inputs) {}

  bool add(std::int32_t id, const Node& node) {
    return node.is_variable() ? add_input(id, node) : add_operator(id, node);
  }
  bool ends_in(const std::vector<Value>& heads) const {
    if (heads.size() != 1) return false;
    const auto head = places_.find(heads[0]);
    return head != places_.end() && head->second.kind == OperandKind::result &&
           head->second.index + 1 == program_.size();
  }
  ElementProgram take() { return std::move(program_); }

 private:
  bool add_input(std::int32_t id, const Node& node) {
    const auto index = static_cast<std::size_t>(node.input_index);
    if (node.constant || node.input_index < 0 || index >= inputs_.size()) return false;
    places_[{id, 0}] = {OperandKind::input, index, 0};
    return true;
  }

  bool add_operator(std::int32_t id, const Node& node) {
    const auto function = element_function(node);
    if (!function) return false;
    using Form = ElementFunction::Kind;
    const bool is_binary = function->kind == Form::binary;
    const std::size_t own = is_binary ? 2 : 1;
    if (node.inputs.size() != own + (node.post_ops.residual ? 1 : 0)) return false;
    const ElementOperand number{OperandKind::number, 0, function->scalar};
    std::vector<ElementOperand> operands;
    if (function->kind == Form::of_scalar) operands.push_back(number);
    for (std::size_t i = 0; i < own; ++i) operands.push_back(places_.at(node.inputs[i]));
    if (function->kind == Form::scalar) operands.push_back(number);
    ElementOperand last = append(function->name, function->params, std::move(operands));
    if (node.post_ops.residual) last = append("add", {}, {last, places_.at(node.inputs.back())});
    if (node.post_ops.activation != graph::Activation::none) {
      const ElementFunction activation = activation_function(node.post_ops);
      last = append(activation.name, activation.params, {last});
    }
    places_[{id, 0}] = last;
    return true;
  }

  ElementOperand append(std::string function, kernels::UnaryParams params,
                        std::vector<ElementOperand> operands) {
    Shape shape = shape_of(operands[0]);
    if (operands.size() == 2) shape = broadcast_shape(shape, shape_of(operands[1]));
    program_.push_back({std::move(function), params, std::move(operands), shape});
    return {OperandKind::result, program_.size() - 1, 0};
  }

  Shape shape_of(const ElementOperand& operand) const {
    if (operand.kind == OperandKind::number) return {};
    return operand.kind == OperandKind::input ? inputs_[operand.index] : program_[operand.index].shape;
  }

  const std::vector<Shape>& inputs_;
  std::map<Value, ElementOperand> places_;
  ElementProgram program_;
};

std::string to_text(const ElementOperand& operand) {
  if (operand.kind == OperandKind::number) return concat(static_cast<float>(operand.number));
  return concat(operand.kind == OperandKind::input ? "x" : "t", operand.index);
}

std::string to_text(const ElementInstruction& instruction) {
  std::string text = instruction.function + "(";
  for (const ElementOperand& operand : instruction.operands)
    text += (&operand == instruction.operands.data() ? "" : ", ") + to_text(operand);
  const kernels::UnaryParams& params = instruction.params;
  if (params.a != 0 || params.b != 0) text += concat(", ", params.a);
  if (params.b != 0) text += concat(", ", params.b);
  return text + ")";
}

}  // namespace

std::optional<ElementFunction> element_function(const graph::Node& node) {
  if (node.op == nullptr) return std::nullopt;
  const auto found = all_functions().find(node.op->name);
  return found != all_functions().end() ? found->second(node.attrs) : std::nullopt;
}

std::vector<std::string> element_function_names() {
  std::vector<std::string> names;
  for (const auto& [name, function] : all_functions()) names.push_back(name);
  return names;
}

Step lower_element_function(LowerContext& ctx) {
  const auto function = element_function(ctx.node());
  if (!function) fail(ErrorCode::internal, "it has no element function");
  switch (function->kind) {
    case ElementFunction::Kind::unary:
      return lower_unary(ctx, function->name, function->params);
    case ElementFunction::Kind::binary:
      return lower_binary(ctx, function->name);
    case ElementFunction::Kind::scalar:
    case ElementFunction::Kind::of_scalar:
      break;
  }
  return lower_binary_scalar(ctx, function->name, function->scalar,
                             function->kind == ElementFunction::Kind::of_scalar);
}

std::optional<ElementProgram> element_program(const Graph& graph, const std::vector<Shape>& inputs) {
  Writer writer(inputs);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (!writer.add(static_cast<std::int32_t>(id), graph.nodes[id])) return std::nullopt;
  }
  if (!writer.ends_in(graph.heads)) return std::nullopt;
  return writer.take();
}

std::string to_text(const ElementProgram& program) {
  std::string text;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (i + 1 < program.size()) text += concat("t", i, " = ");
    text += to_text(program[i]) + (i + 1 < program.size() ? "; " : "");
  }
  return text;
}

}  // namespace mxinfer::ops
