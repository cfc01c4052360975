#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/nms/candidates-inl.h"
#include "kernels/nms/suppress_boxes.h"
#include "kernels/proposal/proposal.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kRow = 5;

// Decodes the proposal of a box around a center; code: (x, y, log width, log height) relative to the anchor.
void move_center(const float* anchor, const float* code, float* box) {
  const float width = anchor[2] - anchor[0] + 1, height = anchor[3] - anchor[1] + 1;
  const float x = code[0] * width + anchor[0] + 0.5f * (width - 1);
  const float y = code[1] * height + anchor[1] + 0.5f * (height - 1);
  const float half_width = 0.5f * (std::exp(code[2]) * width - 1);
  const float half_height = 0.5f * (std::exp(code[3]) * height - 1);
  box[0] = x - half_width;
  box[1] = y - half_height;
  box[2] = x + half_width;
  box[3] = y + half_height;
}

void place_anchor(const ProposalArgs& args, std::int64_t image, std::int64_t pixel, std::int64_t a) {
  const float* info = args.im_info + image * 3;
  const std::int64_t row = pixel / args.width, column = pixel % args.width;
  const auto left = static_cast<float>(column * args.stride), top = static_cast<float>(row * args.stride);
  const float* base = args.anchor + a * 4;
  const float anchor[4] = {base[0] + left, base[1] + top, base[2] + left, base[3] + top};
  float code[4];
  for (std::int64_t i = 0; i < 4; ++i)
    code[i] = args.bbox_pred[((image * args.anchors + a) * 4 + i) * args.pixels() + pixel];

  float* box = args.proposals + ((image * args.pixels() + pixel) * args.anchors + a) * kRow;
  if (args.iou_loss) {
    for (int i = 0; i < 4; ++i) box[i] = anchor[i] + code[i];
  } else {
    move_center(anchor, code, box);
  }
  for (int i = 0; i < 4; ++i) {
    const float last = (i % 2 == 0 ? info[1] : info[0]) - 1;
    box[i] = std::max(std::min(box[i], last), 0.0f);
  }
  box[4] = args.cls_prob[((image * 2 + 1) * args.anchors + a) * args.pixels() + pixel];
  const auto stride = static_cast<float>(args.stride);
  if (static_cast<float>(row) >= std::trunc(info[0] / stride) ||
      static_cast<float>(column) >= std::trunc(info[1] / stride)) {
    box[4] = -1;  // padding of the image
  }
  const float smallest = args.min_size * info[2];
  if (box[2] - box[0] + 1 < smallest || box[3] - box[1] + 1 < smallest) {
    box[0] -= smallest / 2;
    box[1] -= smallest / 2;
    box[2] += smallest / 2;
    box[3] += smallest / 2;
    box[4] = -1;
  }
}

// Puts the proposals that enter the suppression in front, by descending score; NaN comes last.
void sort_proposals(const ProposalArgs& args, const float* proposals, Candidate<float>* order) {
  for (std::int64_t i = 0; i < args.count(); ++i) {
    const float score = proposals[i * kRow + 4];
    order[i] = {std::isnan(score) ? -std::numeric_limits<float>::infinity() : score,
                static_cast<std::int32_t>(i)};
  }
  sort_first(order, args.count(), args.pre_nms);
}

void write_proposal(const ProposalArgs& args, std::int64_t image, std::int64_t row, const float* proposal) {
  float* dst = args.dst + (image * args.post_nms + row) * kRow;
  dst[0] = static_cast<float>(image);
  std::copy_n(proposal, 4, dst + 1);
  if (args.score != nullptr) args.score[image * args.post_nms + row] = proposal[4];
}

void repeat_rows(const ProposalArgs& args, std::int64_t image, std::int64_t found) {
  const std::int64_t first = image * args.post_nms;
  for (std::int64_t row = found; row < args.post_nms; ++row) {
    const std::int64_t from = first + row % found;
    std::copy_n(args.dst + from * kRow, kRow, args.dst + (first + row) * kRow);
    if (args.score != nullptr) args.score[first + row] = args.score[from];
  }
}

/// What the selection of an image works on.
struct Visited {
  CornerBox<float>* boxes;
  Candidate<float>* order;
  std::byte* memory;
  std::int32_t* kept;

  static std::int64_t most(const ProposalArgs& args) { return std::min(args.pre_nms, args.post_nms); }
  static std::size_t bytes(const ProposalArgs& args) {
    return static_cast<std::size_t>(args.pre_nms) * sizeof(CornerBox<float>) +
           static_cast<std::size_t>(args.count()) * sizeof(Candidate<float>) +
           suppress_boxes_bytes<float>(most(args)) +
           static_cast<std::size_t>(most(args)) * sizeof(std::int32_t);
  }
  Visited(std::byte* scratch, const ProposalArgs& args)
      : boxes(reinterpret_cast<CornerBox<float>*>(scratch)),
        order(reinterpret_cast<Candidate<float>*>(boxes + args.pre_nms)),
        memory(reinterpret_cast<std::byte*>(order + args.count())),
        kept(reinterpret_cast<std::int32_t*>(memory + suppress_boxes_bytes<float>(most(args)))) {}
};

void select_image(const ProposalArgs& args, std::byte* scratch, std::int64_t image) {
  const float* proposals = args.proposals + image * args.count() * kRow;
  const Visited visited(scratch, args);
  sort_proposals(args, proposals, visited.order);
  for (std::int64_t i = 0; i < args.pre_nms; ++i) {
    const float* p = proposals + visited.order[i].index * kRow;
    visited.boxes[i] = {p[0], p[1], p[2], p[3], (p[2] - p[0] + 1) * (p[3] - p[1] + 1)};
  }
  SuppressArgs<float> suppression{visited.boxes, nullptr, args.pre_nms, Visited::most(args)};
  suppression.more = 1;
  suppression.limit = args.threshold;
  suppression.memory = visited.memory;
  suppression.kept = visited.kept;
  const std::int64_t kept = select_suppress_boxes(args.target)(suppression);
  for (std::int64_t row = 0; row < kept; ++row)
    write_proposal(args, image, row, proposals + visited.order[visited.kept[row]].index * kRow);
  repeat_rows(args, image, kept);
}

}  // namespace

void proposal_anchor(float scale, float ratio, std::int64_t stride, float* corners) {
  const auto side = static_cast<float>(stride);
  const float center = 0.5f * (side - 1);
  const float base = std::floor(std::sqrt(std::floor(side * side / ratio)) + 0.5f);
  const float width = base * scale, height = std::floor(base * ratio + 0.5f) * scale;
  corners[0] = center - 0.5f * (width - 1);
  corners[1] = center - 0.5f * (height - 1);
  corners[2] = center + 0.5f * (width - 1);
  corners[3] = center + 0.5f * (height - 1);
}

void proposal_place(const ProposalArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    for (std::int64_t a = 0; a < args.anchors; ++a)
      place_anchor(args, i / args.pixels(), i % args.pixels(), a);
  }
}

std::size_t proposal_scratch(const ProposalArgs& args) {
  return Visited::bytes(args);
}

void proposal_select(const ProposalArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end) {
  for (std::int64_t image = begin; image < end; ++image) select_image(args, scratch, image);
}

}  // namespace mxinfer::kernels
