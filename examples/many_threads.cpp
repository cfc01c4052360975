// Shares one predictor between many threads: many_threads models/digits
//
// Any number of threads may call predict at once; it is const, and the weights exist once. If your program
// has threads of its own, set Options::threads to 1: then every caller computes on its own thread.
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 8;
constexpr int kPredictions = 100;

/// Predicts kPredictions times, and counts the results that differ from the expected bits.
int count_differences(const mxinfer::Predictor& predictor, const std::vector<float>& sample,
                      const std::vector<float>& expected) {
  int differences = 0;
  for (int i = 0; i < kPredictions; ++i) {
    const std::vector<float> scores = predictor.predict_flat<float>({sample}).at(0);
    if (!std::equal(scores.begin(), scores.end(), expected.begin(), expected.end())) ++differences;
  }
  return differences;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: many_threads MODEL\n";
    return 2;
  }
  try {
    mxinfer::Options options;
    options.threads = 1;
    const mxinfer::Predictor predictor(argv[1], options);
    mxinfer::Shape shape = predictor.model().signature().inputs.at(0).shape;
    shape[0] = 1;
    const std::vector<float> sample(static_cast<std::size_t>(shape.elements()), 128.0f);
    const std::vector<float> expected = predictor.predict_flat<float>({sample}).at(0);

    std::atomic<int> differences{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] { differences += count_differences(predictor, sample, expected); });
    }
    for (std::thread& thread : threads) thread.join();
    std::cout << kThreads << " threads, " << kThreads * kPredictions << " predictions, " << differences
              << " differ\n";
    return differences == 0 ? 0 : 1;
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
