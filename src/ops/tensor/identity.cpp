// Operators that hand on their input at inference.
#include "base/fail.h"
#include "ops/elementwise/elementwise.h"
#include "ops/refused_ops.h"

namespace mxinfer::ops {
namespace {

OpDef identity(std::string name, std::vector<std::string> aliases, std::string summary) {
  OpDef op;
  op.name = std::move(name);
  op.aliases = std::move(aliases);
  op.summary = std::move(summary);
  op.op_class = OpClass::identity;
  op.traits.elementwise = Elementwise::same_shape;
  op.infer = infer_same;
  op.unify = unify_equal;
  op.lower = lower_identity;
  return op;
}

OpDef dropout() {
  OpDef op = identity("Dropout", {"_npx_dropout"}, "The input: nothing is dropped at inference.");
  op.attrs = {graph::number_attr("p", 0.5).at_least(0).at_most(1),
              graph::choice_attr("mode", {"always", "training"}, "training"),
              graph::tuple_attr("axes", "()").without_effect(),
              graph::flag_attr("cudnn_off", false).optional_none().without_effect()};
  op.infer = [def = op](const InferContext& ctx) {
    if (const std::string why = why_refused(def, ctx.attrs); !why.empty())
      fail(ErrorCode::unsupported, "it ", why);
    return infer_same(ctx);
  };
  return op;
}

OpDef make_loss() {
  OpDef op = identity("MakeLoss", {}, "The input; its attributes only affect the gradient.");
  op.attrs = {graph::number_attr("grad_scale", 1.0).without_effect(),
              graph::number_attr("valid_thresh", 0.0).without_effect(),
              graph::choice_attr("normalization", {"batch", "null", "valid"}, "null").without_effect()};
  return op;
}

OpDef gradient_multiplier() {
  OpDef op =
      identity("_contrib_gradientmultiplier", {}, "The input; the scalar only multiplies the gradient.");
  op.attrs = {graph::number_attr("scalar", 1.0).without_effect(),
              graph::flag_attr("is_int", true).without_effect()};
  return op;
}

OpDef kl_sparse_reg() {
  OpDef op = identity("IdentityAttachKLSparseReg", {}, "The input; only the gradient gets a penalty.");
  op.attrs = {graph::number_attr("sparseness_target", 0.1).without_effect(),
              graph::number_attr("penalty", 0.001).without_effect(),
              graph::number_attr("momentum", 0.9).without_effect()};
  op.traits = {.keeps_shape = true};
  op.inputs = [](const Attrs&) { return PortNames{{"data", "moving_avg"}}; };
  op.auxiliary = {"moving_avg"};
  return op;
}

OpDef copy_with_attributes_of() {
  OpDef op = identity("_identity_with_attr_like_rhs", {}, "lhs.");
  op.traits = {.keeps_shape = true};
  op.inputs = [](const Attrs&) { return PortNames{{"lhs", "rhs"}}; };
  return op;
}

OpDef np_copy() {
  OpDef op = identity("_np_copy", {}, "The input.");
  op.inputs = [](const Attrs&) { return PortNames{{"a"}}; };
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
      make_loss(),
      dropout(),
      gradient_multiplier(),
      kl_sparse_reg(),
      copy_with_attributes_of(),
  };
}

}  // namespace mxinfer::ops
