// depth_to_space and space_to_depth: blocks of pixels become channels and back.
#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"

namespace mxinfer::ops {
namespace {

std::int64_t block_of(const Attrs& attrs, const Shape& shape) {
  if (shape.rank() != 4) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
         " was given; expected (n, c, h, w)");
  }
  return attrs.integer("block_size");
}

[[noreturn]] void fail_block(std::int64_t block, const Shape& shape) {
  fail(ErrorCode::invalid_argument, "block_size=", block, " does not divide an input of shape ",
       to_string(shape));
}

std::vector<TensorType> infer_depth_to_space(const InferContext& context) {
  Shape shape = context.shape(0);
  const std::int64_t block = block_of(context.attrs, shape);
  const auto square = checked_mul(block, block);
  if (!square || shape[1] % *square != 0 || !checked_mul(shape[2], block) || !checked_mul(shape[3], block)) {
    fail_block(block, shape);
  }
  return {{context.dtype(0), Shape{shape[0], shape[1] / *square, shape[2] * block, shape[3] * block}}};
}

// Channel (by * block + bx) * c_out + c of pixel (y, x) becomes channel c of pixel (y * block + by, x * block
// + bx).
Step lower_depth_to_space(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const Shape& out = context.output(0).shape;
  const std::int64_t block = context.attrs().integer("block_size");
  const auto src = row_major_strides(in), dst = row_major_strides(out);
  Walk walk;
  walk.add(in[0], src[0], dst[0]);
  walk.add(out[1], src[1], dst[1]);
  walk.add(in[2], src[2], block * dst[2]);
  walk.add(block, block * out[1] * src[1], dst[2]);
  walk.add(in[3], src[3], block * dst[3]);
  walk.add(block, out[1] * src[1], dst[3]);
  return copy_step(context, {{0, 0, walk}});
}

std::vector<TensorType> infer_space_to_depth(const InferContext& context) {
  Shape shape = context.shape(0);
  const std::int64_t block = block_of(context.attrs, shape);
  const auto square = checked_mul(block, block);
  if (!square || shape[2] % block != 0 || shape[3] % block != 0 || !checked_mul(shape[1], *square)) {
    fail_block(block, shape);
  }
  return {{context.dtype(0), Shape{shape[0], shape[1] * *square, shape[2] / block, shape[3] / block}}};
}

Step lower_space_to_depth(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const Shape& out = context.output(0).shape;
  const std::int64_t block = context.attrs().integer("block_size");
  const auto src = row_major_strides(in), dst = row_major_strides(out);
  Walk walk;
  walk.add(in[0], src[0], dst[0]);
  walk.add(block, src[2], block * in[1] * dst[1]);
  walk.add(block, src[3], in[1] * dst[1]);
  walk.add(in[1], src[1], dst[1]);
  walk.add(out[2], block * src[2], dst[2]);
  walk.add(out[3], block * src[3], dst[3]);
  return copy_step(context, {{0, 0, walk}});
}

}  // namespace

std::vector<OpDef> depth_space_ops() {
  OpDef depth;
  depth.name = "depth_to_space";
  depth.summary = "(n, b * b * c, h, w) becomes (n, c, h * b, w * b) for b = block_size.";
  depth.attrs = {graph::integer_attr("block_size").at_least(1)};
  depth.infer = infer_depth_to_space;
  depth.lower = lower_depth_to_space;

  OpDef space;
  space.name = "space_to_depth";
  space.summary = "(n, c, h * b, w * b) becomes (n, b * b * c, h, w) for b = block_size.";
  space.attrs = {graph::integer_attr("block_size").at_least(1)};
  space.infer = infer_space_to_depth;
  space.lower = lower_space_to_depth;

  return {depth, space};
}

}  // namespace mxinfer::ops
