#include "kernels/boxes/boxes_cuda.h"
#include "kernels/boxes/overlap_device.h"
#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

__global__ void iou_kernel(BoxIouArgs args, std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const auto a = box_of_numbers(static_cast<const float*>(args.lhs) + i / args.columns * 4, args.format);
    const auto b = box_of_numbers(static_cast<const float*>(args.rhs) + i % args.columns * 4, args.format);
    const float shared = common_area(a, b, 0);
    static_cast<float*>(args.dst)[i] =
        shared > 0 ? simt::div_rn(shared, area_of_union(a.area, b.area, shared)) : 0.0f;
  }
}

/// A side of a box: its center and length.
struct Side {
  float center, length;
};

__device__ __forceinline__ Side side_of_corners(float low, float high) {
  const float length = simt::sub_rn(high, low);
  return {simt::add_rn(low, simt::mul_rn(length, 0.5f)), length};
}

__global__ void encode_kernel(BoxEncodeArgs args, std::int64_t rows) {
  const float* means = static_cast<const float*>(args.means);
  const float* stds = static_cast<const float*>(args.stds);
  for (std::int64_t row = simt::first_index(); row < rows; row += simt::grid_step()) {
    float* target = static_cast<float*>(args.targets) + row * 4;
    float* mask = static_cast<float*>(args.masks) + row * 4;
    const std::int64_t match = convert<std::int32_t>(static_cast<const float*>(args.matches)[row]);
    const bool matched =
        static_cast<const float*>(args.samples)[row] > 0.5f && match >= 0 && match < args.references;
    const std::int64_t reference = matched ? row / args.anchor_count * args.references + match : 0;
    const float* box = static_cast<const float*>(args.refs) + reference * 4;
    const float* anchor = static_cast<const float*>(args.anchors) + row * 4;
    for (int axis = 0; axis < 2; ++axis) {
      float move = 0, scale = 0;
      if (matched) {
        const Side of_box = side_of_corners(box[axis], box[axis + 2]);
        const Side of_anchor = side_of_corners(anchor[axis], anchor[axis + 2]);
        move = simt::sub_rn(of_box.center, of_anchor.center) / of_anchor.length;
        move = simt::sub_rn(move, means[axis]) / stds[axis];
        scale = logf(of_box.length / of_anchor.length);
        scale = simt::sub_rn(scale, means[axis + 2]) / stds[axis + 2];
      }
      target[axis] = move;
      target[axis + 2] = scale;
      mask[axis] = mask[axis + 2] = matched ? 1.0f : 0.0f;
    }
  }
}

__global__ void decode_kernel(BoxDecodeArgs args, std::int64_t rows) {
  for (std::int64_t row = simt::first_index(); row < rows; row += simt::grid_step()) {
    const float* code = static_cast<const float*>(args.data) + row * 4;
    const float* anchor = static_cast<const float*>(args.anchors) + row % args.anchor_count * 4;
    float* dst = static_cast<float*>(args.dst) + row * 4;
    for (int axis = 0; axis < 2; ++axis) {
      const Side side = args.format == BoxFormat::corner ? side_of_corners(anchor[axis], anchor[axis + 2])
                                                         : Side{anchor[axis], anchor[axis + 2]};
      const float center =
          simt::add_rn(simt::mul_rn(simt::mul_rn(code[axis], args.std[axis]), side.length), side.center);
      float scale = simt::mul_rn(code[axis + 2], args.std[axis + 2]);
      if (args.clip > 0 && args.clip < scale) scale = args.clip;
      const float half = simt::mul_rn(simt::mul_rn(simt::exp_rn(scale), side.length), 0.5f);
      dst[axis] = simt::sub_rn(center, half);
      dst[axis + 2] = simt::add_rn(center, half);
    }
  }
}

__device__ __forceinline__ float clip_to_unit(float x, bool clip) {
  const float below = 1 < x ? 1.0f : x;
  return !clip ? x : below < 0 ? 0.0f : below;
}

__global__ void prior_kernel(MultiBoxPriorArgs args, PriorBoxes boxes, std::int64_t of_pixel,
                             std::int64_t count) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t box = i % of_pixel, pixel = i / of_pixel;
    const auto row = static_cast<float>(pixel / args.columns);
    const auto column = static_cast<float>(pixel % args.columns);
    const float y = simt::mul_rn(simt::add_rn(row, args.offset_y), args.step_y);
    const float x = simt::mul_rn(simt::add_rn(column, args.offset_x), args.step_x);
    float* dst = args.dst + i * 4;
    dst[0] = clip_to_unit(simt::sub_rn(x, boxes.half_width[box]), args.clip);
    dst[1] = clip_to_unit(simt::sub_rn(y, boxes.half_height[box]), args.clip);
    dst[2] = clip_to_unit(simt::add_rn(x, boxes.half_width[box]), args.clip);
    dst[3] = clip_to_unit(simt::add_rn(y, boxes.half_height[box]), args.clip);
  }
}

}  // namespace

Status box_iou(const BoxIouArgs& args, std::int64_t rows, const Stream& stream) {
  const std::int64_t count = rows * args.columns;
  return simt::launch(iou_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args, count);
}

Status box_encode(const BoxEncodeArgs& args, std::int64_t rows, const Stream& stream) {
  return simt::launch(encode_kernel, simt::grid_for(rows, kBlock), kBlock, 0, stream, args, rows);
}

Status box_decode(const BoxDecodeArgs& args, std::int64_t rows, const Stream& stream) {
  return simt::launch(decode_kernel, simt::grid_for(rows, kBlock), kBlock, 0, stream, args, rows);
}

Status multibox_prior(const MultiBoxPriorArgs& args, const PriorBoxes& boxes, const Stream& stream) {
  const std::int64_t of_pixel = args.boxes(), count = args.rows * args.columns * of_pixel;
  return simt::launch(prior_kernel, simt::grid_for(count, kBlock), kBlock, 0, stream, args, boxes, of_pixel,
                      count);
}

}  // namespace mxinfer::kernels::cuda
