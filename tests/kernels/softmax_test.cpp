// Softmax kernels against the reference, and the reference against known results.
#include "kernels/softmax/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "cases/softmax_cases.h"
#include "simd_targets.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

/// The cases of the benches, and those that end inside a vector.
std::vector<cases::Softmax> small_cases() {
  std::vector<cases::Softmax> result(std::begin(cases::kSoftmaxTails), std::end(cases::kSoftmaxTails));
  for (const cases::Softmax& c : cases::kSoftmax) {
    if (!c.label.large) result.push_back(c);
  }
  return result;
}

class SoftmaxSimd : public testing::TestWithParam<Target> {};

TEST_P(SoftmaxSimd, EqualsTheReference) {
  for (const cases::Softmax& lines : small_cases()) {
    const Tensor src = test::random_tensor({lines.outer, lines.axis, lines.inner}, 5, -20, 20);
    for (const bool log : {false, true}) {
      for (const float sign : {1.0f, -1.0f}) {
        SoftmaxArgs args = args_of(lines);
        args.temperature = 1.7;
        args.log = log;
        args.sign = sign;
        Tensor simd(DType::float32, src.shape()), ref(DType::float32, src.shape());
        const auto count = lines.outer * lines.inner;
        const SoftmaxKernel kernel =
            select_softmax(ElementType::float32, ElementType::float32, args, false, GetParam());
        EXPECT_EQ(kernel.target, GetParam());
        // In two calls, so that one begins inside a row of lines.
        kernel.run(args, src.raw(), simd.raw(), nullptr, 0, count / 2);
        kernel.run(args, src.raw(), simd.raw(), nullptr, count / 2, count);
        softmax_ref(ElementType::float32, ElementType::float32)(args, src.raw(), ref.raw(), nullptr, 0,
                                                                count);
        // exp within 1 ulp of an argument rounded to 2^-20, and the sum's own rounding
        EXPECT_LE(test::relative_difference(simd, ref), 3e-6)
            << lines.outer << " x " << lines.axis << " x " << lines.inner << (log ? " log" : "");
      }
    }
  }
}

TEST_P(SoftmaxSimd, WorksInPlace) {
  for (const cases::Softmax& lines : small_cases()) {
    const Tensor src = test::random_tensor({lines.outer, lines.axis, lines.inner}, 5, -20, 20);
    SoftmaxArgs args = args_of(lines);
    const auto count = lines.outer * lines.inner;
    for (const bool log : {false, true}) {
      args.log = log;
      const auto run =
          select_softmax(ElementType::float32, ElementType::float32, args, false, GetParam()).run;
      Tensor apart(DType::float32, src.shape()), place = src.clone();
      run(args, src.raw(), apart.raw(), nullptr, 0, count);
      run(args, place.raw(), place.raw(), nullptr, 0, count);
      EXPECT_EQ(test::relative_difference(place, apart), 0);
    }
  }
}

TEST_P(SoftmaxSimd, HoldsLengthsOutsideTheLineBack) {
  SoftmaxArgs args;
  args.axis = 5;
  const std::vector<float> src(15, 1.0f);
  const std::vector<std::int32_t> lengths = {-3, 99, 2};
  std::vector<float> dst(15, 7.0f);
  select_softmax(ElementType::float32, ElementType::float32, args, true, GetParam())
      .run(args, src.data(), dst.data(), lengths.data(), 0, 3);
  const std::vector<float> expected = {0, 0, 0, 0, 0, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.5f, 0.5f, 0, 0, 0};
  for (std::size_t i = 0; i < dst.size(); ++i) EXPECT_FLOAT_EQ(dst[i], expected[i]) << i;
}

TEST_P(SoftmaxSimd, StaysFiniteForLargeScores) {
  SoftmaxArgs args;
  args.axis = 3;
  const std::vector<float> src = {3e38f, 0.0f, -3e38f};
  std::vector<float> dst(3);
  select_softmax(ElementType::float32, ElementType::float32, args, false, GetParam())
      .run(args, src.data(), dst.data(), nullptr, 0, 1);
  EXPECT_EQ(dst, (std::vector<float>{1, 0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Targets, SoftmaxSimd, testing::ValuesIn(test::simd_targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

}  // namespace
}  // namespace mxinfer::kernels
