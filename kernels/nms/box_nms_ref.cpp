#include <cstring>

#include "kernels/nms/box_nms.h"
#include "kernels/nms/kept_boxes-inl.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
Candidate<Real<T>>* candidates_of(const BoxNmsArgs& args, std::int64_t batch) {
  return reinterpret_cast<Candidate<Real<T>>*>(args.candidates) + batch * args.rows;
}

template <typename T>
void filter_block(const BoxNmsArgs& args, std::int64_t batch, std::int64_t block) {
  using A = Real<T>;
  const std::int64_t first = block * kNmsBlock, last = std::min(args.rows, first + kNmsBlock);
  const T* src = static_cast<const T*>(args.src) + (batch * args.rows + first) * args.width;
  T* dst = static_cast<T*>(args.dst) + (batch * args.rows + first) * args.width;
  std::fill_n(dst, (last - first) * args.width, static_cast<T>(A(-1)));
  Candidate<A>* out = candidates_of<T>(args, batch) + first;
  std::int64_t count = 0;
  for (std::int64_t row = first; row < last; ++row, src += args.width) {
    const A score = static_cast<A>(src[args.score_index]);
    if (!(score > A(args.valid_thresh))) continue;
    if (args.id_index >= 0 && static_cast<A>(src[args.id_index]) == A(args.background_id)) continue;
    out[count++] = {score, static_cast<std::int32_t>(row)};
  }
  args.counts[batch * args.blocks() + block] = count;
}

template <typename T>
void filter_blocks(const BoxNmsArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) filter_block<T>(args, i / args.blocks(), i % args.blocks());
}

// Moves the candidates of all blocks of a batch together; returns their number.
template <typename T>
std::int64_t gather_candidates(const BoxNmsArgs& args, std::int64_t batch) {
  Candidate<Real<T>>* candidates = candidates_of<T>(args, batch);
  std::int64_t total = 0;
  for (std::int64_t block = 0; block < args.blocks(); ++block) {
    const std::int64_t count = args.counts[batch * args.blocks() + block];
    std::copy_n(candidates + block * kNmsBlock, count, candidates + total);  // never forwards
    total += count;
  }
  return total;
}

template <typename T>
void convert_format(T* box, BoxFormat to) {
  using A = Real<T>;
  const A a = static_cast<A>(box[0]), b = static_cast<A>(box[1]), c = static_cast<A>(box[2]),
          d = static_cast<A>(box[3]);
  if (a < 0) return;
  const bool center = to == BoxFormat::center;
  box[0] = static_cast<T>(center ? (a + c) / 2 : a - c / 2);
  box[1] = static_cast<T>(center ? (b + d) / 2 : b - d / 2);
  box[2] = static_cast<T>(center ? c - a : a + c / 2);
  box[3] = static_cast<T>(center ? d - b : b + d / 2);
}

template <typename T>
void suppress_batch(const BoxNmsArgs& args, std::byte* scratch, std::int64_t batch) {
  using A = Real<T>;
  const std::int64_t found = gather_candidates<T>(args, batch);
  const std::int64_t count = std::min(found, args.topk);
  Candidate<A>* candidates = candidates_of<T>(args, batch);
  sort_first(candidates, found, count);

  const T* src = static_cast<const T*>(args.src) + batch * args.rows * args.width;
  T* dst = static_cast<T*>(args.dst) + batch * args.rows * args.width;
  const bool classes = args.id_index >= 0 && !args.across_classes;
  const A limit = A(args.overlap_thresh);
  KeptBoxes<A> kept(scratch, args.topk);
  for (std::int64_t i = 0; i < count; ++i) {
    const T* row = src + candidates[i].index * args.width;
    const CornerBox<A> box = corner_box<A>(row + args.coord_start, args.in_format);
    const std::int32_t id = classes ? convert<std::int32_t>(static_cast<A>(row[args.id_index])) : 0;
    if (kept.suppress(box, id, A(0),
                      [limit](A shared, A a, A b) { return shared / (a + b - shared) > limit; }))
      continue;
    T* out = dst + kept.count() * args.width;
    std::copy_n(row, args.width, out);
    if (args.in_format != args.out_format) convert_format(out + args.coord_start, args.out_format);
    kept.add(box, id);
  }
}

template <typename T>
void suppress_batches(const BoxNmsArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end) {
  for (std::int64_t batch = begin; batch < end; ++batch) suppress_batch<T>(args, scratch, batch);
}

template <typename T>
constexpr BoxNmsKernel kernel_of() {
  return {filter_blocks<T>, suppress_batches<T>, sizeof(Candidate<Real<T>>),
          5 * sizeof(Real<T>) + sizeof(std::int32_t)};
}

}  // namespace

BoxNmsKernel select_box_nms(ElementType type) {
  static constexpr PerType<BoxNmsKernel> kFunctions{kernel_of<float>(), kernel_of<double>(),
                                                    kernel_of<Float16>()};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
