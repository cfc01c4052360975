#include "kernels/boxes/overlap_device.h"
#include "kernels/nms/nms_cuda.h"
#include "kernels/sort/sort_keys_device.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr int kBlock = 256;

/// A row that does not pass has no key.
__global__ void box_keys_kernel(BoxNmsArgs args, std::int64_t count, std::uint64_t* keys) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const float* row = static_cast<const float*>(args.src) + i * args.width;
    const float score = row[args.score_index];
    bool passes = score > args.valid_thresh;
    if (args.id_index >= 0 && row[args.id_index] == static_cast<float>(args.background_id)) passes = false;
    keys[i] = passes ? descending_key(score, i % args.rows) : kNoKey;
  }
}

/// The boxes in the order of their keys, and how many there are.
__global__ void sorted_boxes_kernel(BoxNmsArgs args, std::int64_t count, const std::uint64_t* sorted,
                                    Suppression s) {
  const bool classes = args.id_index >= 0 && !args.across_classes;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t batch = i / args.topk, at = i % args.topk;
    const std::uint64_t* keys = sorted + batch * args.rows;
    if (keys[at] == kNoKey) {
      if (at == 0) s.count[batch] = 0;
      continue;
    }
    if (at + 1 == args.topk || keys[at + 1] == kNoKey) s.count[batch] = static_cast<std::int32_t>(at + 1);
    const float* row =
        static_cast<const float*>(args.src) + (batch * args.rows + index_of_key(keys[at])) * args.width;
    const CornerBox<float> box = box_of_numbers(row + args.coord_start, args.in_format);
    simt::store4(s.corners + i * 4, make_float4(box.x1, box.y1, box.x2, box.y2));
    s.area[i] = box.area;
    s.id[i] = classes ? convert<std::int32_t>(row[args.id_index]) : 0;
  }
}

/// Number `i` of a box in the other format.
__device__ __forceinline__ float converted(const float* box, int i, BoxFormat to) {
  const float low = box[i % 2], high = box[i % 2 + 2];
  if (box[0] < 0) return box[i];
  if (to == BoxFormat::center) {
    return i < 2 ? simt::mul_rn(simt::add_rn(low, high), 0.5f) : simt::sub_rn(high, low);
  }
  const float half = simt::mul_rn(high, 0.5f);
  return i < 2 ? simt::sub_rn(low, half) : simt::add_rn(low, half);
}

/// Kept rows first, the others -1.
__global__ void write_boxes_kernel(BoxNmsArgs args, std::int64_t count, const std::uint64_t* sorted,
                                   Suppression s) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t column = i % args.width, row = i / args.width % args.rows;
    const std::int64_t batch = i / args.width / args.rows;
    float value = -1;
    if (row < s.kept_count[batch]) {
      const std::uint64_t key = sorted[batch * args.rows + s.kept[batch * s.most + row]];
      const float* src =
          static_cast<const float*>(args.src) + (batch * args.rows + index_of_key(key)) * args.width;
      const std::int64_t number = column - args.coord_start;
      value = args.in_format != args.out_format && number >= 0 && number < 4
                  ? converted(src + args.coord_start, static_cast<int>(number), args.out_format)
                  : src[column];
    }
    static_cast<float*>(args.dst)[i] = value;
  }
}

// ---- MultiBoxDetection

constexpr int kRow = 6;

__global__ void classify_kernel(MultiBoxDetectionArgs args, std::int64_t count, MultiBoxScratch to) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const float* prob = args.cls_prob + i / args.anchors * args.classes * args.anchors + i % args.anchors;
    float best = -1;
    std::int32_t id = 0;
    for (std::int64_t c = 1; c < args.classes; ++c) {
      const float p = prob[c * args.anchors];
      if (p > best) {
        best = p;
        id = static_cast<std::int32_t>(c);
      }
    }
    to.best[i] = best;
    to.id[i] = best < args.threshold ? 0 : id;
  }
}

constexpr int kFindBlock = 512;

struct FindSmem {
  int counts[kFindBlock / simt::kWarp];
};

