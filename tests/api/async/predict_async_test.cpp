// The asynchronous twins: same results as the synchronous ones, whose memory is whose, and how they end.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/gate.h"
#include "support/networks/digits.h"
#include "support/networks/many.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::kDigits;
using test::kSeven;
using test::random_digits;

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_EQ(std::memcmp(a.raw(), b.raw(), a.bytes()), 0);
}

void expect_same(const std::vector<Classification>& a, const std::vector<Classification>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].label, b[i].label);
    EXPECT_EQ(a[i].score, b[i].score);
  }
}

TEST(PredictAsync, GivesWhatPredictGives) {
  const Predictor predictor(kDigits);
  const Tensor input = random_digits(3, 1);
  const auto expected = predictor.predict({input.view()});
  auto borrowed = predictor.predict_async({input.view()});
  std::vector<Tensor> inputs;
  inputs.push_back(input.clone());
  auto moved = predictor.predict_async(std::move(inputs));
  expect_same(borrowed.get().at(0), expected.at(0));
  expect_same(moved.get().at(0), expected.at(0));
  Tensor output(DType::float32, expected[0].shape());
  predictor.predict_into_async({input.view()}, {output.mutable_view()}).get();
  expect_same(output, expected[0]);
  const auto flat = predictor.predict_flat_async<float>({input.span<float>()}).get();
  EXPECT_EQ(flat.at(0), predictor.predict_flat<float>({input.span<float>()}).at(0));
}

TEST(PredictAsync, ErrorsOfArgumentsComeWithThePrediction) {
  const Predictor predictor(kDigits);
  const Tensor wrong(DType::float32, {1, 3, 8, 8}), right = random_digits(1, 1);
  auto bad = predictor.predict_async({wrong.view()});
  auto good = predictor.predict_async({right.view()});
  EXPECT_MXINFER_ERROR(bad.get(), ErrorCode::invalid_argument, {"data", "(1, 3, 8, 8)"});
  expect_same(good.get().at(0), predictor.predict({right.view()}).at(0));
}

