// Operators that draw from distributions: their moments, that a seed repeats them, and bad input.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "support/expect_error.h"
#include "support/run_op.h"
#include "support/run_seeded.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using Inputs = std::vector<const Tensor*>;

std::vector<Tensor> draw(const std::string& op, const Attributes& attrs, const Inputs& inputs = {},
                         const test::SeededOptions& seeded = {}) {
  return test::run_seeded(op, attrs, inputs, seeded);
}

struct Moments {
  double mean, variance;
};

template <typename T>
Moments moments_of(const Tensor& tensor) {
  const auto count = static_cast<double>(tensor.elements());
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    const auto value = static_cast<double>(tensor.data<T>()[i]);
    sum += value;
    squares += value * value;
  }
  return {sum / count, squares / count - sum / count * (sum / count)};
}

struct Drawn {
  const char* op;
  Attributes attrs;
  double mean, variance;
};

void PrintTo(const Drawn& drawn, std::ostream* out) {
  *out << drawn.op;
}

constexpr double kEuler = 0.5772156649015329, kPi = 3.141592653589793;

const Drawn kDrawn[] = {
    {"_random_uniform", {{"low", "-1"}, {"high", "3"}}, 1, 16.0 / 12},
    {"_random_normal", {{"loc", "2"}, {"scale", "3"}}, 2, 9},
    {"_random_gamma", {{"alpha", "4"}, {"beta", "0.5"}}, 2, 1},
    {"_random_gamma", {{"alpha", "0.5"}, {"beta", "2"}}, 1, 2},
    {"_random_exponential", {{"lam", "4"}}, 0.25, 1.0 / 16},
    {"_random_poisson", {{"lam", "3"}}, 3, 3},
    {"_random_poisson", {{"lam", "40"}}, 40, 40},
    {"_random_negative_binomial", {{"k", "3"}, {"p", "0.4"}}, 4.5, 11.25},
    {"_random_generalized_negative_binomial", {{"mu", "2"}, {"alpha", "0.3"}}, 2, 3.2},
    {"_npi_exponential", {{"scale", "4"}}, 4, 16},
    {"_npi_gumbel", {{"loc", "1"}, {"scale", "2"}}, 1 + 2 * kEuler, kPi* kPi / 6 * 4},
    {"_npi_logistic", {{"loc", "1"}, {"scale", "2"}}, 1, kPi* kPi / 3 * 4},
    {"_npi_pareto", {{"a", "5"}}, 0.25, 5.0 / (16 * 3)},
    {"_npi_powerd", {{"a", "2"}}, 2.0 / 3, 1.0 / 18},
    {"_npi_rayleigh", {{"scale", "2"}}, 2 * 1.2533141373155, (4 - kPi) / 2 * 4},
    {"_npi_weibull", {{"a", "2"}}, 0.886226925452758, 1 - kPi / 4},
    {"_npi_bernoulli", {{"prob", "0.3"}}, 0.3, 0.21},
    {"_npi_bernoulli", {{"prob", "None"}, {"logit", "0"}, {"is_logit", "True"}}, 0.5, 0.25},
    {"_npi_normal_n", {{"loc", "1"}, {"scale", "0.5"}}, 1, 0.25},
};

class RandomDraw : public testing::TestWithParam<Drawn> {};

// Of 200,000 numbers; the deviation of a mean is then below 0.003 of the distribution's.
TEST_P(RandomDraw, HasTheMomentsOfItsDistribution) {
  Attributes attrs = GetParam().attrs;
  attrs[std::string(GetParam().op).starts_with("_npi_") ? "size" : "shape"] = "(400, 500)";
  const Tensor drawn = std::move(draw(GetParam().op, attrs)[0]);
  ASSERT_EQ(drawn.shape(), (Shape{400, 500}));
  const Moments moments = moments_of<float>(drawn);
  EXPECT_NEAR(moments.mean, GetParam().mean, 0.01 * std::sqrt(GetParam().variance));
  EXPECT_NEAR(moments.variance, GetParam().variance, 0.06 * GetParam().variance);
}

INSTANTIATE_TEST_SUITE_P(All, RandomDraw, testing::ValuesIn(kDrawn));

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