/// Lists the anchors with a class in their order. A block for each batch.
__global__ void __launch_bounds__(kFindBlock)
    find_kernel(std::int64_t anchors, std::int64_t batches, MultiBoxScratch to) {
  FindSmem& smem = simt::shared_memory<FindSmem>();
  const int thread = static_cast<int>(threadIdx.x), warp = thread / simt::kWarp, lane = thread % simt::kWarp;
  for (std::int64_t batch = blockIdx.x; batch < batches; batch += gridDim.x) {
    std::int64_t total = 0;
    for (std::int64_t base = 0; base < anchors; base += kFindBlock) {
      const std::int64_t anchor = base + thread;
      const bool found = anchor < anchors && to.id[batch * anchors + anchor] != 0;
      const unsigned bits = __ballot_sync(simt::kAllLanes, found);
      if (lane == 0) smem.counts[warp] = __popc(bits);
      __syncthreads();
      std::int64_t before = total + __popc(bits & ((1u << lane) - 1));
      for (int w = 0; w < kFindBlock / simt::kWarp; ++w) {
        if (w < warp) before += smem.counts[w];
        total += smem.counts[w];
      }
      if (found) to.found[batch * anchors + before] = static_cast<std::int32_t>(anchor);
      __syncthreads();
    }
    if (thread == 0) to.count[batch] = static_cast<std::int32_t>(total);
  }
}

__device__ __forceinline__ float clipped(float x, bool clip) {
  const float below = x < 1 ? x : 1.0f;  // 1 for NaN
  return !clip ? x : 0 < below ? below : 0.0f;
}

/// Center and half of the size along axis 0 (x) or 1 (y) of a box that is coded relative to an anchor.
__device__ __forceinline__ void decode_axis(const MultiBoxDetectionArgs& args, const float* anchor,
                                            const float* code, int axis, float* row) {
  const float low = anchor[axis], high = anchor[axis + 2], size = simt::sub_rn(high, low);
  const float moved = simt::mul_rn(simt::mul_rn(code[axis], args.variances[axis]), size);
  const float center = simt::add_rn(moved, simt::mul_rn(simt::add_rn(low, high), 0.5f));
  const float scale = simt::exp_rn(simt::mul_rn(code[axis + 2], args.variances[axis + 2]));
  const float half = simt::mul_rn(simt::mul_rn(scale, size), 0.5f);
  row[2 + axis] = clipped(simt::sub_rn(center, half), args.clip);
  row[4 + axis] = clipped(simt::add_rn(center, half), args.clip);
}

/// Row i of a batch is that of the i-th anchor with a class; the others are -1.
__global__ void decode_kernel(MultiBoxDetectionArgs args, std::int64_t count, MultiBoxScratch from,
                              float* rows) {
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t batch = i / args.anchors, at = i % args.anchors;
    float row[kRow] = {-1, -1, -1, -1, -1, -1};
    const bool found = at < from.count[batch];
    if (found) {
      const std::int64_t anchor = from.found[i], of_batch = batch * args.anchors + anchor;
      row[0] = static_cast<float>(from.id[of_batch] - 1);
      row[1] = from.best[of_batch];
      for (int axis = 0; axis < 2; ++axis)
        decode_axis(args, args.anchor + anchor * 4, args.loc_pred + of_batch * 4, axis, row);
    }
    for (int k = 0; k < kRow; ++k) rows[i * kRow + k] = row[k];
    if (from.keys.keys != nullptr) from.keys.keys[i] = found ? descending_key(row[1], at) : kNoKey;
  }
}

/// Sorted rows, without a class, and their boxes. Rows that do not enter the suppression keep their place.
__global__ void sorted_rows_kernel(MultiBoxDetectionArgs args, std::int64_t count,
                                   const std::uint64_t* sorted, MultiBoxScratch from) {
  const Suppression& s = from.boxes;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t batch = i / args.anchors, at = i % args.anchors, found = from.count[batch];
    const std::int64_t wanted = from.wanted < found ? from.wanted : found;
    const bool enters = at < wanted;
    const float* row = from.rows + (enters ? batch * args.anchors + index_of_key(sorted[i]) : i) * kRow;
    float* dst = args.dst + i * kRow;
    dst[0] = -1;
    for (int k = 1; k < kRow; ++k) dst[k] = row[k];
    if (at == 0) s.count[batch] = static_cast<std::int32_t>(wanted);
    if (!enters) continue;
    const std::int64_t box = batch * s.boxes + at;
    simt::store4(s.corners + box * 4, make_float4(row[2], row[3], row[4], row[5]));
    s.area[box] = simt::mul_rn(simt::sub_rn(row[4], row[2]), simt::sub_rn(row[5], row[3]));
    s.id[box] = args.across_classes ? 0 : static_cast<std::int32_t>(row[0]);
  }
}

