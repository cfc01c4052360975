// Operators that hand on their input at inference, and outputs of training whose value at inference does not
// depend on the label.
#include "ops/elementwise/elementwise.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

OpDef identity(std::string name, std::vector<std::string> aliases, std::string summary,
               std::vector<AttrSpec> attrs = {}) {
  return {.name = std::move(name),
          .aliases = std::move(aliases),
          .summary = std::move(summary),
          .attrs = std::move(attrs),
          .op_class = OpClass::identity,
          .traits = {.elementwise = Elementwise::same_shape},
          .infer = infer_same,
          .lower = lower_identity,
          .unify = unify_equal};
}

OpDef dropout() {
  OpDef op = identity("Dropout", {"_npx_dropout"}, "The input: nothing is dropped at inference.");
  op.attrs = {number_attr("p", 0.5).at_least(0).at_most(1),
              choice_attr("mode", {"always", "training"}, "training"),
              tuple_attr("axes", "()").without_effect(),
              flag_attr("cudnn_off", false).optional_none().without_effect()};
  op.infer = [def = op](const InferContext& ctx) {
    if (const std::string why = why_refused(def, ctx.attrs); !why.empty())
      fail(ErrorCode::unsupported, "it ", why);
    return infer_same(ctx);
  };
  return op;
}

OpDef kl_sparse_reg() {
  OpDef op = identity("IdentityAttachKLSparseReg", {}, "The input; only the gradient gets a penalty.");
  op.attrs = {number_attr("sparseness_target", 0.1).without_effect(),
              number_attr("penalty", 0.001).without_effect(), number_attr("momentum", 0.9).without_effect()};
  op.traits = {.keeps_shape = true};
  op.inputs = named_ports({"data", "moving_avg"});
  op.auxiliary = {"moving_avg"};
  return op;
}

OpDef copy_with_attributes_of() {
  OpDef op = identity("_identity_with_attr_like_rhs", {}, "lhs.");
  op.traits = {.keeps_shape = true};
  op.inputs = named_ports({"lhs", "rhs"});
  return op;
}

OpDef np_copy() {
  OpDef op = identity("_np_copy", {}, "The input.");
  op.inputs = named_ports({"a"});
  return op;
}

OpDef output(std::string name, std::vector<std::string> aliases, std::string summary,
             std::vector<AttrSpec> attrs) {
  return {.name = std::move(name),
          .aliases = std::move(aliases),
          .summary = std::move(summary),
          .attrs = std::move(attrs),
          .inputs = named_ports({"data", "label"}),
          .training_inputs = {"label"},
          .op_class = OpClass::loss_output,
          .infer = infer_same,
          .lower = lower_identity};
}

std::vector<AttrSpec> grad_scale() {
  return {number_attr("grad_scale", 1.0).without_effect()};
}

OpDef logistic() {
  OpDef op = output("LogisticRegressionOutput", {"_sparse_LogisticRegressionOutput"}, "1 / (1 + exp(-x)).",
                    grad_scale());
  op.infer = infer_same_float;
  op.lower = [](LowerContext& ctx) { return lower_unary(ctx, "sigmoid"); };
  return op;
}

}  // namespace

std::vector<OpDef> identity_ops() {
  return {
      identity("_copy", {"identity"}, "The input."),
      identity("_copyto", {"_npi_copyto"}, "The input."),
      np_copy(),
      identity("_CrossDeviceCopy", {}, "The input."),
      identity("BlockGrad", {"_sparse_stop_gradient", "stop_gradient"},
               "The input; in training, it blocks the gradient."),
      identity("make_loss", {"_sparse_make_loss"}, "The input."),
      identity(
          "MakeLoss", {}, "The input; its attributes only affect the gradient.",
          {number_attr("grad_scale", 1.0).without_effect(), number_attr("valid_thresh", 0.0).without_effect(),
           choice_attr("normalization", {"batch", "null", "valid"}, "null").without_effect()}),
      dropout(),
      identity("_contrib_gradientmultiplier", {}, "The input; the scalar only multiplies the gradient.",
               {number_attr("scalar", 1.0).without_effect(), flag_attr("is_int", true).without_effect()}),
      kl_sparse_reg(),
      copy_with_attributes_of(),
      output("LinearRegressionOutput", {"_sparse_LinearRegressionOutput"}, "The input.", grad_scale()),
      output("MAERegressionOutput", {"_sparse_MAERegressionOutput"}, "The input.", grad_scale()),
      logistic(),
      output("SVMOutput", {}, "The input.",
             {number_attr("margin", 1.0).without_effect(),
              number_attr("regularization_coefficient", 1.0).without_effect(),
              flag_attr("use_linear", false).without_effect()}),
  };
}

}  // namespace mxinfer::ops
