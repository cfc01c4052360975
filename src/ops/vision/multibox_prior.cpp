// MultiBoxPrior: the anchors of a feature map, known when its size is.
#include "ops/vision/multibox_prior.h"

#include <mxinfer/tensor.h>

#include <cmath>
#include <string>

#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/real_inputs.h"

namespace mxinfer::ops {
namespace {

std::vector<float> floats(const Attrs& attrs, std::string_view name) {
  const std::vector<double>& numbers = attrs.number_tuple(name);
  std::vector<float> values;
  for (double number : numbers) values.push_back(static_cast<float>(number));
  return values;
}

// The two values of an attribute, y first.
std::vector<float> pair_of(const Attrs& attrs, std::string_view name) {
  std::vector<float> values = floats(attrs, name);
  if (values.size() != 2) {
    fail(ErrorCode::malformed, "attribute ", name, " has ", values.size(), " numbers; expected 2, y and x");
  }
  return values;
}

void require_some(const Attrs& attrs, std::string_view name) {
  if (attrs.number_tuple(name).empty()) fail(ErrorCode::malformed, "attribute ", name, " has no numbers");
}

std::vector<TensorType> infer_prior(const InferContext& context) {
  require_float32_inputs(context);
  const Shape& shape = context.shape(0);
  require_rank_at_least(shape, 4);
  require_some(context.attrs, "sizes");
  require_some(context.attrs, "ratios");
  pair_of(context.attrs, "offsets");
  const std::vector<float> steps = pair_of(context.attrs, "steps");
  if (steps[0] * steps[1] < 0) {
    fail(ErrorCode::malformed, "attribute steps gives only one of ", steps[0], " and ", steps[1],
         "; expected both or none");
  }
  const auto boxes = static_cast<std::int64_t>(context.attrs.number_tuple("sizes").size() +
                                               context.attrs.number_tuple("ratios").size() - 1);
  return {{DType::float32, Shape{1, Shape{shape[2], shape[3], boxes}.elements(), 4}}};
}

Step lower_prior(LowerContext& context) {
  Tensor anchors(DType::float32, context.output(0).shape);
  MultiBoxPriorProblem problem = multibox_prior_problem(context.attrs(), context.input(0).shape);
  problem.args.dst = anchors.data<float>();
  problem.args.sizes = problem.sizes.data();
  problem.args.ratios = problem.ratios.data();
  kernels::multibox_prior(problem.args);
  return constant_step(std::move(anchors));
}

}  // namespace

MultiBoxPriorProblem multibox_prior_problem(const Attrs& attrs, const Shape& map) {
  MultiBoxPriorProblem problem{{}, floats(attrs, "sizes"), floats(attrs, "ratios")};
  const std::vector<float> steps = pair_of(attrs, "steps"), offsets = pair_of(attrs, "offsets");
  kernels::MultiBoxPriorArgs& args = problem.args;
  args.rows = map[2];
  args.columns = map[3];
  args.size_count = static_cast<std::int64_t>(problem.sizes.size());
  args.ratio_count = static_cast<std::int64_t>(problem.ratios.size());
  const bool given = steps[0] > 0 && steps[1] > 0;
  args.step_y = given ? steps[0] : 1.0f / static_cast<float>(args.rows);
  args.step_x = given ? steps[1] : 1.0f / static_cast<float>(args.columns);
  args.offset_y = offsets[0];
  args.offset_x = offsets[1];
  args.clip = attrs.flag("clip");
  return problem;
}

std::vector<OpDef> multibox_prior_ops() {
  OpDef op;
  op.name = "_contrib_MultiBoxPrior";
  op.aliases = {"_npx_multibox_prior"};
  op.summary = "The anchors of a feature map: boxes of several sizes and ratios around each pixel's center.";
  op.attrs = {graph::number_tuple_attr("sizes", "(1,)"), graph::number_tuple_attr("ratios", "(1,)"),
              graph::flag_attr("clip", false), graph::number_tuple_attr("steps", "(-1, -1)"),
              graph::number_tuple_attr("offsets", "(0.5, 0.5)")};
  op.traits.float16_on_gpus = true;
  op.infer = infer_prior;
  op.lower = lower_prior;
  return {op};
}

}  // namespace mxinfer::ops
