// ElementFunction: what an operator does to each element, for operators that are one loop of
// kernels/elementwise and nothing else.
//
//   element_function(node)   // {Kind::scalar, "add", {}, 3.0} for _plus_scalar with scalar=3
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace mxinfer::ops
