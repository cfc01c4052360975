// Tuning from the model to the predictor that uses it.
#include <gtest/gtest.h>
#include <mxinfer/tools/tune.h>

#include <cstring>

#include "kernels/common/target.h"
#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

Model digits_model() {
  return Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits/digits");
}

// As ResNets begin.
Model stem() {
  const std::string symbol = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "w", "inputs": []},
    {"op": "Convolution", "name": "conv", "inputs": [[0, 0, 0], [1, 0, 0]],
     "attrs": {"kernel": "(7, 7)", "stride": "(2, 2)", "pad": "(3, 3)", "num_filter": "64", "no_bias": "True"}},
    {"op": "Pooling", "name": "pool", "inputs": [[2, 0, 0]],
     "attrs": {"kernel": "(3, 3)", "stride": "(2, 2)", "pad": "(1, 1)", "pool_type": "max"}}],
    "arg_nodes": [0, 1], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Tensor weights = test::random_tensor({64, 3, 7, 7}, 1);
  std::vector<std::byte> bytes(weights.bytes());
  std::memcpy(bytes.data(), weights.raw(), bytes.size());
  test::ParamsWriter params;
  params.add("arg:w", test::dense_v2(DType::float32, {64, 3, 7, 7}, bytes));
  const std::vector<std::byte> file = params.finish();
  return Model::load_memory(Span<const char>(symbol), file);
}

Model relu() {
  const std::string symbol = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "Activation", "name": "relu", "inputs": [[0, 0, 0]], "attrs": {"act_type": "relu"}}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const std::vector<std::byte> no_parameters = test::ParamsWriter().finish();
  return Model::load_memory(Span<const char>(symbol), no_parameters);
}

std::string reasons(const PlanInfo& plan) {
  std::string all;
  for (const StepInfo& step : plan.steps) all += step.reason + "\n";
  return all;
}

// In bfloat16 a CPU with tiles has one kernel for a shape and nothing to choose. Below AVX-512 there are two
// everywhere.
Target target_with_several_bfloat16_kernels() {
  return kernels::is_supported(kernels::Target::avx2) ? Target::avx2 : Target::baseline;
}

class Tune : public testing::Test {
 protected:
  void SetUp() override { options.threads = 1; }
  test::TempDir dir;
  Options options;
};

TEST_F(Tune, TimesEveryKernelOfEveryShapeOnce) {
  std::vector<std::pair<std::size_t, std::size_t>> told;
  const Tuning tuning = tune_model(digits_model(), options, {}, [&](std::size_t done, std::size_t total) {
    told.emplace_back(done, total);
  });
  ASSERT_FALSE(tuning.choices.empty());
  EXPECT_EQ(tuning.threads, 1);
  EXPECT_EQ(tuning.target, kernels::to_string(kernels::best_target()));
  ASSERT_EQ(told.size(), tuning.choices.size());
  EXPECT_EQ(told.back(), std::pair(told.size(), told.size()));
  for (const TunedChoice& choice : tuning.choices) {
    EXPECT_GE(choice.times.size(), 2u) << choice.shape;
    for (const KernelTime& time : choice.times) EXPECT_GT(time.ms, 0);
  }
}

TEST_F(Tune, Bfloat16IsTunedForItself) {
  const auto model = digits_model();
  options.precision = Precision::bfloat16;
  options.target = target_with_several_bfloat16_kernels();
  Tuning tuning = tune_model(model, options);
  ASSERT_FALSE(tuning.choices.empty());
  for (TunedChoice& choice : tuning.choices) {
    EXPECT_EQ(choice.shape.rfind("bfloat16, ", 0), 0u) << choice.shape;
    EXPECT_GE(choice.times.size(), 2u) << choice.shape;
    choice.kernel = choice.times[0].kernel;
    EXPECT_EQ(choice.kernel.find("winograd"), std::string::npos) << choice.kernel;
  }
  options.tuning_file = dir / "digits.tuning";
  save_tuning(tuning, options.tuning_file);
  const PlanInfo plan = Predictor(model, options).explain();
  EXPECT_NE(reasons(plan).find("tuned: "), std::string::npos) << reasons(plan);
  for (const StepInfo& step : plan.steps)
    EXPECT_EQ(step.kernel.find("conv_bf16_winograd"), std::string::npos) << step.kernel;
}

// Whatever the CPU has: all choices, or none, make a file that a predictor takes without a warning.
TEST_F(Tune, Bfloat16OnTheBestTargetMakesAFileThatPredictorsTake) {
  options.precision = Precision::bfloat16;
  const Tuning tuning = tune_model(digits_model(), options);
  for (const TunedChoice& choice : tuning.choices) EXPECT_GE(choice.times.size(), 2u) << choice.shape;
  options.tuning_file = dir / "best.tuning";
  save_tuning(tuning, options.tuning_file);
  const PlanInfo plan = Predictor(digits_model(), options).explain();
  EXPECT_TRUE(plan.warnings.empty());
  EXPECT_EQ(reasons(plan).find("tuned: ") == std::string::npos, tuning.choices.empty());
}

