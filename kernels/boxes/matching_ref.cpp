#include <algorithm>

#include "kernels/boxes/matching.h"

namespace mxinfer::kernels {
namespace {

// The elements of a matrix that pass the threshold, best first; equal ones keep their order.
template <typename T>
std::int64_t order_scores(const BipartiteMatchingArgs& args, const T* scores, std::int64_t* order) {
  using A = Real<T>;
  const A threshold = A(args.threshold);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < args.rows * args.columns; ++i) {
    const A score = static_cast<A>(scores[i]);
    if (args.ascending ? score < threshold : score > threshold) order[count++] = i;
  }
  std::sort(order, order + count, [scores, &args](std::int64_t i, std::int64_t j) {
    const A a = static_cast<A>(scores[i]), b = static_cast<A>(scores[j]);
    if (a != b) return args.ascending ? a < b : a > b;
    return i < j;
  });
  return count;
}

template <typename T>
void match(const BipartiteMatchingArgs& args, std::byte* scratch, std::int64_t batch) {
  using A = Real<T>;
  const T none = static_cast<T>(A(-1));
  const T* scores = static_cast<const T*>(args.scores) + batch * args.rows * args.columns;
  T* of_row = static_cast<T*>(args.row_match) + batch * args.rows;
  T* of_column = static_cast<T*>(args.column_match) + batch * args.columns;
  std::fill_n(of_row, args.rows, none);
  std::fill_n(of_column, args.columns, none);
  auto* order = reinterpret_cast<std::int64_t*>(scratch);
  const std::int64_t count = order_scores(args, scores, order);
  std::int64_t pairs = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t row = order[i] / args.columns, column = order[i] % args.columns;
    if (static_cast<A>(of_row[row]) != A(-1) || static_cast<A>(of_column[column]) != A(-1)) continue;
    of_row[row] = static_cast<T>(static_cast<A>(column));
    of_column[column] = static_cast<T>(static_cast<A>(row));
    ++pairs;
    if (args.topk > 0 && pairs > args.topk) return;
  }
}

template <typename T>
void match_batches(const BipartiteMatchingArgs& args, std::byte* scratch, std::int64_t begin,
                   std::int64_t end) {
  for (std::int64_t batch = begin; batch < end; ++batch) match<T>(args, scratch, batch);
}

}  // namespace

std::size_t bipartite_matching_scratch(std::int64_t rows, std::int64_t columns) {
  return static_cast<std::size_t>(rows * columns) * sizeof(std::int64_t);
}

BipartiteMatchingFn select_bipartite_matching(ElementType type) {
  static constexpr PerType<BipartiteMatchingFn> kFunctions{match_batches<float>, match_batches<double>,
                                                           match_batches<Float16>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