TEST(PredictAsync, ClassifiersHaveTheirTwins) {
  const ImageClassifier classifier(kDigits);
  const auto expected = classifier.classify_file(kSeven, 3);
  std::ifstream file(kSeven, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  expect_same(classifier.classify_file_async(kSeven, 3).get(), expected);
  expect_same(classifier.classify_bytes_async(bytes, 3).get(), expected);
  expect_same(classifier.classify_bytes_async(std::string(bytes), 3).get(), expected);
  expect_same(classifier.classify_async(read_image(kSeven), 3).get(),
              classifier.classify(read_image(kSeven), 3));
  EXPECT_MXINFER_ERROR(classifier.classify_bytes_async(std::string("no image"), 1).get(),
                       ErrorCode::malformed, {});

  const Classifier plain(kDigits);
  const Tensor input = random_digits(1, 2);
  const auto flat = plain.classify(input.span<float>(), 4);
  expect_same(plain.classify_async(input.span<float>(), 4).get(), flat);
  const Span<const float> span = input.span<float>();
  expect_same(plain.classify_async(std::vector<float>(span.begin(), span.end()), 4).get(), flat);
  expect_same(plain.classify_batch_async(input.view(), 4).get().at(0), flat);
}

TEST(PredictAsync, DetectorsHaveTheirTwins) {
  DetectorOptions options;
  options.preprocess = Preprocess::preset("imagenet");
  options.preprocess.resize = ResizePolicy::stretch;
  options.height = options.width = 48;
  const ObjectDetector detector(std::string(MXINFER_SOURCE_DIR) + "/tests/golden/ssd/ssd", options);
  DetectOptions all;
  all.score_threshold = 0.05f;
  const auto expected = detector.detect_file(kSeven, all);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(detector.detect_file_async(kSeven, all).get().size(), expected.size());
  EXPECT_EQ(detector.detect_async(read_image(kSeven), all).get().size(), expected.size());
  std::ifstream file(kSeven, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(detector.detect_bytes_async(bytes, all).get().size(), expected.size());
  EXPECT_EQ(detector.detect_bytes_async(std::move(bytes), all).get().at(0).score, expected[0].score);
}

TEST(PredictAsync, ResultsNeverGetMixed) {
  const Predictor predictor(kDigits);
  constexpr int kInputs = 16;
  std::vector<Tensor> inputs, expected;
  for (unsigned i = 0; i < kInputs; ++i) {
    inputs.push_back(random_digits(1 + i % 3, i));
    expected.push_back(std::move(predictor.predict({inputs.back().view()}).at(0)));
  }
  for (int round = 0; round < test::many(40); ++round) {
    std::vector<Prediction<std::vector<Tensor>>> predictions;
    for (const Tensor& input : inputs) predictions.push_back(predictor.predict_async({input.view()}));
    for (std::size_t i = kInputs; i-- > 0;) expect_same(predictions[i].get().at(0), expected[i]);
  }
}

TEST(PredictAsync, ThePredictorsEndCancelsWhatWaitsAndWaitsForWhatRuns) {
  std::vector<Prediction<std::vector<Tensor>>> waiting;
  Prediction<int> running;
  test::Gate gate;
  std::thread opener;
  const Tensor input = random_digits(1, 1);
  {
    Options options;
    options.async.workers = 1;
    const Predictor predictor(kDigits, options);
    running = predictor.queue().submit([&] {
      gate.hold()();
      return 7;
    });
    gate.wait_until_entered(1);
    for (int i = 0; i < 8; ++i) waiting.push_back(predictor.predict_async({input.view()}));
    opener = std::thread([&] {
      for (const auto& prediction : waiting) prediction.wait();
      gate.open();
    });
  }
  EXPECT_TRUE(running.ready());
  EXPECT_EQ(running.get(), 7);
  opener.join();
  for (auto& prediction : waiting) EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::cancelled, {});
}

TEST(PredictAsync, TheBoundIsTheOptions) {
  Options options;
  options.async.max_in_flight = 0;
  EXPECT_MXINFER_ERROR(Predictor(kDigits, options), ErrorCode::invalid_argument, {"max_in_flight"});
  options.async.max_in_flight = 2;
  const Predictor predictor(kDigits, options);
  const Tensor input = random_digits(1, 1);
  test::Gate gate;
  std::vector<Prediction<void>> held;
  for (int i = 0; i < 2; ++i) held.push_back(predictor.queue().submit(gate.hold()));
  for (int i = 0; i < 3; ++i)
    EXPECT_MXINFER_ERROR(predictor.predict_async({input.view()}), ErrorCode::too_many_requests, {"2"});
  EXPECT_EQ(predictor.metrics().refused, 3u);
  gate.open();
  for (auto& each : held) each.get();
  EXPECT_EQ(predictor.predict_async({input.view()}).get().size(), 1u);
}

TEST(PredictAsync, ARunningOneStopsBetweenItsSteps) {
  const Predictor predictor(kDigits);
  const Tensor input = random_digits(3, 1);
  test::Gate gate;
  std::atomic<bool> ended{false};
  auto prediction = predictor.queue().submit([&] {
    gate.hold()();
    auto outputs = predictor.predict({input.view()});
    ended = true;
    return outputs;
  });
  gate.wait_until_entered(1);
  EXPECT_FALSE(prediction.cancel());
  EXPECT_FALSE(prediction.ready());
  gate.open();
  EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::cancelled, {});
  EXPECT_FALSE(ended);
  EXPECT_EQ(predictor.metrics().cancelled, 1u);
  // Nothing of it is left behind.
  const Tensor small = random_digits(2, 3);
  EXPECT_EQ(predictor.predict({small.view()}).size(), 1u);
}

TEST(PredictAsync, ACancelledListOfItemsEndsSo) {
  const ImageClassifier classifier(kDigits);
  const std::vector<std::string> paths(500, kSeven);
  std::vector<ItemError> errors;
  test::Gate gate;
  auto prediction = classifier.queue().submit([&] {
    gate.hold()();
    return classifier.classify_files(paths, 1, &errors);
  });
  gate.wait_until_entered(1);
  EXPECT_FALSE(prediction.cancel());
  gate.open();
  EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::cancelled, {});
}

