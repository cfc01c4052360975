// One predictor that is given batches of another size at every call: bitwise what a predictor gives that has
// never run another.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "support/networks/golden_graphs.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

const std::vector<std::int64_t>& sizes() {
  static const std::vector<std::int64_t> all{1, 7, 3, 32, 1, 2, 31, 8, 1, 3};
  return all;
}

/// A convolution, BatchNorm and a product; so small that a batch of 32 is nothing.
std::string network() {
  return (test::golden_graphs_folder() / "keras_names").string();
}

Tensor batch_of(std::int64_t size) {
  return test::random_tensor({size, 1, 6, 5}, static_cast<unsigned>(size));
}

Options options_with(int threads, std::size_t max_plans) {
  Options options;
  options.threads = threads;
  options.max_plans = max_plans;
  return options;
}

bool is_same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

class BatchSizes : public testing::Test {
 protected:
  BatchSizes() {
    for (const std::int64_t size : sizes()) {
      if (expected.count(size) > 0) continue;
      const Predictor fresh(network(), options_with(1, 1));  // with a model of its own too
      expected.emplace(size, std::move(fresh.predict({batch_of(size)})[0]));
    }
  }

  /// What is wrong when the sizes come in turn, beginning at the `first`.
  int count_wrong(const Predictor& predictor, std::size_t first) const {
    int wrong = 0;
    for (std::size_t i = 0; i < 2 * sizes().size(); ++i) {
      const std::int64_t size = sizes()[(first + i) % sizes().size()];
      wrong += is_same(predictor.predict({batch_of(size)})[0], expected.at(size)) ? 0 : 1;
    }
    return wrong;
  }

  std::map<std::int64_t, Tensor> expected;
};

TEST_F(BatchSizes, FreshPredictorsDifferBySize) {
  EXPECT_EQ(expected.at(32).shape(), (Shape{32, 3}));
  EXPECT_EQ(expected.at(7).shape(), (Shape{7, 3}));
}

TEST_F(BatchSizes, ChangeAtEveryCall) {
  for (const int threads : {1, 2}) {
    for (const std::size_t plans : {std::size_t{1}, std::size_t{2}, std::size_t{64}}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(plans) + " plans");
      EXPECT_EQ(count_wrong(Predictor(network(), options_with(threads, plans)), 0), 0);
    }
  }
}

TEST_F(BatchSizes, ChangeAtEveryCallOfSeveralThreads) {
  const Predictor predictor(network(), options_with(2, 2));  // plans come and go meanwhile
  std::vector<int> wrong(4, -1);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] { wrong[t] = count_wrong(predictor, 3 * t); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(wrong.size(), 0));
}

}  // namespace
}  // namespace mxinfer
