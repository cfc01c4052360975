// Sixteen threads on one predictor of a bucketed model, and each with sessions of its own: no race, and the
// numbers of one thread.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <string>
#include <thread>
#include <vector>

#include "support/networks/sequence_golden.h"
#include "support/run_op.h"
#include "thread_count.h"

namespace mxinfer {
namespace {

using test::kThreads;
constexpr int kSequenceCalls = 10;
using test::kSequenceTolerance;
using Ids = std::vector<std::int32_t>;

template <typename Body>
std::vector<int> on_threads(const Body& body) {
  std::vector<int> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { wrong[t] = body(t); });
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

bool is_close(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && test::relative_difference(a, b) <= kSequenceTolerance;
}

TEST(ManyThreadsWithSequences, GiveWhatMxnetGives) {
  const auto golden = test::read_sequence_golden("lstm");
  SequenceOptions options;
  options.options.threads = 4;
  options.options.max_plan_bytes = 1;  // plans come and go meanwhile
  const SequencePredictor predictor(test::sequence_model("lstm"), options);
  const auto wrong = on_threads([&](std::size_t t) {
    int count = 0;
    for (int call = 0; call < kSequenceCalls; ++call) {
      const std::size_t i = (t + static_cast<std::size_t>(call)) % golden.sequences.size();
      count += is_close(predictor.predict_sequence(golden.sequences[i])[0], golden.outputs[i][0]) ? 0 : 1;
      if (call % 5 != 0) continue;
      const auto all = predictor.predict_sequences(golden.sequences);
      for (std::size_t s = 0; s < all.size(); ++s) count += is_close(all[s][1], golden.outputs[s][1]) ? 0 : 1;
    }
    return count;
  });
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
}

TEST(ManyThreadsWithSequences, EachHasItsSession) {
  const auto golden = test::read_sequence_golden("language_model");
  SequenceOptions options;
  options.options.threads = 4;
  const SequencePredictor predictor(test::sequence_model("language_model"), options);
  const auto whole = predictor.predict_sequence(golden.whole);
  const auto wrong = on_threads([&](std::size_t t) {
    Session session = predictor.session();
    int count = 0;
    const std::size_t piece = 1 + t % 3;
    std::int64_t at = 0;
    while (at < static_cast<std::int64_t>(golden.whole.size())) {
      const auto end =
          std::min(at + static_cast<std::int64_t>(piece), static_cast<std::int64_t>(golden.whole.size()));
      const auto outputs = session.step(Ids(golden.whole.begin() + at, golden.whole.begin() + end));
      const std::int64_t width = whole[0].shape()[1];
      const TensorView rows(whole[0].data<float>() + at * width, {end - at, width});
      count += test::relative_difference(outputs[0], rows) <= kSequenceTolerance ? 0 : 1;
      at = end;
    }
    return count;
  });
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
}

}  // namespace
}  // namespace mxinfer