TEST(PredictAsync, CallsAreCountedOnce) {
  const ImageClassifier classifier(kDigits);
  (void)classifier.classify_file(kSeven, 1);
  (void)classifier.classify_file_async(kSeven, 1).get();
  const Image image = read_image(kSeven);
  (void)classifier.classify_batch(Span<const Image>(&image, 1), 1);
  EXPECT_MXINFER_ERROR(classifier.classify_bytes(std::string("?"), 1), ErrorCode::malformed, {});
  const CallMetrics metrics = classifier.metrics();
  EXPECT_EQ(metrics.submitted, 4u);
  EXPECT_EQ(metrics.done, 3u);
  EXPECT_EQ(metrics.failed, 1u);
  EXPECT_EQ(metrics.run_time.count(), 4u);
}

TEST(PredictAsync, EverySchedulingGivesTheSameBits) {
  const Tensor input = random_digits(5, 1);
  std::vector<Tensor> expected;
  for (const Scheduling scheduling : {Scheduling::automatic, Scheduling::latency, Scheduling::throughput}) {
    Options options;
    options.threads = 2;
    options.scheduling = scheduling;
    const Predictor predictor(kDigits, options);
    std::vector<Tensor> outputs = predictor.predict({input.view()});
    if (expected.empty()) expected = predictor.predict({input.view()});
    expect_same(outputs.at(0), expected.at(0));
    EXPECT_EQ(parse_scheduling(to_string(scheduling)), scheduling);
  }
  EXPECT_MXINFER_ERROR(parse_scheduling("fast"), ErrorCode::invalid_argument, {"fast", "latency"});
}

TEST(CallMetrics, PrometheusTextHasEveryFamilyOnce) {
  CallMetrics metrics;
  metrics.submitted = 7;
  metrics.done = 4;
  metrics.refused = 2;
  metrics.run_time.counts[2] = 3;
  metrics.run_time.counts.back() = 1;
  metrics.run_time.sum_seconds = 20.000125;
  const std::string text = prometheus_text(metrics, "model=\"digits\"");
  for (const char* line :
       {"# TYPE mxinfer_calls_total counter\n", "mxinfer_calls_total{model=\"digits\",outcome=\"done\"} 4\n",
        "mxinfer_calls_total{model=\"digits\",outcome=\"refused\"} 2\n",
        "mxinfer_calls_submitted_total{model=\"digits\"} 7\n", "# TYPE mxinfer_run_seconds histogram\n",
        "mxinfer_run_seconds_bucket{model=\"digits\",le=\"0.0001\"} 0\n",
        "mxinfer_run_seconds_bucket{model=\"digits\",le=\"0.00025\"} 3\n",
        "mxinfer_run_seconds_bucket{model=\"digits\",le=\"10\"} 3\n",
        "mxinfer_run_seconds_bucket{model=\"digits\",le=\"+Inf\"} 4\n",
        "mxinfer_run_seconds_sum{model=\"digits\"} 20.000125\n",
        "mxinfer_run_seconds_count{model=\"digits\"} 4\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
  EXPECT_EQ(prometheus_text(metrics, {}, false).find('#'), std::string::npos);
  EXPECT_NE(prometheus_text(metrics).find("mxinfer_calls_waiting 0\n"), std::string::npos);
}

TEST(CallMetrics, QuantilesLieInTheirBuckets) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.quantile_seconds(0.5), 0);
  histogram.counts[4] = 90;  // up to 1 ms
  histogram.counts[8] = 10;  // up to 25 ms
  EXPECT_GT(histogram.quantile_seconds(0.5), 500e-6);
  EXPECT_LE(histogram.quantile_seconds(0.5), 1e-3);
  EXPECT_GT(histogram.quantile_seconds(0.99), 10e-3);
  EXPECT_LE(histogram.quantile_seconds(0.99), 25e-3);
  histogram.counts.back() = 1000;
  EXPECT_EQ(histogram.quantile_seconds(0.99), 10.0);
}

}  // namespace
}  // namespace mxinfer
