// Which implementation of a node a plan takes: by predicted cost, by what was measured, and as memory allows.
// Rates are given, so that no test depends on the machine.
#include "plan/lower/choose_implementations.h"

#include <gtest/gtest.h>

#include <array>

#include "kernels/speed/cpu_rates.h"
#include "plan/schedule/machine.h"
#include "plan/schedule/predict_times.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::plan {
namespace {

using kernels::kDefaultRates;
using test::GraphBuilder;

const Parameter& weights(std::size_t i) {
  static const std::array<Parameter, 3> all{Parameter(Tensor()), Parameter(Tensor()), Parameter(Tensor())};
  return all.at(i);
}

/// "plain" takes `plain` seconds, "fast" takes `fast` and needs `bytes`.
NodeImplementations two(const std::string& shape, double plain, double fast, std::size_t bytes,
                        std::size_t weight = 0) {
  const auto work = [](double seconds) {
    kernels::Work w;
    w.flops = seconds * kDefaultRates.flops;
    return w;
  };
  return {{shape, {{"plain", "", "it is plain", work(plain)}, {"fast", "", "it is fast", work(fast), bytes}}},
          &weights(weight)};
}

std::vector<std::string> chosen(const std::vector<NodeImplementations>& nodes, const PlanOptions& options,
                                std::vector<Choice>* all = nullptr) {
  auto choices = choose_implementations(nodes, options, kDefaultRates);
  std::vector<std::string> names;
  for (const Choice& choice : choices)
    names.push_back(choice.implementation ? choice.implementation->name : "");
  if (all != nullptr) *all = std::move(choices);
  return names;
}

using Names = std::vector<std::string>;

TEST(ChooseImplementations, TakesTheCheapest) {
  std::vector<Choice> choices;
  EXPECT_EQ(chosen({two("a", 2, 1, 100), {}, two("b", 1, 2, 100)}, {}, &choices),
            Names({"fast", "", "plain"}));
  EXPECT_EQ(choices[0].reason, "predicted to take 0.5 of plain's time");
  EXPECT_EQ(choices[1].reason, "");
}

/// As two(), where the weights of "fast" exceed those stored by `extra` bytes.
NodeImplementations two_growing(double plain, double fast, std::size_t extra) {
  NodeImplementations node = two("a", plain, fast, 0);
  node.implementations.all[1].extra_weight_bytes = extra;
  return node;
}

TEST(ChooseImplementations, LargerWeightsMustSaveWhatTheirMemoryIsWorth) {
  // kDefaultRates: 1e11 bytes of cache a second, so 20 passes of 5e9 bytes take a second.
  constexpr std::size_t kSecond = 5'000'000'000;
  std::vector<Choice> choices;
  EXPECT_EQ(chosen({two_growing(3, 1, kSecond), two_growing(3, 1, 3 * kSecond)}, {}, &choices),
            Names({"fast", "plain"}));
  EXPECT_EQ(choices[0].reason, "predicted to take 0.33 of plain's time");
  EXPECT_EQ(choices[1].reason, "predicted to take 3 of fast's time, whose weights take 1.5e+04 MB more");
}

TEST(ChooseImplementations, ATuningTakesTheFastestHoweverLargeItsWeights) {
  auto tuning = std::make_shared<Tuning>();
  tuning->choices = {{"a", "fast", {{"plain", 3}, {"fast", 1}}}};
  PlanOptions options;
  options.tuning = tuning;
  EXPECT_EQ(chosen({two_growing(3, 1, std::size_t{1} << 40)}, options), Names({"fast"}));
}

TEST(ChooseImplementations, TakesWhatWasMeasured) {
  auto tuning = std::make_shared<Tuning>();
  tuning->choices = {{"a", "plain", {{"plain", 0.31}, {"fast", 0.42}}}, {"b", "fast", {}}};
  PlanOptions options;
  options.tuning = tuning;
  std::vector<Choice> choices;
  EXPECT_EQ(chosen({two("a", 2, 1, 100), two("b", 1, 2, 100), two("c", 2, 1, 100)}, options, &choices),
            Names({"plain", "fast", "fast"}));
  EXPECT_EQ(choices[0].reason, "tuned: 0.31 ms against 0.42 of fast");
  EXPECT_EQ(choices[1].reason, "tuned");
  EXPECT_EQ(choices[2].reason, "predicted to take 0.5 of plain's time");
  tuning->choices[1].kernel = "other";
  EXPECT_MXINFER_ERROR(chosen({two("b", 1, 2, 100)}, options), ErrorCode::malformed,
                       {"names kernel other for b", "plain, fast"});
}

TEST(ChooseImplementations, ATuningSaysNothingOfOperatorsThatAreNotTimed) {
  auto tuning = std::make_shared<Tuning>();
  tuning->choices = {{"", "other", {}}};
  PlanOptions options;
  options.tuning = tuning;
  EXPECT_EQ(chosen({two("", 1, 2, 100)}, options), Names({"plain"}));
}

TEST(ChooseImplementations, MemoryGoesToThoseThatGainMost) {
  // Gains for each byte: 1/100, 3/100, 2/100.
  const std::vector<NodeImplementations> nodes = {two("a", 2, 1, 100, 0), two("b", 4, 1, 100, 1),
                                                  two("c", 3, 1, 100, 2)};
  PlanOptions options;
  const auto with = [&](std::size_t bytes) {
    options.max_winograd_bytes = bytes;
    return chosen(nodes, options);
  };
  EXPECT_EQ(with(300), Names({"fast", "fast", "fast"}));
  EXPECT_EQ(with(299), Names({"plain", "fast", "fast"}));
  EXPECT_EQ(with(100), Names({"plain", "fast", "plain"}));
  EXPECT_EQ(with(0), Names({"plain", "plain", "plain"}));
  std::vector<Choice> choices;
  (void)chosen(nodes, options, &choices);
  EXPECT_NE(choices[0].reason.find("fast is faster, its weights would exceed the 0 bytes"), std::string::npos)
      << choices[0].reason;
}

TEST(ChooseImplementations, SharedWeightsTakeMemoryOnce) {
  PlanOptions options;
  options.max_winograd_bytes = 100;
  EXPECT_EQ(chosen({two("a", 2, 1, 100, 0), two("b", 2, 1, 100, 0), two("c", 2, 1, 100, 1)}, options),
            Names({"fast", "fast", "plain"}));
}

/// Three convolutions with filters 3 x 3; the last two share their weights.
graph::Graph convolutions() {
  GraphBuilder b;
  const std::map<std::string, std::string> attrs = {
      {"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "32"}, {"no_bias", "True"}};
  auto x = b.input("data");
  const auto w = b.parameter("w", test::random_tensor({32, 32, 3, 3}, 1));
  const auto shared = b.parameter("shared", test::random_tensor({32, 32, 3, 3}, 2));
  for (const auto& weight : {w, shared, shared}) x = b.op("_mxinfer_convolution_nhwc", attrs, {x, weight});
  b.head(x);
  return b.graph();
}

std::vector<std::string> kernels_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const StepInfo& step : plan.info.steps) names.push_back(step.kernel.substr(0, step.kernel.find(' ')));
  return names;
}

TEST(ChooseImplementations, PlansKeepWithinTheMemory) {
  const graph::Graph graph = convolutions();
  PlanOptions options{kernels::best_target(), 1};
  options.rates = &kDefaultRates;
  const std::string fast = "conv_nhwc_winograd4_f32", plain = "conv_nhwc_direct_f32";
  constexpr std::size_t kFast = 36 * 32 * 32 * 4, kPlain = 9 * 32 * 32 * 4;
  const auto plan_with = [&](std::size_t bytes) {
    WeightStore weights;
    options.max_winograd_bytes = bytes;
    return make_plan(graph, {{DType::float32, {1, 160, 160, 32}}}, options, weights);
  };
  const auto all = plan_with(2 * kFast), one = plan_with(2 * kFast - 1), none = plan_with(kPlain - 1);
  EXPECT_EQ(kernels_of(*all), Names({fast, fast, fast}));
  EXPECT_EQ(all->info.packed_weight_bytes, 2 * kFast);
  EXPECT_EQ(kernels_of(*none), Names({plain, plain, plain}));
  EXPECT_EQ(none->info.packed_weight_bytes, 2 * kPlain);
  EXPECT_NE(none->info.steps[0].reason.find("max_winograd_bytes"), std::string::npos);
  EXPECT_LE(one->info.packed_weight_bytes, 2 * kFast - 1 + kPlain);
  EXPECT_EQ(kernels_of(*one)[0], fast);  // none gains more, and it comes first
  for (const StepInfo& step : predicted_info(*all).steps) EXPECT_GT(step.predicted_ms, 0);
}

TEST(ChooseImplementations, AFirstConvolutionIsPooledInCacheUnlessTuned) {
  GraphBuilder b;
  b.head(b.op("_mxinfer_convolution_pool_nhwc",
              {{"kernel", "(7, 7)"},
               {"stride", "(2, 2)"},
               {"pad", "(3, 3)"},
               {"num_filter", "64"},
               {"no_bias", "True"},
               {"planes", "True"},
               {"pool_kernel", "(3, 3)"},
               {"pool_stride", "(2, 2)"},
               {"pool_pad", "(1, 1)"}},
              {b.input("data"), b.parameter("w", test::random_tensor({64, 3, 7, 7}, 1))}));
  const auto plan_with = [&](std::shared_ptr<const Tuning> tuning) {
    PlanOptions options{kernels::best_target(), 2};
    options.rates = &kDefaultRates;
    options.list_tunable = true;
    options.tuning = std::move(tuning);
    WeightStore weights;
    return make_plan(b.graph(), {{DType::float32, {1, 3, 224, 224}}}, options, weights);
  };
  const auto plan = plan_with(nullptr);
  EXPECT_EQ(kernels_of(*plan), Names({"conv_nhwc_strip_of_nchw_pool_f32"}));
  ASSERT_EQ(plan->tunable.size(), 1u);
  const TunableNode& node = plan->tunable[0];
  EXPECT_EQ(node.kernels,
            Names({"conv_nhwc_strip_of_nchw_pool_f32", "conv_nhwc_strip_of_nchw_f32, pool_nd_channels_f32"}));
  auto tuning = std::make_shared<Tuning>();
  tuning->choices.push_back({node.shape, node.kernels[1], {}});
  EXPECT_EQ(kernels_of(*plan_with(tuning)), Names({"conv_nhwc_strip_of_nchw_f32,"}));
}

TEST(ChooseImplementations, ThreadsChangeNoAlgorithm) {
  const graph::Graph graph = convolutions();
  const auto names = [&](int threads) {
    WeightStore weights;
    return kernels_of(
        *make_plan(graph, {{DType::float32, {1, 7, 7, 32}}}, {kernels::best_target(), threads}, weights));
  };
  const auto one = names(1);
  for (int threads : {2, 7, 64}) EXPECT_EQ(names(threads), one);
}

TEST(ChooseImplementations, PlansGoByTheUsualRatesOfTheTarget) {
  const graph::Graph graph = convolutions();
  const auto names = [&](const kernels::MachineRates* rates) {
    WeightStore weights;
    PlanOptions options{kernels::best_target(), 1};
    options.rates = rates;
    return kernels_of(*make_plan(graph, {{DType::float32, {1, 40, 40, 32}}}, options, weights));
  };
  // Whatever this machine is measured to do.
  EXPECT_EQ(names(nullptr), names(&kernels::default_rates(kernels::best_target())));
  // Rates that are given decide: with caches as slow as these, transforms do not pay.
  const kernels::MachineRates slow_caches{100e9, 1e9, 20e9, 20e9, 1};
  const std::string plain = "conv_nhwc_direct_f32";
  EXPECT_EQ(names(&slow_caches), Names({plain, plain, plain}));
}

TEST(Machine, IsMeasuredOnceAndPlausible) {
  const kernels::MachineRates& rates = machine_rates(kernels::best_target(), 2);
  EXPECT_GT(rates.flops, 1e6);
  EXPECT_GT(rates.cache_bytes, 1e6);
  EXPECT_GT(rates.memory_bytes, 1e6);
  EXPECT_GE(rates.all_memory_bytes, rates.memory_bytes);
  EXPECT_LE(rates.cores, usable_cores());
  EXPECT_EQ(&rates, &machine_rates(kernels::best_target(), 2));
  EXPECT_FALSE(cpu_name().empty());
}

TEST(Machine, PlansSayThatThereAreMoreThreadsThanCores) {
  GraphBuilder b;
  b.head(b.op("Activation", {{"act_type", "relu"}}, {b.input("data")}));
  const auto warnings = [&](int threads) {
    WeightStore weights;
    return make_plan(b.graph(), {{DType::float32, {2, 3}}}, {kernels::best_target(), threads}, weights)
        ->info.warnings;
  };
  EXPECT_TRUE(warnings(usable_cores()).empty());
  ASSERT_EQ(warnings(usable_cores() + 1).size(), 1u);
  EXPECT_NE(warnings(usable_cores() + 1)[0].find("threads share"), std::string::npos);
}

}  // namespace
}  // namespace mxinfer::plan
