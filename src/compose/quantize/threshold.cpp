#include "compose/quantize/threshold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mxinfer {

const char* MXINFER_ABI::to_string(CalibrationMethod method) noexcept {
  switch (method) {
    case CalibrationMethod::entropy:
      return "entropy";
    case CalibrationMethod::percentile:
      return "percentile";
    case CalibrationMethod::minmax:
      break;
  }
  return "minmax";
}

namespace api {
namespace {

using Counts = std::vector<std::int64_t>;

// The bins up to the last one that is not empty.
std::size_t used_bins(const Counts& bins) {
  std::size_t used = bins.size();
  while (used > 0 && bins[used - 1] == 0) --used;
  return used;
}

float upper_edge(const ValueStatistics& statistics, std::size_t bin) {
  const double edge = statistics.bin_width() * static_cast<double>(bin + 1);
  return std::min(static_cast<float>(edge), statistics.largest_magnitude());
}

// The smallest edge below which are so many of a hundred elements, zeros included.
float percentile_of(const ValueStatistics& statistics, double percentile) {
  const double wanted = static_cast<double>(statistics.count()) * percentile / 100;
  double below = static_cast<double>(statistics.zeros());
  const Counts& bins = statistics.bins();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    below += static_cast<double>(bins[i]);
    if (bins[i] > 0 && below >= wanted) return upper_edge(statistics, i);
  }
  return statistics.largest_magnitude();
}

/// How much of the distribution in the bins is lost if magnitudes are cut off behind some bin and the rest
/// has so many levels: the Kullback-Leibler divergence of the two distributions.
class Divergence {
 public:
  Divergence(const Counts& bins, std::size_t used, int levels)
      : bins_(bins), used_(used), levels_(static_cast<std::size_t>(levels)) {
    for (std::size_t i = 0; i < used; ++i) total_ += static_cast<double>(bins[i]);
  }

  double of(std::size_t kept) const {
    double inside = 0;
    for (std::size_t i = 0; i < kept; ++i) inside += static_cast<double>(bins_[i]);
    const double cut_off = total_ - inside;
    double sum = 0;
    for (std::size_t level = 0; level < levels_; ++level) {
      const std::size_t begin = level * kept / levels_, end = (level + 1) * kept / levels_;
      sum += of_level(begin, end, end == kept ? cut_off : 0, inside);
    }
    return sum;
  }

 private:
  // Elements of a level spread evenly over its bins that are not empty.
  double of_level(std::size_t begin, std::size_t end, double cut_off, double inside) const {
    double elements = 0;
    std::size_t filled = 0;
    for (std::size_t i = begin; i < end; ++i) {
      elements += static_cast<double>(bins_[i]);
      if (bins_[i] > 0 || (cut_off > 0 && i + 1 == end)) ++filled;
    }
    if (filled == 0) return 0;
    // What cannot happen by the second distribution would diverge without end.
    const double least = kAlmostNothing;
    const double q = std::max(elements / static_cast<double>(filled) / std::max(inside, 1.0), least);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double count = static_cast<double>(bins_[i]) + (i + 1 == end ? cut_off : 0);
      if (count > 0) sum += count / total_ * std::log(count / total_ / q);
    }
    return sum;
  }

  static constexpr double kAlmostNothing = 1e-9;
  const Counts& bins_;
  std::size_t used_, levels_;
  double total_ = 0;
};

// The bins that must be kept, so that at most so many of a hundred elements are cut off.
std::size_t fewest_bins(const Counts& bins, std::size_t used, double percentage) {
  double all = 0, outside = 0;
  for (std::size_t i = 0; i < used; ++i) all += static_cast<double>(bins[i]);
  std::size_t kept = used;
  while (kept > 0) {
    outside += static_cast<double>(bins[kept - 1]);
    if (outside > all * percentage / 100) break;
    --kept;
  }
  return kept;
}

// The threshold that loses least. Zeros are exact at any threshold and do not count. If most elements have
// one of few values, such as those of a uniform background, the divergence is least for thresholds that cut
// off many elements; hence the limit.
float least_divergence(const ValueStatistics& statistics, int levels) {
  constexpr std::size_t kCandidates = 512;
  const Counts& bins = statistics.bins();
  const std::size_t used = used_bins(bins);
  constexpr double kMostCutOff = 1;  // of a hundred elements
  const std::size_t first = std::max(static_cast<std::size_t>(levels), fewest_bins(bins, used, kMostCutOff));
  if (used <= first) return statistics.largest_magnitude();
  const Divergence divergence(bins, used, levels);
  const std::size_t stride = std::max<std::size_t>(1, (used - first) / kCandidates);
  std::size_t best = used;
  double least = divergence.of(used);
  for (std::size_t kept = used; kept >= first + stride;) {
    kept -= stride;
    const double lost = divergence.of(kept);
    if (lost >= least) continue;
    least = lost;
    best = kept;
  }
  return upper_edge(statistics, best - 1);
}

}  // namespace

float threshold_of(const ValueStatistics& statistics, const ThresholdRule& rule, int levels) {
  if (statistics.bins().empty()) return 0;
  switch (rule.method) {
    case CalibrationMethod::percentile:
      return percentile_of(statistics, rule.percentile);
    case CalibrationMethod::entropy:
      return least_divergence(statistics, levels);
    case CalibrationMethod::minmax:
      break;
  }
  return statistics.largest_magnitude();
}

}  // namespace api
}  // namespace mxinfer
