// Convolutions of random sizes for tests: sizes on both sides of every block, up to three spatial dimensions.
#pragma once

#include <algorithm>
#include <random>

#include "kernels/conv/conv.h"

namespace mxinfer::test {

struct RandomConvLimits {
  std::int64_t batch = 2, channels = 9, filters = 20, kernel = 4,
               input = 20;  ///< channels, filters: of a group
};

/// The same sequence for the same seed.
class RandomConv {
 public:
  RandomConv(unsigned seed, const RandomConvLimits& most) : generator_(seed), most_(most) {}

  bool coin() { return pick(0, 1) == 1; }
  kernels::PostOps post_ops() { return {coin() ? kernels::Activation::relu : kernels::Activation::none}; }

  /// Everything except the size of the output.
  kernels::ConvProblem shape() {
    kernels::ConvProblem s;
    s.batch = pick(1, most_.batch);
    s.groups = pick(0, 2) == 0 ? pick(2, 4) : 1;
    s.channels = s.groups * pick(1, most_.channels);
    s.filters = s.groups * pick(1, most_.filters);
    for (std::size_t a = pick(0, 4) == 0 ? 0 : 1; a < 3; ++a) {
      s.kernel[a] = pick(1, most_.kernel);
      s.dilate[a] = pick(1, 2);
      s.stride[a] = pick(1, 3);
      s.pad[a] = pick(0, 3);
      const std::int64_t least = s.dilate[a] * (s.kernel[a] - 1) + 1 - 2 * s.pad[a];
      s.input[a] = std::max<std::int64_t>(1, least) + pick(0, most_.input);
    }
    return s;
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(generator_);
  }

  std::mt19937 generator_;
  RandomConvLimits most_;
};

}  // namespace mxinfer::test
