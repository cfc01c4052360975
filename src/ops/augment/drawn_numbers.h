// DrawnNumbers: the numbers, 0 <= u < 1, that a transform of training draws, one after another. They come
// from the generator of a random operator, or from a tensor that the caller made.
//
//   DrawnNumbers draws(RandomSource::draws(run_key, image));       // _mxinfer_random_*
//   DrawnNumbers draws(values, count);                             // _mxinfer_drawn_*, float or double
//   const double scale = draws.uniform(0.3, 1.0);
#pragma once

#include <cstdint>

#include "ops/random/random_draws.h"

namespace mxinfer::ops {

class DrawnNumbers {
 public:
  explicit DrawnNumbers(RandomDraws draws) : draws_(draws) {}
  /// Borrows `count` numbers. What is below 0 or not a number counts as 0, what is 1 or more as the number
  /// before 1; behind the last one come zeros.
  DrawnNumbers(const float* values, std::int64_t count) : floats_(values), count_(count) {}
  DrawnNumbers(const double* values, std::int64_t count) : doubles_(values), count_(count) {}

  double next() {
    if (floats_ == nullptr && doubles_ == nullptr) return draws_.unit();
    if (taken_ >= count_) return 0;
    const double value = floats_ != nullptr ? double{floats_[taken_]} : doubles_[taken_];
    ++taken_;
    if (!(value > 0)) return 0;
    return value < 1 ? value : 0x1.fffffffffffffp-1;
  }
  double uniform(double low, double high) { return low + (high - low) * next(); }
  /// 0 .. count - 1, for count >= 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(next() * static_cast<double>(count));
  }

 private:
  RandomDraws draws_{0};
  const float* floats_ = nullptr;
  const double* doubles_ = nullptr;
  std::int64_t count_ = 0;
  std::int64_t taken_ = 0;
};

}  // namespace mxinfer::ops
