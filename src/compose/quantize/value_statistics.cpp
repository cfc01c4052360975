#include "compose/quantize/value_statistics.h"

#include <algorithm>
#include <cmath>

namespace mxinfer::api {

float ValueStatistics::largest_magnitude() const {
  return std::max(-lowest_, highest_);
}

bool ValueStatistics::add(const float* values, std::int64_t count) {
  if (count == 0) return true;
  float lowest = values[0], highest = values[0];
  for (std::int64_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) return false;
    lowest = std::min(lowest, values[i]);
    highest = std::max(highest, values[i]);
  }
  lowest_ = count_ == 0 ? lowest : std::min(lowest_, lowest);
  highest_ = count_ == 0 ? highest : std::max(highest_, highest);
  count_ += count;
  make_room(std::max(std::abs(lowest), std::abs(highest)));
  const double per_unit = bins_.empty() ? 0 : static_cast<double>(kBins) / limit_;
  for (std::int64_t i = 0; i < count; ++i) {
    if (values[i] == 0) {
      ++zeros_;
      continue;
    }
    const double place = static_cast<double>(std::abs(values[i])) * per_unit;
    // The limit itself belongs to the last bin.
    ++bins_[std::min(static_cast<std::size_t>(place), kBins - 1)];
  }
  return true;
}

void ValueStatistics::make_room(float largest) {
  if (largest == 0) return;
  if (bins_.empty()) {
    bins_.assign(kBins, 0);
    limit_ = largest;
  }
  while (limit_ < static_cast<double>(largest)) double_limit();
}

void ValueStatistics::double_limit() {
  for (std::size_t i = 0; i < kBins / 2; ++i) bins_[i] = bins_[2 * i] + bins_[2 * i + 1];
  std::fill(bins_.begin() + kBins / 2, bins_.end(), 0);
  limit_ *= 2;
}

}  // namespace mxinfer::api
