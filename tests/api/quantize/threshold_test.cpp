// The range of 8-bit values, of values whose distribution is known.
#include "compose/quantize/threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace mxinfer::api {
namespace {

constexpr int kInt8 = 127, kUint8 = 255;

ValueStatistics statistics_of(const std::vector<float>& values) {
  ValueStatistics statistics;
  EXPECT_TRUE(statistics.add(values.data(), static_cast<std::int64_t>(values.size())));
  return statistics;
}

std::vector<float> normal_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

std::vector<float> even_values(int count) {
  std::vector<float> values;
  for (int i = 1; i <= count; ++i) values.push_back(static_cast<float>(i) / static_cast<float>(count));
  return values;
}

float largest_of(const std::vector<float>& values) {
  float largest = 0;
  for (float value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double mean_square_error(const std::vector<float>& values, float threshold, int levels) {
  const double step = static_cast<double>(threshold) / levels;
  double sum = 0;
  for (float value : values) {
    const double q = std::clamp(std::nearbyint(value / step), -1.0 * levels, 1.0 * levels);
    sum += (q * step - value) * (q * step - value);
  }
  return sum / static_cast<double>(values.size());
}

TEST(Threshold, MinmaxIsTheLargestMagnitude) {
  EXPECT_EQ(threshold_of(statistics_of({1, -3, 2}), {CalibrationMethod::minmax}, kInt8), 3.0f);
  EXPECT_EQ(threshold_of(statistics_of({1, 7.25f, 2}), {CalibrationMethod::minmax}, kUint8), 7.25f);
}

TEST(Threshold, PercentileLeavesThatManyInside) {
  const ValueStatistics statistics = statistics_of(even_values(100'000));
  for (const double percentile : {50.0, 90.0, 99.0, 99.9}) {
    EXPECT_NEAR(threshold_of(statistics, {CalibrationMethod::percentile, percentile}, kInt8),
                percentile / 100, 2.0 / ValueStatistics::kBins);
  }
  EXPECT_EQ(threshold_of(statistics, {CalibrationMethod::percentile, 100}, kInt8), 1.0f);
}

TEST(Threshold, PercentileCountsZeros) {
  std::vector<float> values = even_values(1000);
  values.resize(100'000, 0.0f);  // 99 % of them
  EXPECT_NEAR(threshold_of(statistics_of(values), {CalibrationMethod::percentile, 99.5}, kUint8), 0.5,
              2.0 / 1000);
}

TEST(Threshold, EntropyKeepsAnEvenDistribution) {
  EXPECT_GT(threshold_of(statistics_of(even_values(100'000)), {CalibrationMethod::entropy}, kInt8), 0.95f);
}

TEST(Threshold, EntropyCutsOffOutliers) {
  std::vector<float> values = normal_values(200'000, 1);
  const float bulk = largest_of(values);
  for (const float outlier : {-60.0f, 80.0f, 100.0f}) values.push_back(outlier);
  const float threshold = threshold_of(statistics_of(values), {CalibrationMethod::entropy}, kInt8);
  EXPECT_GT(threshold, 2.5f);
  EXPECT_LT(threshold, 2 * bulk);
  // Of the values that are no outliers, more is kept.
  const std::vector<float> inside(values.begin(), values.end() - 3);
  EXPECT_LT(mean_square_error(inside, threshold, kInt8), mean_square_error(inside, 100.0f, kInt8) / 10);
}

// Such as those of an image with a uniform background.
TEST(Threshold, EntropyKeepsValuesOfWhichThereAreMany) {
  std::vector<float> values = even_values(1000);
  for (const float often : {0.2f, 0.4f, 0.5f, 0.9f}) values.resize(values.size() + 100'000, often);
  EXPECT_GT(threshold_of(statistics_of(values), {CalibrationMethod::entropy}, kUint8), 0.89f);
}

TEST(Threshold, EntropyDoesNotCountZeros) {
  std::vector<float> values = normal_values(50'000, 2);
  for (float& value : values) value = std::abs(value);
  const float without = threshold_of(statistics_of(values), {CalibrationMethod::entropy}, kUint8);
  values.resize(500'000, 0.0f);
  EXPECT_EQ(threshold_of(statistics_of(values), {CalibrationMethod::entropy}, kUint8), without);
}

TEST(Threshold, OfZerosAloneIsZero) {
  for (const auto method :
       {CalibrationMethod::minmax, CalibrationMethod::entropy, CalibrationMethod::percentile})
    EXPECT_EQ(threshold_of(statistics_of({0, 0, 0}), {method}, kInt8), 0.0f);
  EXPECT_EQ(threshold_of(ValueStatistics(), {CalibrationMethod::entropy}, kInt8), 0.0f);
}

TEST(Threshold, OfOneValueIsThatValue) {
  for (const auto method :
       {CalibrationMethod::minmax, CalibrationMethod::entropy, CalibrationMethod::percentile})
    EXPECT_EQ(threshold_of(statistics_of({0.5f}), {method}, kInt8), 0.5f) << to_string(method);
}

TEST(ValueStatistics, GrowWithTheValues) {
  ValueStatistics one, grown;
  std::vector<float> all;
  for (const float scale : {0.01f, 0.1f, 1.0f, 10.0f}) {
    std::vector<float> values = normal_values(10'000, 3);
    for (float& value : values) value *= scale;
    EXPECT_TRUE(grown.add(values.data(), static_cast<std::int64_t>(values.size())));
    all.insert(all.end(), values.begin(), values.end());
  }
  EXPECT_TRUE(one.add(all.data(), static_cast<std::int64_t>(all.size())));
  EXPECT_EQ(grown.largest_magnitude(), one.largest_magnitude());
  EXPECT_EQ(grown.count(), one.count());
  std::int64_t counted = grown.zeros();
  for (const std::int64_t bin : grown.bins()) counted += bin;
  EXPECT_EQ(counted, grown.count());
  // At least half of the bins are in use.
  EXPECT_LE(grown.bin_width(), 2.0 * grown.largest_magnitude() / (ValueStatistics::kBins / 2));
  const ThresholdRule rule{CalibrationMethod::percentile, 99};
  EXPECT_NEAR(threshold_of(grown, rule, kInt8), threshold_of(one, rule, kInt8), 2 * grown.bin_width());
}

TEST(ValueStatistics, TellTheRange) {
  const ValueStatistics statistics = statistics_of({0, 2, 5});
  EXPECT_TRUE(statistics.is_never_negative());
  EXPECT_EQ(statistics.zeros(), 1);
  EXPECT_FALSE(statistics_of({0, -1, 5}).is_never_negative());
  EXPECT_EQ(statistics_of({-7, 5}).largest_magnitude(), 7.0f);
}

TEST(ValueStatistics, RefuseWhatIsNotFinite) {
  ValueStatistics statistics = statistics_of({1, 2});
  for (const float wrong : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
    const std::vector<float> values = {3, wrong};
    EXPECT_FALSE(statistics.add(values.data(), 2));
  }
  EXPECT_EQ(statistics.count(), 2);
  EXPECT_EQ(statistics.largest_magnitude(), 2.0f);
}

}  // namespace
}  // namespace mxinfer::api
