// The first call of a shape on a GPU, or on its emulator: it copies the weights, and records nothing.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

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

// Convolutions pack large weights there, with the bits that the process packs: those of weights that are
// computed are packed there in any case.
TEST(FirstCallOnCuda, LargeWeightsArePackedThere) {
  const Tensor data = test::random_tensor({1, 64, 5, 6}, 1);
  struct Case {
    std::map<std::string, std::string> attrs;
    Shape weight;
  };
  const Case cases[] = {
      {{{"num_filter", "72"}, {"kernel", "(3, 3)"}, {"stride", "(2, 2)"}}, {72, 64, 3, 3}},
      {{{"num_filter", "256"}, {"kernel", "(13, 13)"}, {"pad", "(6, 6)"}, {"num_group", "64"}},
       {256, 1, 13, 13}}};
  std::vector<kernels::Precision> precisions = test::lower_precisions();
  precisions.push_back(kernels::Precision::float32);
  for (auto [attrs, shape] : cases) {
    attrs["no_bias"] = "True";
    const Tensor weight = test::random_tensor(shape, 2);
    ASSERT_GE(weight.bytes(), std::size_t{128} << 10);
    for (const kernels::Precision precision : precisions) {
      plan::PlanOptions options = test::cuda_plan_options();
      options.precision = precision;
      const auto outputs = [&](const std::vector<std::size_t>& parameters) {
        const auto one =
            test::one_operator("Convolution", attrs, {&data, &weight}, {.parameters = parameters});
        std::vector<ops::TensorType> types;
        for (const Tensor* input : one.inputs) types.push_back({input->dtype(), input->shape()});
        plan::WeightStore weights;
        const auto plan = plan::make_plan(one.graph, types, options, weights);
        EXPECT_TRUE(test::runs_on_cuda(*plan));
        return std::move(test::run_on(plan, one.inputs)[0]);
      };
      const auto before = test::launches_of("pack_kernel");
      const Tensor of_parameter = outputs({1});
      const auto after = test::launches_of("pack_kernel");
      if (before) {
        EXPECT_EQ(*after - *before, 1u);
      }
      const Tensor of_input = outputs({});
      EXPECT_LE(test::relative_difference(of_parameter, of_input), test::rounding_tolerance(precision));
    }
  }
}

}  // namespace
}  // namespace mxinfer
