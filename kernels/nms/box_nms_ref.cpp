#include <cstring>

#include "kernels/boxes/overlap-inl.h"
#include "kernels/nms/box_nms.h"
#include "kernels/nms/candidates-inl.h"
#include "kernels/nms/suppress_boxes.h"

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

/// What the suppression of a batch works on, for topk rows.
template <typename A>
struct Visited {
  CornerBox<A>* boxes;
  std::byte* memory;
  std::int32_t* ids;
  std::int32_t* kept;

  static std::size_t bytes(std::int64_t topk) {
    return static_cast<std::size_t>(topk) * (sizeof(CornerBox<A>) + 2 * sizeof(std::int32_t)) +
           suppress_boxes_bytes<A>(topk);
  }
  Visited(std::byte* scratch, std::int64_t topk)
      : boxes(reinterpret_cast<CornerBox<A>*>(scratch)),
        memory(scratch + static_cast<std::size_t>(topk) * sizeof(CornerBox<A>)),
        ids(reinterpret_cast<std::int32_t*>(memory + suppress_boxes_bytes<A>(topk))),
        kept(ids + topk) {}
};

std::int64_t run_suppression(const SuppressArgs<float>& args, Target target) {
  return select_suppress_boxes(target)(args);
}
std::int64_t run_suppression(const SuppressArgs<double>& args, Target) {
  return suppress_boxes_ref(args);
}

template <typename T>
void suppress_batch(const BoxNmsArgs& args, std::byte* scratch, std::int64_t batch) {
  using A = Real<T>;
  const std::int64_t found = gather_candidates<T>(args, batch);
  const std::int64_t count = std::min(found, args.topk);
  Candidate<A>* candidates = candidates_of<T>(args, batch);
  sort_first(candidates, found, count);

  const T* src = static_cast<const T*>(args.src) + batch * args.rows * args.width;
  const bool classes = args.id_index >= 0 && !args.across_classes;
  const Visited<A> visited(scratch, args.topk);
  for (std::int64_t i = 0; i < count; ++i) {
    const T* row = src + candidates[i].index * args.width;
    visited.boxes[i] = corner_box<A>(row + args.coord_start, args.in_format);
    visited.ids[i] = classes ? convert<std::int32_t>(static_cast<A>(row[args.id_index])) : 0;
  }
  SuppressArgs<A> suppression{visited.boxes, visited.ids, count, args.topk};
  suppression.limit = A(args.overlap_thresh);
  suppression.memory = visited.memory;
  suppression.kept = visited.kept;
  const std::int64_t kept = run_suppression(suppression, args.target);

  T* dst = static_cast<T*>(args.dst) + batch * args.rows * args.width;
  for (std::int64_t k = 0; k < kept; ++k, dst += args.width) {
    std::copy_n(src + candidates[visited.kept[k]].index * args.width, args.width, dst);
    if (args.in_format != args.out_format) convert_format(dst + args.coord_start, args.out_format);
  }
}

template <typename T>
void suppress_batches(const BoxNmsArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end) {
  for (std::int64_t batch = begin; batch < end; ++batch) suppress_batch<T>(args, scratch, batch);
}

template <typename T>
constexpr BoxNmsKernel kernel_of() {
  return {filter_blocks<T>, suppress_batches<T>, sizeof(Candidate<Real<T>>), Visited<Real<T>>::bytes};
}

}  // namespace

BoxNmsKernel select_box_nms(ElementType type, Target target) {
  static constexpr PerType<BoxNmsKernel> kFunctions{kernel_of<float>(), kernel_of<double>(),
                                                    kernel_of<Float16>()};
  BoxNmsKernel kernel = pick(kFunctions, type);
  kernel.target = type == ElementType::float64 ? Target::ref : target;
  return kernel;
}

}  // namespace mxinfer::kernels
