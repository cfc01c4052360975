// ElementProgram: what a graph of element-wise operators does, one instruction after another, the
// post-ops of its nodes as instructions of their own. The last one gives the output.
//
//   const auto program = element_program(graph, {{1, 56, 56, 64}, {1, 1, 1, 64}});
//   to_text(*program);   // "t0 = mul(x0, x1); relu(t0)"
#pragma once

#include <mxinfer/shape.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernels/elementwise/unary.h"

namespace mxinfer::ops {

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
