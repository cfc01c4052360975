// ElementFunction: what an operator does to each element, for operators that are one loop of
// kernels/elementwise and nothing else. ElementProgram: what a graph of such operators does, one instruction
// after another, the post-ops of its nodes as instructions of their own. The last one gives the output.
//
//   element_function(node)   // {Kind::scalar, "add", {}, 3.0} for _plus_scalar with scalar=3
//   const auto program = element_program(graph, {{1, 56, 56, 64}, {1, 1, 1, 64}});
//   to_text(*program);       // "t0 = mul(x0, x1); relu(t0)"
#pragma once

#include <map>

#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/unary.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct ElementFunction {
  enum class Kind : std::uint8_t {
    unary,      ///< f(input 0)
    binary,     ///< f(input 0, input 1), broadcast together
    scalar,     ///< f(input 0, scalar)
    of_scalar,  ///< f(scalar, input 0)
  };
  Kind kind = Kind::unary;
  std::string name;               ///< of kernels/elementwise/unary.h, or binary.h
  kernels::UnaryParams params{};  ///< of unary
  double scalar = 0;
};

inline ElementFunction unary_function(std::string name, kernels::UnaryParams params = {}) {
  return {ElementFunction::Kind::unary, std::move(name), params, 0};
}

/// What lower() computes for each element, before the post-ops; nothing for other operators, and under
/// attributes that ask for more.
std::optional<ElementFunction> element_function(const graph::Node& node);

/// The operators that have one under some attributes.
std::vector<std::string> element_function_names();

/// The activation of post-ops, which is not none.
ElementFunction activation_function(const graph::PostOps& post_ops);

/// OpDef::lower of an operator that has an element_function: output 0 = that of its inputs, then the
/// post-ops.
Step lower_element_function(LowerContext& ctx);

/// Which of a binary kernel's loops fits operands that advance along a row, or are one element.
kernels::BinaryFn binary_loop(const kernels::BinaryKernel& kernel, bool lhs_advances, bool rhs_advances);

/// The functions of a family's operators, by name, from their attributes: each family adds its own.
using ElementFunctions = std::map<std::string, std::function<std::optional<ElementFunction>(const Attrs&)>>;
void add_activation_functions(ElementFunctions& functions);
void add_binary_functions(ElementFunctions& functions);
void add_fill_nan_function(ElementFunctions& functions);
void add_scalar_functions(ElementFunctions& functions);
void add_unary_functions(ElementFunctions& functions);

struct ElementOperand {
  enum class Kind : std::uint8_t { input, result, number };
  Kind kind = Kind::input;
  std::size_t index = 0;  ///< of the graph's input; of the instruction
  double number = 0;
};

struct ElementInstruction {
  std::string function;           ///< of kernels/elementwise/unary.h; of binary.h with two operands
  kernels::UnaryParams params{};  ///< of a function of one operand
  std::vector<ElementOperand> operands;
  Shape shape;  ///< of the result
};

using ElementProgram = std::vector<ElementInstruction>;

/// Nothing if some node has no element_function, or the graph's only output is not its last node.
/// Precondition: infer has accepted the graph for inputs of these shapes.
std::optional<ElementProgram> element_program(const graph::Graph& graph, const std::vector<Shape>& inputs);

/// For explain. Inputs are x0, x1, ..., results t0, t1, ...
std::string to_text(const ElementProgram& program);

}  // namespace mxinfer::ops
