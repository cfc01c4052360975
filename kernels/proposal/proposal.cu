#include "kernels/cuda/dialect.h"
#include "kernels/proposal/proposal_cuda.h"
#include "kernels/sort/sort_keys_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;
constexpr int kRow = 5;

/// The side of an anchor along axis 0 (x) or 1 (y), moved and scaled; code: centers, then logarithms of
/// sizes.
__device__ __forceinline__ void move_side(float low, float high, float move, float scale, float* moved_low,
                                          float* moved_high) {
  const float size = simt::add_rn(simt::sub_rn(high, low), 1);
  const float center =
      simt::add_rn(simt::add_rn(simt::mul_rn(move, size), low), simt::mul_rn(0.5f, simt::sub_rn(size, 1)));
  const float half = simt::mul_rn(0.5f, simt::sub_rn(simt::mul_rn(simt::exp_rn(scale), size), 1));
  *moved_low = simt::sub_rn(center, half);
  *moved_high = simt::add_rn(center, half);
}

/// How many pixels of the map a side of the image covers.
__device__ __forceinline__ float covered(float side, std::int64_t stride) {
  return truncf(simt::div_rn(side, static_cast<float>(stride)));
}

/// Proposal i is that of anchor i % anchors of a pixel, as in proposal_place().
__global__ void place_kernel(ProposalArgs args, ProposalAnchors anchors, std::int64_t count,
                             std::uint64_t* keys) {
  const std::int64_t pixels = args.height * args.width, of_image = pixels * args.anchors;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t image = i / of_image, pixel = i % of_image / args.anchors, a = i % args.anchors;
    const std::int64_t row = pixel / args.width, column = pixel % args.width;
    const float* info = args.im_info + image * 3;
    const float shift[2] = {static_cast<float>(column * args.stride), static_cast<float>(row * args.stride)};
    const float* codes = args.bbox_pred + (image * args.anchors + a) * 4 * pixels + pixel;
    float box[4];
    for (int axis = 0; axis < 2; ++axis) {
      const float low = simt::add_rn(anchors.corners[a][axis], shift[axis]);
      const float high = simt::add_rn(anchors.corners[a][axis + 2], shift[axis]);
      const float first = codes[axis * pixels], second = codes[(axis + 2) * pixels];
      if (args.iou_loss) {
        box[axis] = simt::add_rn(low, first);
        box[axis + 2] = simt::add_rn(high, second);
      } else {
        move_side(low, high, first, second, &box[axis], &box[axis + 2]);
      }
      const float last = simt::sub_rn(info[1 - axis], 1);
      for (int end = axis; end < 4; end += 2) {
        const float inside = last < box[end] ? last : box[end];
        box[end] = inside < 0 ? 0.0f : inside;
      }
    }
    float score = args.cls_prob[((image * 2 + 1) * args.anchors + a) * pixels + pixel];
    if (static_cast<float>(row) >= covered(info[0], args.stride) ||
        static_cast<float>(column) >= covered(info[1], args.stride)) {
      score = -1;  // padding of the image
    }
    const float smallest = simt::mul_rn(args.min_size, info[2]), half = simt::mul_rn(smallest, 0.5f);
    if (simt::add_rn(simt::sub_rn(box[2], box[0]), 1) < smallest ||
        simt::add_rn(simt::sub_rn(box[3], box[1]), 1) < smallest) {
      for (int end = 0; end < 4; ++end) box[end] = simt::add_rn(box[end], end < 2 ? -half : half);
      score = -1;
    }
    float* to = args.proposals + i * kRow;
    for (int end = 0; end < 4; ++end) to[end] = box[end];
    to[4] = score;
    const float infinity = simt::bits_float(0x7f800000u);
    keys[i] = descending_key(score != score ? -infinity : score, i % of_image);
  }
}

__global__ void sorted_proposals_kernel(ProposalArgs args, std::int64_t count, const std::uint64_t* sorted,
                                        Suppression s) {
  const std::int64_t of_image = args.height * args.width * args.anchors;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t image = i / args.pre_nms, at = i % args.pre_nms;
    const float* p = args.proposals + (image * of_image + index_of_key(sorted[image * of_image + at])) * kRow;
    simt::store4(s.corners + i * 4, make_float4(p[0], p[1], p[2], p[3]));
    s.area[i] =
        simt::mul_rn(simt::add_rn(simt::sub_rn(p[2], p[0]), 1), simt::add_rn(simt::sub_rn(p[3], p[1]), 1));
    s.id[i] = 0;
    if (at == 0) s.count[image] = static_cast<std::int32_t>(args.pre_nms);
  }
}

/// The kept proposals, again and again until there are enough.
__global__ void write_proposals_kernel(ProposalArgs args, std::int64_t count, const std::uint64_t* sorted,
                                       Suppression s) {
  const std::int64_t of_image = args.height * args.width * args.anchors;
  const float nan = simt::bits_float(0x7fc00000u);
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t image = i / args.post_nms;
    const std::int64_t at = s.kept[image * s.most + i % args.post_nms % s.kept_count[image]];
    const float* p = args.proposals + (image * of_image + index_of_key(sorted[image * of_image + at])) * kRow;
    const float* info = args.im_info + image * 3;
    const bool fits = covered(info[0], args.stride) <= static_cast<float>(args.height) &&
                      covered(info[1], args.stride) <= static_cast<float>(args.width);
    float* to = args.dst + i * kRow;
    to[0] = static_cast<float>(image);
    for (int end = 0; end < 4; ++end) to[1 + end] = fits ? p[end] : nan;
    if (args.score != nullptr) args.score[i] = fits ? p[4] : nan;
  }
}

}  // namespace

Status proposal(const ProposalArgs& args, const ProposalAnchors& anchors, std::int64_t batch, void* scratch,
                const Stream& stream) {
  Scratch memory(scratch);
  ProposalScratch taken = take_proposal(memory, args, batch);
  taken.boxes.limit = args.threshold;
  taken.boxes.more = 1;
  ProposalArgs now = args;
  now.proposals = taken.proposals;
  const std::int64_t all = batch * args.count(), entering = batch * args.pre_nms,
                     rows = batch * args.post_nms;
  Status status = simt::launch(place_kernel, simt::grid_for(all, kBlock), kBlock, 0, stream, now, anchors,
                               all, taken.keys.keys);
  const std::uint64_t* sorted = nullptr;
  if (status == kSuccess) status = sort_keys(taken.keys, &sorted, stream);
  if (status == kSuccess) {
    status = simt::launch(sorted_proposals_kernel, simt::grid_for(entering, kBlock), kBlock, 0, stream, now,
                          entering, sorted, taken.boxes);
  }
  if (status == kSuccess) status = suppress_boxes(taken.boxes, stream);
  if (status != kSuccess) return status;
  return simt::launch(write_proposals_kernel, simt::grid_for(rows, kBlock), kBlock, 0, stream, now, rows,
                      sorted, taken.boxes);
}

}  // namespace mxinfer::kernels::cuda
