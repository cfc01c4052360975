#include "text/words/nearest_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/threads/thread_arena.h"

namespace mxinfer::text {
namespace {

WordMatrix random_matrix(std::int64_t rows, std::int64_t columns) {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  Tensor matrix(DType::float32, {rows, columns});
  for (std::int64_t i = 0; i < matrix.elements(); ++i) matrix.data<float>()[i] = normal(generator);
  return WordMatrix(std::move(matrix));
}

std::vector<NearRow> search(const WordMatrix& matrix, Span<const float> vector, std::size_t count,
                            std::optional<float> min_score = {}, std::int64_t first = -1) {
  const std::vector<double> scales = row_scales(matrix);
  const auto any = [](std::int64_t) { return true; };
  return nearest_rows({matrix, scales, vector, count, first < 0 ? matrix.rows() : first, min_score, any});
}

double cosine(Span<const float> a, Span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

TEST(NearestRows, AreThoseOfASortOfAllCosines) {
  const WordMatrix matrix = random_matrix(5000, 37);
  const Span<const float> vector = matrix.row(4321);
  std::vector<std::pair<double, std::int64_t>> all;
  for (std::int64_t i = 0; i < matrix.rows(); ++i) all.emplace_back(-cosine(vector, matrix.row(i)), i);
  std::sort(all.begin(), all.end());
  const std::vector<NearRow> near = search(matrix, vector, 25);
  ASSERT_EQ(near.size(), 25u);
  EXPECT_EQ(near[0].row, 4321);
  for (std::size_t i = 0; i < near.size(); ++i) {
    EXPECT_EQ(near[i].row, all[i].second);
    EXPECT_NEAR(near[i].score, -all[i].first, 1e-5);
  }
}

TEST(NearestRows, AreTheSameOnAnyNumberOfThreads) {
  const WordMatrix matrix = random_matrix(9000, 16);
  const std::vector<NearRow> alone = search(matrix, matrix.row(5), 100);
  ThreadArena arena(4);
  arena.execute([&] {
    const std::vector<NearRow> many = search(matrix, matrix.row(5), 100);
    ASSERT_EQ(many.size(), alone.size());
    for (std::size_t i = 0; i < many.size(); ++i) {
      EXPECT_EQ(many[i].row, alone[i].row);
      EXPECT_EQ(many[i].score, alone[i].score);
    }
  });
}

TEST(NearestRows, EqualOnesComeByRisingRow) {
  Tensor matrix(DType::float32, {3000, 2});
  for (int i = 0; i < 3000; ++i) matrix.data<float>()[2 * i] = 2;
  const std::vector<NearRow> near = search(WordMatrix(std::move(matrix)), std::vector<float>{1, 0}, 3);
  ASSERT_EQ(near.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(near[static_cast<std::size_t>(i)].row, i);
  EXPECT_EQ(near[0].score, 1.0f);
}

TEST(NearestRows, WithoutADirectionAreNotNear) {
  Tensor numbers(DType::float32, {4, 2});
  numbers.data<float>()[0] = 1;
  numbers.data<float>()[2] = std::numeric_limits<float>::quiet_NaN();
  numbers.data<float>()[4] = std::numeric_limits<float>::infinity();
  const WordMatrix matrix(std::move(numbers));
  const std::vector<double> scales = row_scales(matrix);
  EXPECT_EQ(scales, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(search(matrix, std::vector<float>{1, 1}, 9).size(), 1u);
  EXPECT_TRUE(search(matrix, std::vector<float>{0, 0}, 9).empty());
}

TEST(NearestRows, OfAnyLengthHaveADirection) {
  // Squares of these vanish in float32 or exceed it, the products with a row may.
  for (const float length : {1e-44f, 1e-39f, 1e-20f, 1e-15f, 1e-14f, 1e17f, 1e19f, 1e20f, 2e38f}) {
    Tensor numbers(DType::float32, {3, 4});
    for (int i = 0; i < 4; ++i) {
      numbers.data<float>()[i] = length;
      numbers.data<float>()[4 + i] = i < 2 ? length : -length;
      numbers.data<float>()[8 + i] = -1;
    }
    const WordMatrix matrix(std::move(numbers));
    const std::vector<float> ones(4, 1);
    for (const Span<const float> vector : {matrix.row(0), Span<const float>(ones)}) {
      const std::vector<NearRow> near = search(matrix, vector, 3);
      ASSERT_EQ(near.size(), 3u) << length;
      EXPECT_EQ(near[0].row, 0);
      EXPECT_FLOAT_EQ(near[0].score, 1);
      EXPECT_EQ(near[1].row, 1);
      EXPECT_NEAR(near[1].score, 0, 1e-6);
      EXPECT_FLOAT_EQ(near[2].score, -1);
    }
  }
}

TEST(NearestRows, BoundsCountScoreAndRows) {
  const WordMatrix matrix = random_matrix(2000, 8);
  EXPECT_EQ(search(matrix, matrix.row(0), 5000).size(), 2000u);
  EXPECT_TRUE(search(matrix, matrix.row(0), 0).empty());
  for (const NearRow& row : search(matrix, matrix.row(0), 5000, 0.5f)) EXPECT_GE(row.score, 0.5f);
  for (const NearRow& row : search(matrix, matrix.row(0), 50, {}, 100)) EXPECT_LT(row.row, 100);
}

}  // namespace
}  // namespace mxinfer::text
