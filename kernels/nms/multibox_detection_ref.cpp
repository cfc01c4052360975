#include <algorithm>
#include <cmath>

#include "kernels/nms/candidates-inl.h"
#include "kernels/nms/multibox_detection.h"
#include "kernels/nms/suppress_boxes.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kRow = 6;

void classify_block(const MultiBoxDetectionArgs& args, std::int64_t batch, std::int64_t block) {
  const std::int64_t first = block * kAnchorBlock, count = std::min(args.anchors - first, kAnchorBlock);
  float* best = args.best + batch * args.anchors + first;
  std::int32_t* id = args.id + batch * args.anchors + first;
  std::fill_n(best, count, -1.0f);
  std::fill_n(id, count, 0);
  for (std::int64_t c = 1; c < args.classes; ++c) {
    const float* prob = args.cls_prob + (batch * args.classes + c) * args.anchors + first;
    for (std::int64_t i = 0; i < count; ++i) {
      const bool better = prob[i] > best[i];
      best[i] = better ? prob[i] : best[i];
      id[i] = better ? static_cast<std::int32_t>(c) : id[i];
    }
  }
}

void decode(const MultiBoxDetectionArgs& args, const float* anchor, const float* code, float* out) {
  const float width = anchor[2] - anchor[0], height = anchor[3] - anchor[1];
  const float x = code[0] * args.variances[0] * width + (anchor[0] + anchor[2]) / 2;
  const float y = code[1] * args.variances[1] * height + (anchor[1] + anchor[3]) / 2;
  const float half_width = std::exp(code[2] * args.variances[2]) * width / 2;
  const float half_height = std::exp(code[3] * args.variances[3]) * height / 2;
  const float box[4] = {x - half_width, y - half_height, x + half_width, y + half_height};
  for (int i = 0; i < 4; ++i) out[i] = args.clip ? std::max(0.0f, std::min(1.0f, box[i])) : box[i];
}

// Writes the rows of a batch in the order of its anchors; returns their number.
std::int64_t write_rows(const MultiBoxDetectionArgs& args, std::int64_t batch, float* dst) {
  const float* best = args.best + batch * args.anchors;
  const std::int32_t* id = args.id + batch * args.anchors;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < args.anchors; ++i) {
    if (id[i] == 0 || best[i] < args.threshold) continue;
    float* row = dst + kRow * count++;
    row[0] = static_cast<float>(id[i] - 1);
    row[1] = best[i];
    decode(args, args.anchor + i * 4, args.loc_pred + (batch * args.anchors + i) * 4, row + 2);
  }
  return count;
}

CornerBox<float> box_of(const float* row) {
  return {row[2], row[3], row[4], row[5], (row[4] - row[2]) * (row[5] - row[3])};
}

/// What the suppression of `anchors` rows works on.
struct Visited {
  CornerBox<float>* boxes;
  std::byte* memory;
  std::int32_t* ids;
  std::int32_t* kept;

  static std::size_t bytes(std::int64_t anchors) {
    return static_cast<std::size_t>(anchors) * (sizeof(CornerBox<float>) + 2 * sizeof(std::int32_t)) +
           suppress_boxes_bytes<float>(anchors);
  }
  Visited(std::byte* scratch, std::int64_t anchors)
      : boxes(reinterpret_cast<CornerBox<float>*>(scratch)),
        memory(scratch + static_cast<std::size_t>(anchors) * sizeof(CornerBox<float>)),
        ids(reinterpret_cast<std::int32_t*>(memory + suppress_boxes_bytes<float>(anchors))),
        kept(ids + anchors) {}
};

void suppress_rows(const MultiBoxDetectionArgs& args, float* dst, std::int64_t count, std::byte* memory) {
  const Visited visited(memory, args.anchors);
  for (std::int64_t i = 0; i < count; ++i) {
    const float* row = dst + kRow * i;
    visited.boxes[i] = box_of(row);
    visited.ids[i] = args.across_classes ? 0 : static_cast<std::int32_t>(row[0]);
  }
  SuppressArgs<float> suppression{visited.boxes, visited.ids, count, count};
  suppression.limit = args.nms_threshold;
  suppression.rule = OverlapRule::at_least;
  suppression.memory = visited.memory;
  suppression.kept = visited.kept;
  const std::int64_t kept = select_suppress_boxes(args.target)(suppression);
  for (std::int64_t i = 0, k = 0; i < count; ++i) {
    const bool is_kept = k < kept && visited.kept[k] == i;
    if (is_kept) ++k;
    if (!is_kept) dst[kRow * i] = -1;
  }
}

void detect_batch(const MultiBoxDetectionArgs& args, std::byte* scratch, std::int64_t batch) {
  float* dst = args.dst + batch * args.anchors * kRow;
  const std::int64_t count = write_rows(args, batch, dst);
  std::fill(dst + count * kRow, dst + args.anchors * kRow, -1.0f);
  if (!(args.nms_threshold > 0 && args.nms_threshold <= 1)) return;

  auto* rows = reinterpret_cast<float*>(scratch);
  auto* candidates = reinterpret_cast<Candidate<float>*>(rows + args.anchors * kRow);
  for (std::int64_t i = 0; i < count; ++i) candidates[i] = {dst[i * kRow + 1], static_cast<std::int32_t>(i)};
  const std::int64_t wanted = args.topk > 0 ? std::min(args.topk, count) : count;
  sort_first(candidates, count, wanted);
  std::copy_n(dst, count * kRow, rows);
  for (std::int64_t i = 0; i < wanted; ++i)
    std::copy_n(rows + candidates[i].index * kRow, kRow, dst + i * kRow);
  // As in MXNet: the other rows keep their anchors' values, without a class.
  for (std::int64_t i = wanted; i < count; ++i) dst[i * kRow] = -1;
  suppress_rows(args, dst, wanted, reinterpret_cast<std::byte*>(candidates + args.anchors));
}

}  // namespace

void multibox_classify(const MultiBoxDetectionArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) classify_block(args, i / args.blocks(), i % args.blocks());
}

std::size_t multibox_scratch(std::int64_t anchors) {
  return static_cast<std::size_t>(anchors) *
             (static_cast<std::size_t>(kRow) * sizeof(float) + sizeof(Candidate<float>)) +
         Visited::bytes(anchors);
}

void multibox_detect(const MultiBoxDetectionArgs& args, std::byte* scratch, std::int64_t begin,
                     std::int64_t end) {
  for (std::int64_t batch = begin; batch < end; ++batch) detect_batch(args, scratch, batch);
}

}  // namespace mxinfer::kernels
