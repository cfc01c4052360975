// The SIMD functions against the standard library in double, in units of the last place of float32.
#include "kernels/elementwise/unary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "simd_targets.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

struct Function {
  std::string name;
  std::function<double(double)> exact;
  double low, high;  ///< the range in which the error is bounded in ulp
  double ulps;       ///< with fused multiply-add; 1 more is allowed without
  UnaryParams params{};
};

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double softrelu(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

std::vector<Function> functions() {
  return {
      {"exp", [](double x) { return std::exp(x); }, -87, 88.7, 1.0},
      {"expm1", [](double x) { return std::expm1(x); }, -30, 88.7, 2.0},
      {"log", [](double x) { return std::log(x); }, 1e-30, 1e30, 1.5},
      {"log", [](double x) { return std::log(x); }, 0.5, 2, 1.5},
      {"sigmoid", sigmoid, -80, 80, 2.5},
      {"tanh", [](double x) { return std::tanh(x); }, -20, 20, 2.0},
      {"tanh", [](double x) { return std::tanh(x); }, -1, 1, 2.0},
      {"erf", [](double x) { return std::erf(x); }, -5, 5, 2.0},
      {"softrelu", softrelu, -80, 80, 2.5},
      {"softrelu", softrelu, -2, 2, 2.5},
      {"softsign", [](double x) { return x / (1 + std::abs(x)); }, -100, 100, 1.5},
      {"gelu", [](double x) { return 0.5 * x * std::erfc(-x * std::sqrt(0.5)); }, -0.5, 10, 3.0},
      {"swish", [](double x) { return x * sigmoid(x); }, -80, 80, 3.0, {1.0, 0.0}},
      {"hard_swish", [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }, -2, 80, 3.0},
      {"mish", [](double x) { return x * std::tanh(softrelu(x)); }, -80, 80, 5.0},
      {"gelu_tanh", [](double x) { return x * sigmoid(2 * 0.7978845608028654 * (x + 0.044715 * x * x * x)); },
       -1, 10, 4.0},
      {"elu", [](double x) { return x > 0 ? x : 0.3f * std::expm1(x); }, -20, 5, 2.5, {0.3f, 0.0}},
  };
}

double ulp_error(float got, double exact) {
  const auto rounded = static_cast<float>(exact);
  const double ulp =
      std::max(static_cast<double>(std::nextafter(std::abs(rounded), INFINITY)) - std::abs(rounded),
               static_cast<double>(std::numeric_limits<float>::denorm_min()));
  return std::abs(got - exact) / ulp;
}

class UnarySimd : public testing::TestWithParam<Target> {};

TEST_P(UnarySimd, IsWithinItsStatedError) {
  for (const Function& function : functions()) {
    const UnaryFn run = unary_simd_f32(function.name, GetParam());
    ASSERT_NE(run, nullptr) << function.name;
    std::vector<float> x(200003), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(function.low +
                                (function.high - function.low) * double(i) / double(x.size() - 1));
    }
    run(x.data(), y.data(), static_cast<std::int64_t>(x.size()), function.params);
    double worst = 0;
    float where = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = ulp_error(y[i], function.exact(x[i]));
      if (!(error <= worst)) worst = error, where = x[i];
    }
    const double allowed = function.ulps + (GetParam() == Target::baseline ? 1.0 : 0.0);
    EXPECT_LE(worst, allowed) << function.name << " at " << where;
    RecordProperty(function.name, std::to_string(worst));
  }
}

TEST_P(UnarySimd, TreatsSpecialValuesAsTheReferenceDoes) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {0.0f,  -0.0f, inf,    -inf,    nan,     1e38f, -1e38f, 1e-40f, -1e-40f,
                                89.0f, 88.8f, -88.0f, -103.0f, -104.5f, 3e5f,  -3e5f,  1.0f,   -1.0f};
  for (const char* name : {"relu",         "clip",     "fill_nan", "leaky", "elu",   "selu",      "sigmoid",
                           "hard_sigmoid", "tanh",     "softrelu", "exp",   "expm1", "log",       "erf",
                           "abs",          "negative", "square",   "sqrt",  "rsqrt", "reciprocal"}) {
    const UnaryParams params{0.25, 1.5};
    std::vector<float> simd(x.size()), ref(x.size());
    unary_simd_f32(name, GetParam())(x.data(), simd.data(), static_cast<std::int64_t>(x.size()), params);
    unary_ref(name, ElementType::float32)(x.data(), ref.data(), static_cast<std::int64_t>(x.size()), params);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(ref[i])) {
        EXPECT_TRUE(std::isnan(simd[i])) << name << "(" << x[i] << ") = " << simd[i];
      } else if (std::isinf(ref[i])) {
        EXPECT_EQ(simd[i], ref[i]) << name << "(" << x[i] << ")";
      } else {
        EXPECT_NEAR(simd[i], ref[i], 4e-7 * std::abs(ref[i]) + 1e-37) << name << "(" << x[i] << ")";
      }
    }
  }
}

TEST_P(UnarySimd, WritesExactlyItsElementsAndMayWorkInPlace) {
  const UnaryFn run = unary_simd_f32("tanh", GetParam());
  for (std::int64_t n = 0; n < 70; ++n) {
    std::vector<float> data(80, 0.5f);
    run(data.data() + 1, data.data() + 1, n, {});
    EXPECT_EQ(data[0], 0.5f);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_NEAR(data[std::size_t(i) + 1], std::tanh(0.5f), 1e-6);
    for (std::size_t i = std::size_t(n) + 1; i < data.size(); ++i) ASSERT_EQ(data[i], 0.5f) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, UnarySimd, testing::ValuesIn(test::simd_targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

TEST(UnaryRef, ConvertsToIntegersAsMxnetDoes) {
  const std::vector<std::int32_t> x = {0, 1, 2, 3, 100};
  std::vector<std::int32_t> y(5);
  unary_ref("exp", ElementType::int32)(x.data(), y.data(), 5, {});
  EXPECT_EQ(y, (std::vector<std::int32_t>{1, 2, 7, 20, -2147483647 - 1}));
  const std::vector<std::uint8_t> bytes = {0, 1, 2, 3, 100};
  std::vector<std::uint8_t> out(5);
  unary_ref("square", ElementType::uint8)(bytes.data(), out.data(), 5, {});
  EXPECT_EQ(out, (std::vector<std::uint8_t>{0, 1, 4, 9, 16}));
}

TEST(UnaryRef, InvertsErf) {
  for (double y : {-0.999999, -0.9, -0.5, -1e-8, 1e-300, 0.1, 0.7, 0.99, 0.9999999999}) {
    double x = 0;
    unary_ref("erfinv", ElementType::float64)(&y, &x, 1, {});
    EXPECT_NEAR(std::erf(x), y, 4e-16) << y;
  }
}

}  // namespace
}  // namespace mxinfer::kernels
