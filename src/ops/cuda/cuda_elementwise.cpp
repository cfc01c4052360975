// Element-wise operators: each is an ElementProgram, as are chains of them.
#include <cmath>
#include <limits>

#include "ops/cuda/element_code.h"
#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/where.h"
#include "ops/layout/channels_last.h"
#include "ops/nn/normalization/normalization.h"

namespace mxinfer::ops {
namespace {

using OperandKind = ElementOperand::Kind;

constexpr const char* kElementwise = "elementwise";

ElementOperand input_operand(std::size_t i) {
  return {OperandKind::input, i, 0};
}
ElementOperand number_operand(double number) {
  return {OperandKind::number, 0, number};
}

/// A program that grows at its end.
struct ElementProgramOf {
  const OpProblem& node;
  ElementProgram program{};

  ElementOperand last() const { return {OperandKind::result, program.size() - 1, 0}; }
  void add(std::string function, std::vector<ElementOperand> operands, kernels::UnaryParams params = {}) {
    program.push_back({std::move(function), params, std::move(operands), node.output(0).shape});
  }
  /// What passes have fused behind the operator. Values of float16 are rounded before it.
  void add_post_ops() {
    const graph::PostOps& post_ops = node.post_ops();
    const bool rounds = arithmetic_type(node.output(0)) == DType::float16;
    if (post_ops.residual) {
      if (rounds) add("round_float16", {last()});
      add("add", {last(), input_operand(node.num_inputs() - 1)});
    }
    if (post_ops.activation != graph::Activation::none) {
      if (rounds) add("round_float16", {last()});
      const ElementFunction activation = activation_function(post_ops);
      add(activation.name, {last()}, activation.params);
    }
  }
};

std::vector<ElementCodeInput> element_inputs(const OpProblem& node) {
  std::vector<ElementCodeInput> inputs;
  for (std::size_t i = 0; i < node.num_inputs(); ++i)
    inputs.push_back({node.input(i).dtype, node.input(i).shape});
  return inputs;
}

Implementations as_program(const ElementProgram& program, const std::vector<ElementCodeInput>& inputs,
                           DType dtype, const TensorType& out) {
  ElementCode code = element_code(program, inputs, dtype, out);
  if (!code.rejects.empty()) return rejected(kElementwise, code.rejects);
  return only(kElementwise,
              [code = std::move(code)](LowerContext& context) { return element_step(context, code); });
}

Implementations as_program(const ElementProgramOf& made, DType dtype) {
  return as_program(made.program, element_inputs(made.node), dtype, made.node.output(0));
}

/// The function of integers that a function of booleans is.
std::string of_booleans(const std::string& function) {
  if (function == "add") return "logical_or";
  if (function == "mul") return "logical_and";
  return function == "bitwise_not" ? "logical_not" : function;
}

/// Input i, rounded first where it is of another type than the result, of float16, is computed in.
ElementOperand operand_of(ElementProgramOf& made, std::size_t i, DType dtype) {
  if (dtype != DType::float16 || arithmetic_type(made.node.input(i)) == dtype) return input_operand(i);
  made.add("round_float16", {input_operand(i)});
  return made.last();
}

Implementations by_function(const OpProblem& node, const ElementFunction& function) {
  using Kind = ElementFunction::Kind;
  ElementProgramOf made{node};
  const DType dtype = arithmetic_type(node.output(0));
  std::string name = dtype == DType::boolean ? of_booleans(function.name) : function.name;
  // As lower_binary_scalar: integers below a number are divided in float.
  if (function.kind == Kind::of_scalar && name == "div") name = "float_div";
  switch (function.kind) {
    case Kind::unary:
      made.add(name, {input_operand(0)}, function.params);
      break;
    case Kind::binary: {
      const ElementOperand a = operand_of(made, 0, dtype), b = operand_of(made, 1, dtype);
      made.add(name, {a, b});
      break;
    }
    case Kind::scalar:
      made.add(name, {input_operand(0), number_operand(function.scalar)});
      break;
    case Kind::of_scalar:
      made.add(name, {number_operand(function.scalar), input_operand(0)});
      break;
  }
  made.add_post_ops();
  return as_program(made, dtype);
}

Implementations prelu(const OpProblem& node, const Shape& gamma) {
  ElementProgramOf made{node};
  made.add("prelu", {input_operand(0), input_operand(1)});
  made.add_post_ops();
  std::vector<ElementCodeInput> inputs = element_inputs(node);
  inputs[1].shape = gamma;
  return as_program(made.program, inputs, arithmetic_type(node.output(0)), node.output(0));
}

Implementations element_function_implementations(const OpProblem& node, const device::CudaDevice&) {
  if (const auto function = element_function(node.node())) return by_function(node, *function);
  // What is left of the operators with functions is LeakyReLU.
  return prelu(node, prelu_gamma_shape(node.input(0).shape, node.input(1).shape));
}

Implementations prelu_nhwc_implementations(const OpProblem& node, const device::CudaDevice&) {
  const Shape nchw = to_channels_first(node.input(0).shape);
  return prelu(node, to_channels_last(prelu_gamma_shape(nchw, node.input(1).shape)));
}

/// Whether all values are float32, or halves that stand for it.
bool computes_float32(const OpProblem& node) {
  for (std::size_t i = 0; i < node.num_inputs(); ++i) {
    if (arithmetic_type(node.input(i)) != DType::float32) return false;
  }
  return arithmetic_type(node.output(0)) == DType::float32;
}

Implementations chain_implementations(const OpProblem& node, const device::CudaDevice&) {
  if (!computes_float32(node)) return rejected(kElementwise, not_all_of_type(DType::float32));
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < node.num_inputs(); ++i) shapes.push_back(node.input(i).shape);
  const auto program = element_program(*node.node().subgraphs.at(0), shapes);
  if (!program) return rejected(kElementwise, "an operator in it is not an element-wise function");
  return as_program(*program, element_inputs(node), DType::float32, node.output(0));
}

Implementations add_n_implementations(const OpProblem& node, const device::CudaDevice&) {
  ElementProgramOf made{node};
  made.add("identity", {input_operand(0)});
  for (std::size_t i = 1; i < node.num_inputs(); ++i) made.add("add", {made.last(), input_operand(i)});
  made.add_post_ops();
  const DType dtype = arithmetic_type(node.output(0));
  if (dtype == DType::float16) return rejected(kElementwise, "of float16, each sum is rounded");
  return as_program(made, dtype);
}

Implementations where_implementations(const OpProblem& node, const device::CudaDevice&) {
  ElementProgramOf made{node};
  made.add("identity", {input_operand(0)});
  made.add("select", {input_operand(1), input_operand(2)});
  std::vector<ElementCodeInput> inputs = element_inputs(node);
  inputs[0].truth = true;
  if (inputs[0].shape != inputs[1].shape) {  // a condition for each row
    while (inputs[0].shape.rank() < inputs[1].shape.rank()) inputs[0].shape.push_back(1);
  }
  // Elements are moved, not computed: 8-bit integers fit.
  DType dtype = arithmetic_type(node.output(0));
  if (size_of(dtype) == 1) dtype = DType::int32;
  return as_program(made.program, inputs, dtype, node.output(0));
}

ElementOperand choice_operand(const WhereChoice& choice, DType out) {
  if (!choice.number) return input_operand(choice.input);
  // Of 8 bits, values are of int32 until they are stored.
  if (out == DType::boolean) return number_operand(*choice.number != 0 ? 1 : 0);
  return number_operand(*choice.number);
}

Implementations numpy_where_implementations(const OpProblem& node, const device::CudaDevice&) {
  ElementProgramOf made{node};
  DType dtype = arithmetic_type(node.output(0));
  const WhereChoices choices = where_choices(node.node());
  made.add("identity", {input_operand(0)});
  made.add("select", {choice_operand(choices.x, dtype), choice_operand(choices.y, dtype)});
  std::vector<ElementCodeInput> inputs = element_inputs(node);
  inputs[0].truth = true;
  if (size_of(dtype) == 1) dtype = DType::int32;
  return as_program(made.program, inputs, dtype, node.output(0));
}

bool is_floating(DType dtype) {
  return dtype == DType::float16 || dtype == DType::float32 || dtype == DType::float64;
}

CudaImplementationsFn predicate(const std::string& function) {
  return [function](const OpProblem& node, const device::CudaDevice&) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ElementProgramOf made{node};
    const ElementOperand x = input_operand(0);
    const DType dtype = arithmetic_type(node.input(0));
    if (function == "logical_not") {
      made.add(function, {x});
    } else if (!is_floating(dtype)) {
      made.add(function == "isfinite" ? "ones_like" : "zeros_like", {x});
    } else if (function == "isnan") {
      made.add("not_equal", {x, x});
    } else if (function == "isposinf" || function == "isneginf") {
      made.add("equal", {x, number_operand(function == "isposinf" ? kInfinity : -kInfinity)});
    } else {
      made.add("abs", {x});
      made.add(function == "isinf" ? "equal" : "lesser", {made.last(), number_operand(kInfinity)});
    }
    return as_program(made, dtype);
  };
}

