// _mxinfer_upsampling_nhwc: what a pass makes of a nearest UpSampling of one input that is channels-last. All
// the channels of a position move together.
#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/common/unify_sizes.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_upsampling_nhwc(const InferContext& context) {
  Shape shape = context.shape(0);
  if (shape.rank() != 4) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
         " was given; expected four dimensions");
  }
  for (std::size_t d = 1; d < 3; ++d) {
    const auto size = checked_mul(shape[d], context.attrs.integer("scale"));
    if (!size)
      fail(ErrorCode::invalid_argument, "scale makes an input of shape ", to_string(shape), " too large");
    shape[d] = *size;
  }
  return {{context.dtype(0), shape}};
}

// dst[n][y][i][x][j][c] = src[n][y][x][c], i and j below scale.
Step lower_upsampling_nhwc(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const std::int64_t scale = context.attrs().integer("scale");
  const std::vector<std::int64_t> src = strides_of(context.input(0));
  const std::vector<std::int64_t> dst = strides_of(context.output(0));
  Walk walk;
  walk.add(in[0], src[0], dst[0]);
  walk.add(in[1], src[1], scale * dst[1]);
  walk.add(scale, 0, dst[1]);
  walk.add(in[2], src[2], scale * dst[2]);
  walk.add(scale, 0, dst[2]);
  walk.add(in[3], 1, 1);
  return copy_step(context, {{0, 0, walk}});
}

}  // namespace

std::vector<OpDef> upsampling_nhwc() {
  OpDef op;
  op.name = "_mxinfer_upsampling_nhwc";
  op.made_by_passes = true;
  op.traits.per_sample = always_per_sample;
  op.traits.output_rank = always_same_rank;
  op.summary =
      "Made by a pass: UpSampling, nearest, of one input that is channels-last, (N, height, width, C).";
  op.attrs = {graph::integer_attr("scale").at_least(1).at_most(1000)};
  op.traits.strided_output = [](const Attrs&, std::size_t) { return true; };
  op.traits.strided_input = [](const Attrs&, std::size_t) { return true; };
  op.infer = infer_upsampling_nhwc;
  op.unify = unify_batch;
  op.lower = lower_upsampling_nhwc;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
