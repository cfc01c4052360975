#include "ops/elementwise/element_function.h"

#include "base/fail.h"
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

}  // namespace mxinfer::ops
