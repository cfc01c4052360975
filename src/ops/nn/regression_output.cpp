// Outputs of training whose value at inference does not depend on the label.
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

OpDef output(std::string name, std::vector<std::string> aliases, std::string summary,
             std::vector<AttrSpec> attrs) {
  OpDef op;
  op.name = std::move(name);
  op.aliases = std::move(aliases);
  op.summary = std::move(summary);
  op.attrs = std::move(attrs);
  op.inputs = [](const Attrs&) { return PortNames{{"data", "label"}}; };
  op.training_inputs = {"label"};
  op.op_class = OpClass::loss_output;
  op.infer = infer_same;
  op.lower = lower_identity;
  return op;
}

std::vector<AttrSpec> grad_scale() {
  return {graph::number_attr("grad_scale", 1.0).without_effect()};
}

OpDef logistic() {
  OpDef op = output("LogisticRegressionOutput", {"_sparse_LogisticRegressionOutput"}, "1 / (1 + exp(-x)).",
                    grad_scale());
  op.infer = infer_same_float;
  op.lower = [](LowerContext& ctx) { return lower_unary(ctx, "sigmoid"); };
  return op;
}

}  // namespace

std::vector<OpDef> regression_outputs() {
  return {
      output("LinearRegressionOutput", {"_sparse_LinearRegressionOutput"}, "The input.", grad_scale()),
      output("MAERegressionOutput", {"_sparse_MAERegressionOutput"}, "The input.", grad_scale()),
      logistic(),
      output("SVMOutput", {}, "The input.",
             {graph::number_attr("margin", 1.0).without_effect(),
              graph::number_attr("regularization_coefficient", 1.0).without_effect(),
              graph::flag_attr("use_linear", false).without_effect()}),
  };
}

}  // namespace mxinfer::ops