/// Kept rows get their class back.
__global__ void write_classes_kernel(MultiBoxDetectionArgs args, std::int64_t count,
                                     const std::uint64_t* sorted, MultiBoxScratch from) {
  const Suppression& s = from.boxes;
  for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step()) {
    const std::int64_t batch = i / s.most, at = i % s.most;
    if (at >= s.kept_count[batch]) continue;
    const std::int64_t row = batch * args.anchors + s.kept[i];
    args.dst[row * kRow] = from.rows[(batch * args.anchors + index_of_key(sorted[row])) * kRow];
  }
}

Status suppress_rows(const MultiBoxDetectionArgs& args, std::int64_t batches, MultiBoxScratch& memory,
                     const Stream& stream) {
  const std::int64_t rows = batches * args.anchors, wanted = batches * memory.wanted;
  const std::uint64_t* sorted = nullptr;
  Status status = sort_keys(memory.keys, &sorted, stream);
  if (status == kSuccess) {
    status = simt::launch(sorted_rows_kernel, simt::grid_for(rows, kBlock), kBlock, 0, stream, args, rows,
                          sorted, memory);
  }
  memory.boxes.limit = args.nms_threshold;
  memory.boxes.inclusive = true;
  if (status == kSuccess) status = suppress_boxes(memory.boxes, stream);
  if (status != kSuccess) return status;
  return simt::launch(write_classes_kernel, simt::grid_for(wanted, kBlock), kBlock, 0, stream, args, wanted,
                      sorted, memory);
}

}  // namespace

Status box_nms(const BoxNmsArgs& args, std::int64_t batches, void* scratch, const Stream& stream) {
  Scratch memory(scratch);
  BoxNmsScratch taken = take_box_nms(memory, args, batches);
  taken.boxes.limit = args.overlap_thresh;
  const std::int64_t rows = batches * args.rows, boxes = batches * args.topk, numbers = rows * args.width;
  Status status = simt::launch(box_keys_kernel, simt::grid_for(rows, kBlock), kBlock, 0, stream, args, rows,
                               taken.keys.keys);
  const std::uint64_t* sorted = nullptr;
  if (status == kSuccess) status = sort_keys(taken.keys, &sorted, stream);
  if (status == kSuccess) {
    status = simt::launch(sorted_boxes_kernel, simt::grid_for(boxes, kBlock), kBlock, 0, stream, args, boxes,
                          sorted, taken.boxes);
  }
  if (status == kSuccess) status = suppress_boxes(taken.boxes, stream);
  if (status != kSuccess) return status;
  return simt::launch(write_boxes_kernel, simt::grid_for(numbers, kBlock), kBlock, 0, stream, args, numbers,
                      sorted, taken.boxes);
}

Status multibox_detection(const MultiBoxDetectionArgs& args, std::int64_t batches, void* scratch,
                          const Stream& stream) {
  Scratch memory(scratch);
  MultiBoxScratch taken = take_multibox(memory, args, batches);
  const std::int64_t anchors = batches * args.anchors;
  Status status =
      simt::launch(classify_kernel, simt::grid_for(anchors, kBlock), kBlock, 0, stream, args, anchors, taken);
  if (status == kSuccess) {
    const unsigned blocks = static_cast<unsigned>(std::min<std::int64_t>(batches, 65536));
    status =
        simt::launch(find_kernel, blocks, kFindBlock, sizeof(FindSmem), stream, args.anchors, batches, taken);
  }
  if (status == kSuccess) {
    status = simt::launch(decode_kernel, simt::grid_for(anchors, kBlock), kBlock, 0, stream, args, anchors,
                          taken, suppresses(args) ? taken.rows : args.dst);
  }
  return status == kSuccess && suppresses(args) ? suppress_rows(args, batches, taken, stream) : status;
}

}  // namespace mxinfer::kernels::cuda
