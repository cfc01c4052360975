// Reductions with vectors against the reference, along every kind of dimension.
#include "kernels/reduce/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "simd_targets.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

/// Keeps dimension 0 and 2 of (a, b, c), or dimension 1.
ReduceShape shape_of(std::int64_t a, std::int64_t b, std::int64_t c, bool keep_middle) {
  ReduceDims outer, middle;
  outer.rank = 2;
  outer.sizes = {a, c};
  outer.strides = {b * c, 1};
  middle.rank = 1;
  middle.sizes = {b};
  middle.strides = {c};
  return keep_middle ? ReduceShape{middle, outer} : ReduceShape{outer, middle};
}

class ReduceSimd : public testing::TestWithParam<Target> {};

TEST_P(ReduceSimd, EqualsTheReference) {
  for (const char* name : {"sum", "mean", "max", "min", "norm1", "norm2", "squares"}) {
    const ReduceFold simd = select_reduce(name, ElementType::float32, GetParam());
    const ReduceFold ref = reduce_ref(name, ElementType::float32);
    EXPECT_STREQ(simd.variant, "simd");
    for (const std::int64_t b : {1, 3, 65, 130}) {
      for (const std::int64_t c : {1, 2, 7, 8, 9, 31, 64, 65, 131, 5000}) {
        for (const bool keep_middle : {false, true}) {
          const ReduceShape shape = shape_of(2, b, c, keep_middle);
          const Tensor src = test::random_tensor({2, b, c}, 3);
          const std::int64_t outputs = shape.kept.elements();
          Tensor fast(DType::float32, {outputs}), exact(DType::float32, {outputs});
          reduce(simd, shape, src.raw(), fast.raw(), 0, outputs / 2);
          reduce(simd, shape, src.raw(), fast.raw(), outputs / 2, outputs);
          reduce(ref, shape, src.raw(), exact.raw(), 0, outputs);
          // short runs in float32: their rounding, against terms of size 1
          const double scale = std::sqrt(static_cast<double>(shape.reduced.elements()));
          for (std::int64_t i = 0; i < outputs; ++i) {
            ASSERT_NEAR(fast.data<float>()[i], exact.data<float>()[i],
                        1e-6 * (scale + std::abs(exact.data<float>()[i])))
                << name << " " << b << " " << c << " keep_middle " << keep_middle << " at " << i;
          }
        }
      }
    }
  }
}

TEST_P(ReduceSimd, KeepsANanWhereverItIs) {
  for (const char* name : {"max", "min", "sum"}) {
    const ReduceFold fold = select_reduce(name, ElementType::float32, GetParam());
    for (std::int64_t at = 0; at < 41; ++at) {
      std::vector<float> src(41, 1.0f);
      src[static_cast<std::size_t>(at)] = std::numeric_limits<float>::quiet_NaN();
      ReduceAccumulators acc;
      float out = 0;
      fold.start(acc.data(), 1);
      fold.row(src.data(), 41, acc.data());
      fold.finish(acc.data(), 1, 41, &out);
      EXPECT_TRUE(std::isnan(out)) << name << " at " << at;
    }
  }
}

TEST_P(ReduceSimd, AddsALongRowExactly) {
  const std::vector<float> ones(20'000'000, 0.1f);  // a plain float32 sum is off by percents here
  const ReduceFold fold = select_reduce("mean", ElementType::float32, GetParam());
  ReduceAccumulators acc;
  float mean = 0;
  fold.start(acc.data(), 1);
  fold.row(ones.data(), static_cast<std::int64_t>(ones.size()), acc.data());
  fold.finish(acc.data(), 1, static_cast<std::int64_t>(ones.size()), &mean);
  EXPECT_NEAR(mean, 0.1, 1e-7);  // runs of 32 additions, each within half a unit of 3
}

INSTANTIATE_TEST_SUITE_P(Targets, ReduceSimd, testing::ValuesIn(test::simd_targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

TEST(ArgReduce, TakesTheFirstOfEqualsAndTheFirstNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> src = {1, 3, 3, nan, 5, nan};
  float at = -1;
  const ArgReduceFn largest = select_arg_reduce(true, ElementType::float32);
  largest(src.data(), &at, 3, 1, 0, 1);
  EXPECT_EQ(at, 1);
  largest(src.data(), &at, 6, 1, 0, 1);
  EXPECT_EQ(at, 3);
}

}  // namespace
}  // namespace mxinfer::kernels
