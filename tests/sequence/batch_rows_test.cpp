// Rows that are put into a batch and taken out of it, wherever its axes are.
#include "sequence/batch_rows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace mxinfer::api {
namespace {

Tensor counting(const Shape& shape) {
  Tensor tensor(DType::float32, shape);
  std::iota(tensor.data<float>(), tensor.data<float>() + tensor.elements(), 1.0F);
  return tensor;
}

std::vector<float> values_of(const Tensor& tensor) {
  const auto values = tensor.span<float>();
  return {values.begin(), values.end()};
}

struct Place {
  Axes axes;
  Shape batch;   // of three samples and four times
  Shape sample;  // of two times
};

std::vector<Place> places() {
  return {{{0, 1}, {3, 4}, {2}},
          {{1, 0}, {4, 3}, {2}},
          {{0, 1}, {3, 4, 5}, {2, 5}},
          {{1, 0}, {4, 3, 5}, {2, 5}},
          {{0, 2}, {3, 5, 4}, {5, 2}},
          {{1, 2}, {2, 3, 4, 5}, {2, 2, 5}},
          {{2, 0}, {4, 2, 3, 5}, {2, 2, 5}},
          {{2, 1}, {5, 4, 3}, {5, 2}}};
}

TEST(BatchRows, WhatIsPutIsTaken) {
  for (const Place& place : places()) {
    Tensor batch(DType::float32, place.batch);
    const Tensor sample = counting(place.sample);
    put_row(sample, batch, place.axes, 1, 2);
    const Tensor taken = take_row(batch, place.axes, 1, 2, 2);
    EXPECT_EQ(taken.shape(), place.sample) << to_string(place.batch);
    EXPECT_EQ(values_of(taken), values_of(sample)) << to_string(place.batch);
    // Nothing else was touched.
    const auto all = values_of(batch);
    const auto mine = values_of(sample);
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), 0.0F), std::accumulate(mine.begin(), mine.end(), 0.0F));
    for (const std::int64_t other : {0, 2}) {
      const auto row = values_of(take_row(batch, place.axes, other, 0, 4));
      EXPECT_EQ(std::accumulate(row.begin(), row.end(), 0.0F), 0.0F);
    }
  }
}

TEST(BatchRows, TakesAWholeValueWithoutABatch) {
  const Tensor value = counting({2, 3});
  EXPECT_EQ(values_of(take_row(value, {}, 7, 0, 0)), values_of(value));
  EXPECT_EQ(values_of(take_row(value, {std::nullopt, 1}, 7, 1, 2)), (std::vector<float>{2, 3, 5, 6}));
  const Tensor scalars = counting({3});
  EXPECT_EQ(take_row(scalars, {0, std::nullopt}, 1, 0, 0).shape(), Shape());
  EXPECT_EQ(values_of(take_row(scalars, {0, std::nullopt}, 1, 0, 0)), (std::vector<float>{2}));
  EXPECT_EQ(take_row(Tensor(DType::float32, {3, 0}), {0, std::nullopt}, 1, 0, 0).shape(), Shape({0}));
}

TEST(BatchRows, GathersRowsOfAnyAxis) {
  const std::vector<std::size_t> rows = {2, 0, 2, 1};
  for (const Place& place : places()) {
    const Tensor from = counting(place.batch);
    Tensor to(DType::float32, {1});
    gather_rows(from, *place.axes.batch, rows, to);
    ASSERT_EQ(to.shape()[*place.axes.batch], 4) << to_string(place.batch);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = static_cast<std::int64_t>(rows[i]);
      EXPECT_EQ(values_of(take_row(to, place.axes, static_cast<std::int64_t>(i), 0, 4)),
                values_of(take_row(from, place.axes, row, 0, 4)))
          << to_string(place.batch) << ' ' << i;
    }
  }
}

TEST(BatchRows, JoinsTimes) {
  const Tensor a = counting({2, 1, 2}), b = counting({2, 2, 2});
  const std::vector<TensorView> parts = {a, b};
  const Tensor joined = join_times(parts, 1);
  EXPECT_EQ(joined.shape(), Shape({2, 3, 2}));
  EXPECT_EQ(values_of(joined), (std::vector<float>{1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace mxinfer::api
