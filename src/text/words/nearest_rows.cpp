#include "text/words/nearest_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/best_of.h"
#include "base/threads/thread_arena.h"
#include "kernels/gemm/gemm.h"

namespace mxinfer::text {
namespace {

/// Rows in a piece of the matrix, so that its scores stay in the first-level cache.
constexpr std::int64_t kRowsOfPiece = 1024;

/// Rows per call of the kernel: few enough that it reads them one after another. With more it reads eight at
/// a time, which share pages, and which the processor prefetches badly.
constexpr std::int64_t kRowsAtATime = 7;

bool is_better(const NearRow& a, const NearRow& b) {
  return a.score != b.score ? a.score > b.score : a.row < b.row;
}

/// Rows with lengths in this range are multiplied in float32: their squares neither underflow nor overflow.
constexpr double kShortest = 1e-15;
constexpr double kLongest = 1e18;

double scale_of(double squares) {
  return std::isfinite(squares) && squares > 0 ? 1.0 / std::sqrt(squares) : 0.0;
}

/// From its product with itself in float32, if that is in range.
double scale_of_row(Span<const float> row, float squares) {
  if (squares > kShortest * kShortest && squares < kLongest * kLongest) return scale_of(squares);
  double exact = 0;
  for (const float x : row) exact += static_cast<double>(x) * x;
  return scale_of(exact);
}

/// The cosine of a unit vector and a row, given their product in float32.
float score_of(Span<const float> row, double scale, const float* direction, float product) {
  double exact = product;
  if (!(scale < 1 / kShortest && scale > 1 / kLongest)) {
    exact = 0;
    for (std::size_t i = 0; i < row.size(); ++i) exact += static_cast<double>(direction[i]) * row[i];
  }
  // Rounding may take it beyond 1.
  return std::clamp(static_cast<float>(exact * scale), -1.0f, 1.0f);
}

using BestRows = BestOf<NearRow, is_better>;

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
                  BestRows& best) {
  float products[kRowsOfPiece];
  for (std::int64_t row = begin; row < end; row += kRowsAtATime)
    multiply(search.matrix, vector, row, std::min(end, row + kRowsAtATime), products + (row - begin));
  const float least = search.min_score.value_or(-std::numeric_limits<float>::infinity());
  for (std::int64_t row = begin; row < end; ++row) {
    const double scale = search.scales[static_cast<std::size_t>(row)];
    if (scale == 0) continue;
    const float score = score_of(search.matrix.row(row), scale, vector, products[row - begin]);
    if (std::isnan(score) || score < least) continue;
    if (const NearRow near{row, score}; best.would_take(near) && search.accept(row)) best.offer(near);
  }
}

/// The vector scaled to length 1; empty if it has no direction.
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

std::vector<double> row_scales(const WordMatrix& matrix) {
  std::vector<double> scales(static_cast<std::size_t>(matrix.rows()));
  parallel_for(matrix.rows(), kRowsOfPiece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      float squares = 0;
      multiply(matrix, matrix.row(row).data(), row, row + 1, &squares);
      scales[static_cast<std::size_t>(row)] = scale_of_row(matrix.row(row), squares);
    }
  });
  return scales;
}

std::vector<NearRow> nearest_rows(const NearestRows& search) {
  const std::vector<float> direction = direction_of(search.vector);
  if (direction.empty() || search.count == 0) return {};
  const std::size_t count = std::min(search.count, static_cast<std::size_t>(search.first));
  BestRows all(count);
  std::mutex mutex;
  parallel_for(search.first, kRowsOfPiece, [&](std::int64_t begin, std::int64_t end) {
    BestRows best(count);
    search_piece(search, direction.data(), begin, end, best);
    const std::lock_guard lock(mutex);
    for (const NearRow& row : best.kept()) all.offer(row);
  });
  return all.take();
}

}  // namespace mxinfer::text
