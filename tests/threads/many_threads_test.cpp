// Sixteen threads on one predictor, and on several predictors that share a model: no race (the thread
// sanitizer runs this), and bitwise the numbers of one thread alone.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <thread>
#include <vector>

#include "support/run_op.h"
#include "thread_count.h"

namespace mxinfer {
namespace {

using test::kThreads;
constexpr int kNetworkCalls = 12;
constexpr int kSamples = 5;

std::string digits() {
  return std::string(MXINFER_SOURCE_DIR) + "/models/digits";
}

// Different inputs, of different batch sizes, and what one thread makes of them.
class ManyThreads : public ::testing::Test {
 protected:
  ManyThreads() : model(Model::load(digits())) {
    const Predictor alone(model, one_thread());
    for (unsigned i = 0; i < kSamples; ++i) {
      inputs.push_back(test::random_tensor({1 + i % 3, 1, 32, 32}, i, 0.0f, 255.0f));
      expected.push_back(std::move(alone.predict({inputs.back()})[0]));
    }
  }

  static Options one_thread() {
    Options options;
    options.threads = 1;
    return options;
  }

  // What a thread does: every input in turn, starting at another one each.
  int count_wrong(const Predictor& predictor, int thread) const {
    int wrong = 0;
    for (int call = 0; call < kNetworkCalls; ++call) {
      const auto i = static_cast<std::size_t>(thread + call) % kSamples;
      const Tensor output = std::move(predictor.predict({inputs[i]})[0]);
      wrong += output.shape() != expected[i].shape() ||
               std::memcmp(output.raw(), expected[i].raw(), output.bytes()) != 0;
    }
    return wrong;
  }

  template <typename PredictorOf>
  void run(PredictorOf predictor_of) const {
    std::vector<int> wrong(kThreads, -1);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] { wrong[static_cast<std::size_t>(t)] = count_wrong(predictor_of(t), t); });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
  }

  Model model;
  std::vector<Tensor> inputs;
  std::vector<Tensor> expected;
};

TEST_F(ManyThreads, OnOnePredictorOfOneThread) {
  const Predictor predictor(model, one_thread());
  run([&](int) -> const Predictor& { return predictor; });
}

TEST_F(ManyThreads, OnOnePredictorOfSeveralThreads) {
  Options options;
  options.threads = 4;
  const Predictor predictor(model, options);
  run([&](int) -> const Predictor& { return predictor; });
}

TEST_F(ManyThreads, OnPredictorsThatShareAModel) {
  std::vector<Predictor> predictors;
  for (int i = 0; i < 4; ++i) {
    Options options;
    options.threads = 1 + i % 3;
    options.max_plans = 2;  // fewer than there are shapes: plans come and go meanwhile
    predictors.emplace_back(model, options);
  }
  run([&](int thread) -> const Predictor& {
    return predictors[static_cast<std::size_t>(thread) % predictors.size()];
  });
}

TEST_F(ManyThreads, ClassifyingImages) {
  const ImageClassifier classifier(model);
  const std::string path = std::string(MXINFER_SOURCE_DIR) + "/examples/images/seven.jpg";
  const auto alone = classifier.classify_file(path, 3);
  std::vector<std::thread> threads;
  std::vector<int> wrong(kThreads, 0);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int call = 0; call < kNetworkCalls; ++call) {
        const auto result = classifier.classify_file(path, 3);
        for (std::size_t i = 0; i < 3; ++i) {
          wrong[static_cast<std::size_t>(t)] +=
              result[i].label != alone[i].label || result[i].score != alone[i].score;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
}

}  // namespace
}  // namespace mxinfer
