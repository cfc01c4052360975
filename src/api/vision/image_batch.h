// Shared by the asynchronous variants of the classes for images: images that run as one list.
#pragma once

#include <mxinfer/classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "api/async/list_jobs.h"
#include "api/core/joint_prediction.h"
#include "api/core/predictor_impl.h"

namespace mxinfer::api {

inline bool are_close(const Classification& a, const Classification& b, double tolerance) {
  return std::abs(a.score - b.score) <= tolerance;
}
inline bool are_close(const Detection& a, const Detection& b, double tolerance) {
  const double side = 1 + std::abs(a.box.right - a.box.left) + std::abs(a.box.bottom - a.box.top);
  return std::abs(a.score - b.score) <= tolerance &&
         std::abs(a.box.left - b.box.left) <= tolerance * side * 10;
}

/// Whether the number of results is the same, with about the same scores.
template <typename Row>
bool are_close_rows(const Row& a, const Row& b, double tolerance) {
  double largest = 0;
  for (const auto& item : a) largest = std::max<double>(largest, std::abs(item.score));
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return are_close(x, y, tolerance * std::max(largest, 1e-30));
  });
}

/// Runs images of several jobs as one list, rows = run_all(&errors). An invalid image gets no result here: it
/// runs alone and gets its own error. The first list is compared with each image alone; if the results
/// differ, images run alone from then on.
template <typename Job, typename RunAll>
void run_images_together(Span<const Job* const> jobs, const RunAll& run_all,
                         const Deliver<typename Job::Result>& deliver) {
  using Row = typename Job::Result;
  auto& impl = PredictorAccess::impl(jobs[0]->self);
  const RowsOfImages known = impl.rows_of_images;
  if (known == RowsOfImages::dependent) return;
  if (known == RowsOfImages::independent) return run_list_together(jobs, run_all, deliver);
  const std::vector<std::optional<Row>> rows = try_list<Row>(jobs.size(), run_all);
  const double tolerance = impl.options.precision == Precision::float32 ? 1e-4 : 2e-2;
  bool are_independent = true;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    std::optional<Row> alone;
    try {
      alone = jobs[i]->run();
    } catch (const Error&) {
      continue;  // and again, for its error
    }
    are_independent = are_independent && rows[i] && are_close_rows(*alone, *rows[i], tolerance);
    ++compared;
    deliver(i, std::move(*alone));
  }
  if (compared < 2) return;
  impl.rows_of_images = are_independent ? RowsOfImages::independent : RowsOfImages::dependent;
  if (!are_independent) say_that_rows_run_alone(impl);
}

}  // namespace mxinfer::api