TEST_F(Tune, AModelWithOneKernelForEachShapeHasNoChoices) {
  const Tuning tuning = tune_model(relu(), options, {{"data", {2, 3}}});
  EXPECT_TRUE(tuning.choices.empty());
  options.tuning_file = dir / "none.tuning";
  save_tuning(tuning, options.tuning_file);
  EXPECT_TRUE(load_tuning(options.tuning_file).choices.empty());
  EXPECT_TRUE(Predictor(relu(), options).explain({{"data", {2, 3}}}).warnings.empty());
}

TEST_F(Tune, PredictorsDoAsTheFileSays) {
  const auto model = digits_model();
  Tuning tuning = tune_model(model, options);
  // The slowest, which no model of costs would choose for each shape.
  for (TunedChoice& choice : tuning.choices) {
    choice.kernel = choice.times[0].kernel;
    for (const KernelTime& time : choice.times) {
      if (time.kernel.find("winograd2") != std::string::npos) choice.kernel = time.kernel;
    }
  }
  options.tuning_file = dir / "digits.tuning";
  save_tuning(tuning, options.tuning_file);
  const Predictor tuned(model, options);
  const PlanInfo plan = tuned.explain();
  EXPECT_TRUE(plan.warnings.empty());
  EXPECT_NE(reasons(plan).find("tuned: "), std::string::npos) << reasons(plan);
  std::size_t found = 0;
  for (const StepInfo& step : plan.steps) found += step.kernel.find("winograd2") != std::string::npos ? 1 : 0;
  EXPECT_GT(found, 0u);

  const Tensor data = test::random_tensor({1, 1, 32, 32}, 1, 0, 255);
  Options plain;
  plain.threads = 1;
  const auto expected = Predictor(model, plain).predict({data});
  EXPECT_LT(test::relative_difference(tuned.predict({data})[0], expected[0]), 1e-5);

  // The same file for another number of threads gives the same bits.
  options.threads = 3;
  const auto one = tuned.predict({data}), three = Predictor(model, options).predict({data});
  EXPECT_EQ(std::memcmp(one[0].raw(), three[0].raw(), one[0].bytes()), 0);
}

// The first layers of image networks: two steps computed as one have kernels to choose, too.
TEST_F(Tune, AConvolutionAndItsPoolingAreTuned) {
  const Model model = stem();
  const std::vector<NamedShape> shape = {{"data", {1, 3, 64, 64}}};
  Tuning tuning = tune_model(model, options, shape);
  ASSERT_EQ(tuning.choices.size(), 1u);
  ASSERT_EQ(tuning.choices[0].times.size(), 2u);
  options.tuning_file = dir / "stem.tuning";
  for (const KernelTime& time : tuning.choices[0].times) {
    tuning.choices[0].kernel = time.kernel;
    save_tuning(tuning, options.tuning_file);
    const PlanInfo plan = Predictor(model, options).explain(shape);
    EXPECT_TRUE(plan.warnings.empty());
    EXPECT_EQ(plan.steps[0].kernel, time.kernel + " [" + tuning.target + "]");
  }
}

TEST_F(Tune, AKernelThatThereIsNotIsAnError) {
  const auto model = digits_model();
  Tuning tuning = tune_model(model, options);
  tuning.choices[0].kernel = "conv_fft";
  options.tuning_file = dir / "wrong.tuning";
  save_tuning(tuning, options.tuning_file);
  EXPECT_MXINFER_ERROR(Predictor(model, options).explain(), ErrorCode::malformed,
                       {"conv_fft", tuning.choices[0].shape, "conv_nhwc_direct_f32"});
}

TEST_F(Tune, AFileOfAnotherMachineIsIgnoredWithAWarning) {
  const auto model = digits_model();
  Tuning tuning = tune_model(model, options);
  tuning.cpu = "a CPU that nobody made";
  options.tuning_file = dir / "foreign.tuning";
  save_tuning(tuning, options.tuning_file);
  const PlanInfo plan = Predictor(model, options).explain();
  ASSERT_EQ(plan.warnings.size(), 1u);
  for (const char* fact : {"foreign.tuning", "ignored", "a CPU that nobody made"})
    EXPECT_NE(plan.warnings[0].find(fact), std::string::npos) << plan.warnings[0];
  EXPECT_EQ(reasons(plan).find("tuned"), std::string::npos);
}

TEST_F(Tune, WrongFilesAreErrorsBeforeTheFirstRequest) {
  const auto model = digits_model();
  options.tuning_file = dir / "none.tuning";
  EXPECT_MXINFER_ERROR(Predictor(model, options), ErrorCode::not_found, {"none.tuning"});
  options.tuning_file = dir.write("bad.tuning", "{\"format\": \"mxinfer tuning\", \"version\": 7}");
  EXPECT_MXINFER_ERROR(Predictor(model, options), ErrorCode::unsupported, {"bad.tuning", "7", "version 1"});
}

TEST_F(Tune, WinogradsWeightsAreBounded) {
  const auto model = digits_model();
  options.max_winograd_bytes = 0;
  for (const StepInfo& step : Predictor(model, options).explain().steps)
    EXPECT_EQ(step.kernel.find("winograd"), std::string::npos) << step.node;
}

}  // namespace
}  // namespace mxinfer
