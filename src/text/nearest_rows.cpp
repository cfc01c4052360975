#include "text/nearest_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/thread_arena.h"
#include "kernels/gemm/gemm.h"

namespace mxinfer::text {
namespace {

/// Of a piece of the matrix, so that its scores stay in the first-level cache.
constexpr std::int64_t kRowsOfPiece = 1024;

/// Of a call of the kernel: so few that it reads them one after another. With more it reads eight side by
/// side, which share pages, and for which the processor fetches ahead badly.
constexpr std::int64_t kRowsAtATime = 7;

bool is_better(const NearRow& a, const NearRow& b) {
  return a.score != b.score ? a.score > b.score : a.row < b.row;
}

float scale_of(float squares) {
  // Squares of small numbers may vanish, those of large ones exceed float32: such rows have no direction.
  if (!std::isfinite(squares) || !(squares >= std::numeric_limits<float>::min())) return 0.0f;
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(squares)));
}

/// The best of what is given to it, the worst of them in front.
class Best {
 public:
  explicit Best(std::size_t count) : count_(count) {}

  bool would_take(const NearRow& row) const { return best_.size() < count_ || is_better(row, best_.front()); }
  void add(const NearRow& row) {
    if (best_.size() == count_) {
      std::pop_heap(best_.begin(), best_.end(), is_better);
      best_.pop_back();
    }
    best_.push_back(row);
    std::push_heap(best_.begin(), best_.end(), is_better);
  }
  const std::vector<NearRow>& rows() const { return best_; }
  std::vector<NearRow> take_sorted() {
    std::sort_heap(best_.begin(), best_.end(), is_better);
    return std::move(best_);
  }

 private:
  std::size_t count_;
  std::vector<NearRow> best_;  ///< a heap
};

/// The products of the vector with rows [begin, end), from the first task to the last.
void multiply(const WordMatrix& matrix, const float* vector, std::int64_t begin, std::int64_t end,
              float* dst) {
  kernels::GemmNtArgs<float> args;
  args.rows = 1;
  args.columns = end - begin;
  args.depth = matrix.columns();
  args.a = vector;
  args.b = matrix.data() + begin * matrix.columns();
  args.dst = dst;
  const auto& kernel = kernels::select_gemm_nt(kernels::best_target());
  kernel.run(args, 0, kernel.tasks(args));
}

void search_piece(const NearestRows& search, const float* vector, std::int64_t begin, std::int64_t end,
                  Best& best) {
  float products[kRowsOfPiece];
  for (std::int64_t row = begin; row < end; row += kRowsAtATime)
    multiply(search.matrix, vector, row, std::min(end, row + kRowsAtATime), products + (row - begin));
  const float least = search.min_score.value_or(-std::numeric_limits<float>::infinity());
  for (std::int64_t row = begin; row < end; ++row) {
    const float scale = search.scales[static_cast<std::size_t>(row)];
    // Rounding may take it beyond 1.
    const float score = std::clamp(products[row - begin] * scale, -1.0f, 1.0f);
    if (scale == 0.0f || std::isnan(score) || score < least) continue;
    if (const NearRow near{row, score}; best.would_take(near) && search.accept(row)) best.add(near);
  }
}

/// The vector with the length 1; empty if it has no direction.
std::vector<float> direction_of(Span<const float> vector) {
  double squares = 0;
  for (const float x : vector) squares += static_cast<double>(x) * x;
  if (squares == 0) return {};
  std::vector<float> direction;
  const double length = std::sqrt(squares);
  for (const float x : vector) direction.push_back(static_cast<float>(x / length));
  return direction;
}

}  // namespace

std::vector<float> row_scales(const WordMatrix& matrix) {
  std::vector<float> scales(static_cast<std::size_t>(matrix.rows()));
  parallel_for(matrix.rows(), kRowsOfPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      float squares = 0;
      multiply(matrix, matrix.row(row).data(), row, row + 1, &squares);
      scales[static_cast<std::size_t>(row)] = scale_of(squares);
    }
  });
  return scales;
}

std::vector<NearRow> nearest_rows(const NearestRows& search) {
  const std::vector<float> direction = direction_of(search.vector);
  if (direction.empty() || search.count == 0) return {};
  const std::size_t count = std::min(search.count, static_cast<std::size_t>(search.first));
  Best all(count);
  std::mutex mutex;
  parallel_for(search.first, kRowsOfPiece, [&](std::int64_t begin, std::int64_t end) {
    Best best(count);
    search_piece(search, direction.data(), begin, end, best);
    const std::lock_guard lock(mutex);
    for (const NearRow& row : best.rows()) {
      if (all.would_take(row)) all.add(row);
    }
  });
  return all.take_sorted();
}

}  // namespace mxinfer::text