Implementations nan_to_num_implementations(const OpProblem& node, const device::CudaDevice&) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const DType dtype = arithmetic_type(node.output(0));
  if (!is_floating(dtype)) return only("alias", node.node().op->lower);
  const kernels::UnaryParams numbers = nan_to_num_params(node.attrs(), dtype);
  ElementProgramOf made{node};
  const ElementOperand x = input_operand(0);
  made.add("equal", {x, number_operand(kInfinity)});
  made.add("select", {number_operand(numbers.b), x});
  const ElementOperand below = made.last();
  made.add("equal", {x, number_operand(-kInfinity)});
  made.add("select", {number_operand(numbers.c), below});
  const ElementOperand finite = made.last();
  made.add("equal", {x, x});
  made.add("select", {finite, number_operand(numbers.a)});
  return as_program(made, dtype);
}

Implementations cast_implementations(const OpProblem& node, const device::CudaDevice&) {
  if (node.input(0).dtype == node.output(0).dtype) return only("alias", node.node().op->lower);
  ElementProgramOf made{node};
  made.add("identity", {input_operand(0)});
  return as_program(made, arithmetic_type(node.input(0)));
}

CudaImplementationsFn comparison(const char* function, bool with_scalar) {
  return [=](const OpProblem& node, const device::CudaDevice&) {
    ElementProgramOf made{node};
    const DType data = arithmetic_type(node.input(0));
    made.add(function, {input_operand(0),
                        with_scalar ? number_operand(node.attrs().number("scalar")) : input_operand(1)});
    return as_program(made, with_scalar ? comparison_dtype(node.attrs(), data) : data);
  };
}

