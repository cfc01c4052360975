// ValueStatistics: the range of a value over many samples, and a histogram of its magnitudes. It keeps
// counts, not elements.
//
//   ValueStatistics statistics;
//   for (...) statistics.add(output.data<float>(), output.elements());
//   threshold_of(statistics, {CalibrationMethod::entropy}, 127);
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mxinfer::api {

class ValueStatistics {
 public:
  /// When a value exceeds the histogram, pairs of bins become one, so at least half of the bins stay in use.
  static constexpr std::size_t kBins = 8192;

  /// Returns false, and adds nothing, if an element is not finite.
  [[nodiscard]] bool add(const float* values, std::int64_t count);

  float lowest() const { return lowest_; }    ///< 0 without elements
  float highest() const { return highest_; }  ///< 0 without elements
  float largest_magnitude() const;
  bool is_never_negative() const { return lowest_ >= 0; }

  std::int64_t count() const { return count_; }
  std::int64_t zeros() const { return zeros_; }
  /// How many elements other than 0 have a magnitude in each bin; empty if all are 0.
  const std::vector<std::int64_t>& bins() const { return bins_; }
  double bin_width() const { return limit_ / static_cast<double>(kBins); }

 private:
  void make_room(float largest);
  void double_limit();

  float lowest_ = 0, highest_ = 0;
  std::int64_t count_ = 0, zeros_ = 0;
  double limit_ = 0;  ///< of the histogram
  std::vector<std::int64_t> bins_;
};

}  // namespace mxinfer::api
