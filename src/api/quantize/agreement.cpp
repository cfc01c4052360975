#include "api/quantize/agreement.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "tensor/read_element.h"

namespace mxinfer::api {
namespace {

bool has_rows_of_scores(const ComparedValue& value, const Shape& shape) {
  return value.is_scores && shape.rank() == 2 && shape[1] > 1;
}

std::int64_t best_of_row(const Tensor& scores, std::int64_t row) {
  const ElementReader read = element_reader(scores.dtype());
  const std::int64_t classes = scores.shape()[1];
  std::int64_t best = 0;
  for (std::int64_t c = 1; c < classes; ++c) {
    if (read(scores.raw(), row * classes + c) > read(scores.raw(), row * classes + best)) best = c;
  }
  return best;
}

}  // namespace

void SignalNoise::add(const TensorView& expected, const TensorView& actual) {
  const ElementReader read = element_reader(expected.dtype()), other = element_reader(actual.dtype());
  const std::int64_t count = expected.shape().elements();
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = read(expected.raw(), i), difference = other(actual.raw(), i) - value;
    signal += value * value;
    noise += difference * difference;
  }
}

double SignalNoise::decibels() const {
  if (noise == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / noise);
}

Agreement::Agreement(std::vector<ComparedValue> values)
    : values_(std::move(values)), rows_(values_.size()), noise_(values_.size()) {}

void Agreement::add(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Tensor &before = expected.at(i), &now = actual.at(i);
    if (before.shape() != now.shape()) {
      fail(ErrorCode::internal, "'", printable(values_[i].name), "' has the shape ", to_string(now.shape()),
           " with 8 bits, but ", to_string(before.shape()), " without");
    }
    if (!has_rows_of_scores(values_[i], before.shape())) {
      noise_[i].add(before, now);
      continue;
    }
    for (std::int64_t row = 0; row < before.shape()[0]; ++row) {
      ++rows_[i].all;
      if (best_of_row(before, row) == best_of_row(now, row)) ++rows_[i].same;
    }
  }
}

double Agreement::drop() const {
  double worst = 0;
  if (const auto same = top1()) worst = 1 - *same;
  for (const SignalNoise& noise : noise_) worst = std::max(worst, noise.share());
  return worst;
}

std::optional<double> Agreement::top1() const {
  std::optional<double> lowest;
  for (const Rows& rows : rows_) {
    if (rows.all == 0) continue;
    const double share = static_cast<double>(rows.same) / static_cast<double>(rows.all);
    lowest = std::min(lowest.value_or(1.0), share);
  }
  return lowest;
}

std::optional<double> Agreement::snr_db() const {
  std::optional<double> lowest;
  for (const SignalNoise& noise : noise_) {
    if (noise.signal == 0 && noise.noise == 0) continue;
    lowest = std::min(lowest.value_or(std::numeric_limits<double>::infinity()), noise.decibels());
  }
  return lowest;
}

}  // namespace mxinfer::api
