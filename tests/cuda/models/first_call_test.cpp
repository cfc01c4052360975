// The first call of a shape on a GPU, or on its emulator: it copies the weights, and records nothing.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <string>

#include "cuda/support.h"

namespace mxinfer {
namespace {

Predictor first_call_predictor() {
  Options options;
  options.device = "cuda:0";
  options.threads = 2;
  return Predictor(
      Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false}), options);
}

TEST(FirstCallOnCuda, TheSecondCallRecords) {
  const Predictor predictor = first_call_predictor();
  const Tensor images = test::random_tensor({2, 1, 32, 32}, 1);
  const auto before = test::graph_launches();
  const std::vector<Tensor> first = predictor.predict({images});
  EXPECT_EQ(test::graph_launches(), before);
  const std::vector<Tensor> second = predictor.predict({images});
  if (before) {
    EXPECT_EQ(*test::graph_launches(), *before + 1);
  }
  for (std::int64_t i = 0; i < first[0].elements(); ++i)
    EXPECT_EQ(first[0].data<float>()[i], second[0].data<float>()[i]) << i;
}

TEST(FirstCallOnCuda, WeightsAreCopiedOnceEach) {
  if (!test::copies_to_device()) GTEST_SKIP() << "only the emulator counts copies";
  const Predictor predictor = first_call_predictor();
  const std::size_t weights = predictor.explain({{"data", {2, 1, 32, 32}}}).packed_weight_bytes;
  const auto calls = [&](std::int64_t batch) {
    const auto before = *test::copies_to_device();
    (void)predictor.predict({test::random_tensor({batch, 1, 32, 32}, 1)});
    const auto after = *test::copies_to_device();
    return test::CopiesToDevice{after.count - before.count, after.bytes - before.bytes};
  };
  const std::size_t input = 2 * 32 * 32 * sizeof(float);
  const test::CopiesToDevice first = calls(2), again = calls(2);
  EXPECT_GE(first.bytes, weights + input);
  EXPECT_GT(first.count, 2u);
  EXPECT_EQ(again.count, 1u);
  EXPECT_EQ(again.bytes, input);
  // Another shape has the same weights there.
  const test::CopiesToDevice larger = calls(4);
  EXPECT_EQ(larger.bytes, 2 * input);
}

}  // namespace
}  // namespace mxinfer