Implementations div_sqrt_dim_implementations(const OpProblem& node, const device::CudaDevice&) {
  ElementProgramOf made{node};
  const double size = static_cast<double>(node.input(0).shape.back());
  made.add("div", {input_operand(0), number_operand(std::sqrt(size))});
  made.add_post_ops();
  return as_program(made, arithmetic_type(node.output(0)));
}

Implementations quadratic_implementations(const OpProblem& node, const device::CudaDevice&) {
  if (!all_of_type(node, DType::float32)) return rejected(kElementwise, not_all_of_type(DType::float32));
  const auto number = [&](const char* name) { return number_operand(node.attrs().number32(name)); };
  ElementProgramOf made{node};
  made.add("mul", {input_operand(0), number("a")});
  made.add("mul", {made.last(), input_operand(0)});
  const ElementOperand square = made.last();
  made.add("mul", {input_operand(0), number("b")});
  made.add("add", {square, made.last()});
  made.add("add", {made.last(), number("c")});
  return as_program(made, DType::float32);
}

Implementations logistic_implementations(const OpProblem& node, const device::CudaDevice&) {
  return by_function(node, unary_function("sigmoid"));
}

Implementations identity_implementations(const OpProblem& node, const device::CudaDevice&) {
  return only("alias", node.node().op->lower);
}

}  // namespace

std::vector<CudaOp> cuda_elementwise_ops() {
  std::vector<CudaOp> ops = {
      {"_mxinfer_elementwise_chain", chain_implementations},
      {"_mxinfer_prelu_nhwc", prelu_nhwc_implementations},
      {"add_n", add_n_implementations},
      {"where", where_implementations},
      {"_npi_nan_to_num", nan_to_num_implementations},
      {"Cast", cast_implementations},
      {"amp_cast", cast_implementations},
      {"_contrib_div_sqrt_dim", div_sqrt_dim_implementations},
      {"LogisticRegressionOutput", logistic_implementations},
  };
  for (const auto& [name, function] : {std::pair{"equal", "equal"},
                                       {"not_equal", "not_equal"},
                                       {"greater", "greater"},
                                       {"greater_equal", "greater_equal"},
                                       {"less", "lesser"},
                                       {"less_equal", "lesser_equal"}}) {
    ops.push_back({concat("_npi_", name), comparison(function, false)});
    ops.push_back({concat("_npi_", name, "_scalar"), comparison(function, true)});
  }
  for (const char* name : {"_npi_where", "_npi_where_lscalar", "_npi_where_rscalar", "_npi_where_scalar2"})
    ops.push_back({name, numpy_where_implementations});
  for (const char* name : {"isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not"})
    ops.push_back({concat("_npi_", name), predicate(name)});
  for (const std::string& name : element_function_names())
    ops.push_back({name, element_function_implementations});
  for (CudaOp& op : ops) op.halves.form = HalfForm::any_type;
  for (const char* name :
       {"_copy", "_copyto", "_np_copy", "_CrossDeviceCopy", "BlockGrad", "make_loss", "MakeLoss", "Dropout",
        "_contrib_gradientmultiplier", "IdentityAttachKLSparseReg", "_identity_with_attr_like_rhs",
        "LinearRegressionOutput", "MAERegressionOutput", "SVMOutput"})
    ops.push_back(with_halves({name, identity_implementations}, HalfForm::moves, reads_first));
  ops.push_back({"_contrib_quadratic", quadratic_implementations});
  return ops;
}

}  // namespace mxinfer::ops