TEST(RandomDraws, FollowFromTheSeedWithAnyNumberOfThreads) {
  const Attributes attrs = {{"shape", "(50, 100)"}};
  const Tensor first = std::move(draw("_random_normal", attrs)[0]);
  EXPECT_TRUE(same(first, draw("_random_normal", attrs, {}, {.threads = 3})[0]));
  EXPECT_FALSE(same(first, draw("_random_normal", attrs, {}, {.seed = 2})[0]));
}

TEST(RandomDraws, ParametersThatAreTensorsEachGetABlock) {
  const Tensor mean = test::tensor_of<float>({2}, {-100, 100}),
               deviation = test::tensor_of<float>({2}, {1, 0});
  const Tensor drawn = std::move(draw("_sample_normal", {{"shape", "(3,)"}}, {&mean, &deviation})[0]);
  ASSERT_EQ(drawn.shape(), (Shape{2, 3}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(drawn.data<float>()[i], -100, 10);
    EXPECT_EQ(drawn.data<float>()[3 + i], 100);
  }
}

TEST(RandomDraws, ParametersOfNumpysBroadcast) {
  const Tensor low = test::tensor_of<float>({2, 1}, {0, 1000});
  const Tensor drawn =
      std::move(draw("_npi_uniform", {{"low", "None"}, {"high", "1000"}, {"size", "(2, 4)"}}, {&low})[0]);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LT(drawn.data<float>()[i], 1000);
    EXPECT_EQ(drawn.data<float>()[4 + i], 1000);
  }
  const Tensor scale = test::tensor_of<float>({3}, {0, 0, 0});
  const Tensor rows =
      std::move(draw("_npi_normal_n", {{"loc", "5"}, {"scale", "None"}, {"size", "(2,)"}}, {&scale})[0]);
  EXPECT_TRUE(same(rows, test::tensor_of<float>({2, 3}, {5, 5, 5, 5, 5, 5})));
}

TEST(RandomDraws, PlacesFollowProbabilities) {
  const Tensor certain = test::tensor_of<float>({2, 3}, {0, 1, 0, 0, 0, 1});
  const auto places =
      draw("_sample_multinomial", {{"shape", "(4,)"}, {"get_prob", "True"}}, {&certain}, {.outputs = 2});
  EXPECT_TRUE(same(places[0], test::tensor_of<std::int32_t>({2, 4}, {1, 1, 1, 1, 2, 2, 2, 2})));
  EXPECT_TRUE(same(places[1], test::tensor_of<float>({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0})));
  const Tensor uneven = test::tensor_of<float>({2}, {0.25f, 0.75f});
  const Moments moments =
      moments_of<std::int32_t>(draw("_sample_multinomial", {{"shape", "(50000,)"}}, {&uneven})[0]);
  EXPECT_NEAR(moments.mean, 0.75, 0.01);
}

TEST(RandomDraws, ChoicesWithoutPuttingBackAreDifferent) {
  const Tensor chosen =
      std::move(draw("_npi_choice", {{"a", "6"}, {"size", "(6,)"}, {"replace", "False"}})[0]);
  std::vector<std::int64_t> values(chosen.data<std::int64_t>(), chosen.data<std::int64_t>() + 6);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  const Tensor weights = test::tensor_of<float>({3}, {0, 0, 1});
  const Tensor last =
      std::move(draw("_npi_choice", {{"a", "3"}, {"size", "(2,)"}, {"weighted", "True"}}, {&weights})[0]);
  EXPECT_TRUE(same(last, test::tensor_of<std::int64_t>({2}, {2, 2})));
}

TEST(RandomDraws, CountsSumToTheDraws) {
  const Attributes attrs = {{"n", "1000"}, {"pvals", "(0.2, 0.0, 0.8)"}, {"size", "(2,)"}};
  const Tensor counts = std::move(draw("_npi_multinomial", attrs)[0]);
  ASSERT_EQ(counts.shape(), (Shape{2, 3}));
  for (int i = 0; i < 2; ++i) {
    const auto* row = counts.data<std::int64_t>() + 3 * i;
    EXPECT_EQ(row[0] + row[2], 1000);
    EXPECT_EQ(row[1], 0);
    EXPECT_NEAR(static_cast<double>(row[0]), 200, 60);
  }
  const Tensor certain = test::tensor_of<float>({2}, {1, 0});
  EXPECT_TRUE(same(draw("_npi_multinomial", {{"n", "7"}}, {&certain})[0],
                   test::tensor_of<std::int64_t>({2}, {7, 0})));
}

TEST(RandomDraws, ShufflingKeepsRowsWhole) {
  Tensor rows(DType::int32, {50, 2});
  for (int i = 0; i < 100; ++i) rows.data<std::int32_t>()[i] = i;
  const Tensor shuffled = std::move(draw("_shuffle", {}, {&rows})[0]);
  EXPECT_FALSE(same(rows, shuffled));
  std::vector<std::int32_t> firsts;
  for (int i = 0; i < 50; ++i) {
    firsts.push_back(shuffled.data<std::int32_t>()[2 * i]);
    EXPECT_EQ(shuffled.data<std::int32_t>()[2 * i + 1], firsts.back() + 1);
  }
  std::sort(firsts.begin(), firsts.end());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(firsts[static_cast<std::size_t>(i)], 2 * i);
}

TEST(RandomDraws, IntegersStayInTheirRange) {
  const Tensor drawn = std::move(
      draw("_random_randint", {{"low", "-3"}, {"high", "4"}, {"shape", "(10000,)"}, {"dtype", "int64"}})[0]);
  const auto* values = drawn.data<std::int64_t>();
  const auto [least, largest] = std::minmax_element(values, values + 10000);
  EXPECT_EQ(*least, -3);
  EXPECT_EQ(*largest, 3);
}

TEST(RandomDraws, ParametersOutOfRangeGiveNaN) {
  for (const Drawn& bad :
       {Drawn{"_random_normal", {{"scale", "-1"}}, 0, 0}, Drawn{"_random_gamma", {{"alpha", "0"}}, 0, 0},
        Drawn{"_random_poisson", {{"lam", "-2"}}, 0, 0}, Drawn{"_random_poisson", {{"lam", "nan"}}, 0, 0},
        Drawn{"_random_exponential", {{"lam", "0"}}, 0, 0},
        Drawn{"_random_gamma", {{"alpha", "inf"}}, 0, 0}}) {
    Attributes attrs = bad.attrs;
    attrs["shape"] = "(2,)";
    EXPECT_TRUE(std::isnan(draw(bad.op, attrs)[0].data<float>()[1])) << bad.op;
  }
}

TEST(RandomDraws, BadInputIsAnError) {
  const Tensor one = test::tensor_of<float>({1}, {1}), two = test::tensor_of<float>({2}, {1, 1});
  EXPECT_MXINFER_ERROR(draw("_sample_normal", {}, {&one, &two}), ErrorCode::invalid_argument,
                       {"(1,)", "(2,)", "same shape"});
  const Tensor bits(DType::uint32, {2});
  EXPECT_MXINFER_ERROR(draw("_npi_normal", {{"loc", "None"}}, {&bits}), ErrorCode::unsupported, {"uint32"});
  EXPECT_MXINFER_ERROR(draw("_sample_multinomial", {}, {&bits}), ErrorCode::unsupported, {"uint32"});
  EXPECT_MXINFER_ERROR(draw("_random_randint", {{"low", "3"}, {"high", "3"}}), ErrorCode::malformed,
                       {"low < high"});
  EXPECT_MXINFER_ERROR(draw("_random_normal", {{"shape", "(-1,)"}}), ErrorCode::malformed, {"at least 0"});
  // Each of the values has a weight.
  EXPECT_THROW(draw("_npi_choice", {{"a", "4611686018427387904"}}), Error);
  EXPECT_MXINFER_ERROR(draw("_npi_choice", {{"a", "2"}, {"size", "(3,)"}, {"replace", "False"}}),
                       ErrorCode::invalid_argument, {"from 2"});
  EXPECT_MXINFER_ERROR(draw("_npi_normal", {{"loc", "None"}, {"size", "(3,)"}}, {&two}),
                       ErrorCode::invalid_argument, {"broadcast"});
}

}  // namespace
}  // namespace mxinfer
