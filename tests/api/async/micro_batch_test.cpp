// Micro-batching: what waits anyway runs as one batch, and every prediction has what it has alone.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/gate.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using namespace std::chrono_literals;
using test::Gate;

using test::kDigits;
using test::kSeven;
using test::random_digits;

/// Sizes of the batches that predictions ran in, by the predictions.
class Sizes {
 public:
  auto hook() {
    return [this](const RequestEvent& event) {
      const std::lock_guard lock(mutex_);
      sizes_.push_back(event.batch_size);
    };
  }
  std::vector<int> sorted() const {
    const std::lock_guard lock(mutex_);
    std::vector<int> sizes = sizes_;
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> sizes_;
};

Options batched(int max_batch, int workers = 1) {
  Options options;
  options.async.max_batch = max_batch;
  options.async.workers = workers;
  return options;
}

/// Batches of up to four, waited for as long as others run.
Options patient(int workers) {
  Options options = batched(4, workers);
  options.async.max_delay = 1h;
  return options;
}

/// Holds the only worker until enough waits.
class HeldWorker {
 public:
  explicit HeldWorker(const Predictor& predictor) : held_(predictor.queue().submit(gate_.hold())) {
    gate_.wait_until_entered(1);
  }
  void let_go() {
    gate_.open();
    held_.get();
  }

 private:
  Gate gate_;
  Prediction<void> held_;
};

void expect_close(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  float largest = 0;
  for (const float value : b.span<float>()) largest = std::max(largest, std::abs(value));
  for (std::int64_t i = 0; i < a.elements(); ++i)
    EXPECT_NEAR(a.data<float>()[i], b.data<float>()[i], 1e-4f * largest);
}

/// Submits an input each while the worker is held, and compares what comes out.
void expect_results_of_single_calls(const Predictor& predictor, const std::vector<Tensor>& inputs) {
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  HeldWorker worker(predictor);
  for (const Tensor& input : inputs) predictions.push_back(predictor.predict_async({input.view()}));
  worker.let_go();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    expect_close(predictions[i].get().at(0), predictor.predict({inputs[i].view()}).at(0));
}

TEST(MicroBatch, WhatWaitsRunsAsOneBatchOfAPowerOfTwo) {
  Sizes sizes;
  Options options = batched(8);
  options.async.on_event = sizes.hook();
  const Predictor predictor(kDigits, options);
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < 7; ++i) inputs.push_back(random_digits(1, i));
  expect_results_of_single_calls(predictor, inputs);
  EXPECT_EQ(sizes.sorted(), (std::vector<int>{1, 1, 2, 2, 4, 4, 4, 4}));  // the first is what held the worker
  expect_results_of_single_calls(predictor, inputs);
  EXPECT_EQ(predictor.metrics().batches, 4u);
  EXPECT_EQ(predictor.metrics().batched, 12u);
  EXPECT_EQ(predictor.metrics().done, 14u + 2u + 14u);
}

TEST(MicroBatch, IsOffByDefault) {
  const Predictor predictor(kDigits, batched(1));
  EXPECT_EQ(AsyncOptions{}.max_batch, 1);
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < 4; ++i) inputs.push_back(random_digits(1, i));
  expect_results_of_single_calls(predictor, inputs);
  EXPECT_EQ(predictor.metrics().batches, 0u);
}

TEST(MicroBatch, ALargestBatchThatIsNoPowerOfTwoIsFilledToo) {
  const Predictor predictor(kDigits, batched(3));
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < 6; ++i) inputs.push_back(random_digits(2, i));  // of two rows each
  expect_results_of_single_calls(predictor, inputs);
  expect_results_of_single_calls(predictor, inputs);
  EXPECT_EQ(predictor.metrics().batches, 4u);
  EXPECT_EQ(predictor.metrics().batched, 12u);
}

TEST(MicroBatch, OnlyInputsOfTheSameTypesRunTogether) {
  const Predictor predictor(kDigits, batched(8));
  std::vector<Tensor> inputs;
  for (const std::int64_t count : {1, 2, 1, 2, 1, 1}) inputs.push_back(random_digits(count, 3));
  expect_results_of_single_calls(predictor, inputs);
  EXPECT_EQ(predictor.metrics().batches, 2u);
  EXPECT_EQ(predictor.metrics().batched, 6u);
}

TEST(MicroBatch, WrongOnesFailAlone) {
  const Predictor predictor(kDigits, batched(8));
  const Tensor wrong(DType::float32, {1, 3, 8, 8}), right = random_digits(1, 1);
  const auto expected = predictor.predict({right.view()});
  std::vector<Prediction<std::vector<Tensor>>> good, bad;
  HeldWorker worker(predictor);
  for (int i = 0; i < 3; ++i) {
    good.push_back(predictor.predict_async({right.view()}));
    bad.push_back(predictor.predict_async({wrong.view()}));
  }
  worker.let_go();
  for (auto& prediction : good) expect_close(prediction.get().at(0), expected[0]);
  for (auto& prediction : bad)
    EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::invalid_argument, {"data", "(1, 3, 8, 8)"});
}

TEST(MicroBatch, WritesIntoMemoryOfEachCaller) {
  const Predictor predictor(kDigits, batched(4));
  const Shape shape = predictor.predict({random_digits(1, 0).view()}).at(0).shape();
  for (int round = 0; round < 2; ++round) {
    std::vector<Tensor> inputs, outputs;
    std::vector<Prediction<void>> predictions;
    HeldWorker worker(predictor);
    Tensor wrong(DType::float32, {3});
    for (unsigned i = 0; i < 4; ++i) {
      inputs.push_back(random_digits(1, 10 + i));
      outputs.emplace_back(DType::float32, shape);
    }
    for (unsigned i = 0; i < 4; ++i) {
      MutableTensorView output = i == 2 ? wrong.mutable_view() : outputs[i].mutable_view();
      predictions.push_back(predictor.predict_into_async({inputs[i].view()}, {output}));
    }
    worker.let_go();
    for (unsigned i = 0; i < 4; ++i) {
      if (i == 2) {
        EXPECT_MXINFER_ERROR(predictions[i].get(), ErrorCode::invalid_argument, {"float32 (3,)"});
        continue;
      }
      predictions[i].get();
      expect_close(outputs[i], predictor.predict({inputs[i].view()}).at(0));
    }
  }
}

/// softmax(data) over the batch: rows depend on each other.
std::string softmax_over_batch_json() {
  return R"json({"nodes": [{"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},)json"
         R"json({"op": "softmax", "name": "softmax", "attrs": {"axis": "0"}, "inputs": [[0, 0, 0]]}],)json"
         R"json("arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

TEST(MicroBatch, RowsThatDependOnEachOtherAreFoundAndRunAlone) {
  const Predictor predictor(test::load_json(softmax_over_batch_json()), batched(4));
  std::vector<Tensor> inputs;
  for (unsigned i = 0; i < 4; ++i) inputs.push_back(test::random_tensor({2, 3}, i));
  for (int round = 0; round < 3; ++round) expect_results_of_single_calls(predictor, inputs);
  EXPECT_LE(predictor.metrics().batches, 1u) << "after the first it is known";
}

TEST(MicroBatch, SeveralInputsAndOutputs) {
  const Predictor predictor(test::load_json(test::two_inputs_json()), batched(4));
  for (int round = 0; round < 2; ++round) {
    std::vector<Tensor> a, b;
    std::vector<Prediction<std::vector<Tensor>>> predictions;
    for (unsigned i = 0; i < 4; ++i) {
      a.push_back(test::random_tensor({1, 3}, i));
      b.push_back(test::random_tensor({1, 3}, 100 + i));
    }
    HeldWorker worker(predictor);
    for (unsigned i = 0; i < 4; ++i)
      predictions.push_back(predictor.predict_async({a[i].view(), b[i].view()}));
    worker.let_go();
    for (unsigned i = 0; i < 4; ++i) {
      const auto outputs = predictions[i].get();
      for (int j = 0; j < 3; ++j) {
        EXPECT_FLOAT_EQ(outputs.at(0).data<float>()[j], a[i].data<float>()[j] + b[i].data<float>()[j]);
        EXPECT_FLOAT_EQ(outputs.at(1).data<float>()[j], 2 * a[i].data<float>()[j]);
      }
    }
  }
  EXPECT_EQ(predictor.metrics().batches, 2u);
}

TEST(MicroBatch, ClassifiersRunSamplesImagesAndFilesTogether) {
  const Classifier plain(kDigits, {.options = batched(4)});
  for (int round = 0; round < 2; ++round) {
    std::vector<Tensor> inputs;
    std::vector<Prediction<std::vector<Classification>>> predictions;
    HeldWorker worker(plain);
    for (unsigned i = 0; i < 4; ++i) inputs.push_back(random_digits(1, i));
    for (const Tensor& input : inputs) predictions.push_back(plain.classify_async(input.span<float>(), 2));
    worker.let_go();
    for (unsigned i = 0; i < 4; ++i) {
      const auto expected = plain.classify(inputs[i].span<float>(), 2);
      const auto found = predictions[i].get();
      ASSERT_EQ(found.size(), 2u);
      EXPECT_EQ(found[0].label, expected[0].label);
      EXPECT_NEAR(found[0].score, expected[0].score, 1e-4);
    }
  }
  EXPECT_EQ(plain.metrics().batches, 2u);

  const ImageClassifier images(kDigits, {.options = batched(4)});
  const auto expected = images.classify_file(kSeven, 1);
  std::vector<Prediction<std::vector<Classification>>> files;
  HeldWorker worker(images);
  for (const std::string& path : {kSeven, std::string("missing.jpg"), kSeven, kSeven})
    files.push_back(images.classify_file_async(path, 1));
  for (int i = 0; i < 4; ++i) files.push_back(images.classify_async(read_image(kSeven), 1));
  files.push_back(images.classify_async(Image(), 1));
  files.push_back(images.classify_bytes_async(std::string("no image"), 1));
  worker.let_go();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i == 1) {
      EXPECT_MXINFER_ERROR(files[i].get(), ErrorCode::not_found, {"missing.jpg"});
    } else if (i == 8) {
      EXPECT_MXINFER_ERROR(files[i].get(), ErrorCode::invalid_argument, {"the image is empty"});
    } else if (i == 9) {
      EXPECT_MXINFER_ERROR(files[i].get(), ErrorCode::malformed, {});
    } else {
      const auto found = files[i].get();
      EXPECT_EQ(found.at(0).label, expected[0].label);
      EXPECT_NEAR(found[0].score, expected[0].score, 1e-4);
    }
  }
  EXPECT_GE(images.metrics().batched, 7u);
}

TEST(MicroBatch, DetectorsRunImagesTogether) {
  DetectorOptions options;
  options.preprocess = Preprocess::preset("imagenet");
  options.preprocess.resize = ResizePolicy::stretch;
  options.height = options.width = 48;
  options.options = batched(4);
  const ObjectDetector detector(std::string(MXINFER_SOURCE_DIR) + "/tests/golden/ssd/ssd", options);
  DetectOptions all;
  all.score_threshold = 0.05f;
  const auto expected = detector.detect_file(kSeven, all);
  ASSERT_FALSE(expected.empty());
  std::vector<Prediction<std::vector<Detection>>> predictions;
  HeldWorker worker(detector);
  for (int i = 0; i < 4; ++i) predictions.push_back(detector.detect_file_async(kSeven, all));
  predictions.push_back(detector.detect_file_async(kSeven));  // another threshold: not with them
  worker.let_go();
  for (int i = 0; i < 4; ++i) {
    const auto found = predictions[static_cast<std::size_t>(i)].get();
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_NEAR(found[0].score, expected[0].score, 1e-4);
  }
  EXPECT_EQ(predictions[4].get().size(), detector.detect_file(kSeven).size());
  EXPECT_EQ(detector.metrics().batched, 4u);
}

TEST(MicroBatch, NothingWaitsInAnIdleQueue) {
  Options options = batched(8, 2);
  options.async.max_delay = 1h;
  const Predictor predictor(kDigits, options);
  const Tensor input = random_digits(1, 1);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(predictor.predict_async({input.view()}).get().size(), 1u);
}

TEST(MicroBatch, WhileOthersRunABatchMayBeWaitedFor) {
  const Predictor predictor(kDigits, patient(2));
  const Tensor input = random_digits(1, 1);
  HeldWorker other(predictor);
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  for (int i = 0; i < 3; ++i) predictions.push_back(predictor.predict_async({input.view()}));
  EXPECT_FALSE(predictions[0].wait_for(20ms));
  predictions.push_back(predictor.predict_async({input.view()}));  // it is full
  for (auto& prediction : predictions) EXPECT_EQ(prediction.get().size(), 1u);
  EXPECT_EQ(predictor.metrics().batched, 4u);

  auto alone = predictor.predict_async({input.view()});
  EXPECT_FALSE(alone.wait_for(20ms));
  auto urgent = predictor.predict_async({input.view()}, {Priority::high, kNoDeadline});
  EXPECT_EQ(urgent.get().size(), 1u) << "joined what waited, or started at once";
  other.let_go();
  EXPECT_EQ(alone.get().size(), 1u) << "nothing else runs";
}

TEST(MicroBatch, ADelayEnds) {
  Options options = batched(4, 2);
  options.async.max_delay = 5ms;
  const Predictor predictor(kDigits, options);
  const Tensor input = random_digits(1, 1);
  HeldWorker other(predictor);
  EXPECT_EQ(predictor.predict_async({input.view()}).get().size(), 1u);
  other.let_go();
}

TEST(MicroBatch, OthersPassWhatWaitsForABatch) {
  const Predictor predictor(kDigits, patient(3));
  const Tensor one = random_digits(1, 1);
  HeldWorker other(predictor);
  auto collected = predictor.predict_async({one.view()});
  EXPECT_FALSE(collected.wait_for(10ms));
  EXPECT_EQ(predictor.queue().submit([] { return 3; }).get(), 3);
  EXPECT_FALSE(collected.ready());
  other.let_go();
  EXPECT_EQ(collected.get().size(), 1u);
}

TEST(MicroBatch, NoneWaitsBeyondItsDeadline) {
  const Predictor predictor(kDigits, patient(2));
  const Tensor input = random_digits(1, 1);
  HeldWorker other(predictor);
  auto prediction = predictor.predict_async({input.view()}, {Priority::normal, deadline_after(10min)});
  EXPECT_EQ(prediction.get().size(), 1u);
  other.let_go();
}

TEST(MicroBatch, AMemberThatIsCancelledHasNoResultAndTheOthersDo) {
  const Predictor predictor(kDigits, patient(2));
  const Tensor input = random_digits(1, 1);
  HeldWorker other(predictor);
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  for (int i = 0; i < 3; ++i) predictions.push_back(predictor.predict_async({input.view()}));
  EXPECT_FALSE(predictions[0].wait_for(10ms));
  EXPECT_TRUE(predictions[1].cancel());
  EXPECT_TRUE(predictions[1].ready());
  other.let_go();
  EXPECT_EQ(predictions[0].get().size(), 1u);
  EXPECT_MXINFER_ERROR(predictions[1].get(), ErrorCode::cancelled, {"cancel"});
  EXPECT_EQ(predictions[2].get().size(), 1u);
  EXPECT_EQ(predictor.metrics().cancelled, 1u);
}

TEST(MicroBatch, APredictorCanGoWhileABatchIsWaitedFor) {
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  const Tensor input = random_digits(1, 1);
  Gate gate;
  std::thread opener;
  {
    const Predictor predictor(kDigits, patient(2));
    auto held = predictor.queue().submit(gate.hold());
    gate.wait_until_entered(1);
    for (int i = 0; i < 3; ++i) predictions.push_back(predictor.predict_async({input.view()}));
    EXPECT_FALSE(predictions[0].wait_for(10ms));
    // Not before the predictor's end has cancelled them: where nothing else runs, they would.
    opener = std::thread([&] {
      for (const auto& prediction : predictions) prediction.wait();
      gate.open();
    });
  }
  opener.join();
  for (auto& prediction : predictions) {
    EXPECT_TRUE(prediction.ready());
    EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::cancelled, {});
  }
}

TEST(MicroBatch, AllThatAreCollectedMayBeCancelled) {
  const Predictor predictor(kDigits, patient(2));
  const Tensor input = random_digits(1, 1);
  HeldWorker other(predictor);
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  for (int i = 0; i < 2; ++i) predictions.push_back(predictor.predict_async({input.view()}));
  EXPECT_FALSE(predictions[0].wait_for(10ms));
  for (auto& prediction : predictions) EXPECT_TRUE(prediction.cancel());
  other.let_go();
  EXPECT_EQ(predictor.predict_async({input.view()}).get().size(), 1u);
  EXPECT_EQ(predictor.metrics().cancelled, 2u);
}

TEST(MicroBatch, ViewsWithoutMemoryFailAsTheyDoAlone) {
  const Predictor predictor(kDigits, batched(4));
  const Tensor right = random_digits(1, 1);
  const TensorView nothing(DType::float32, {1, 1, 32, 32}, nullptr);
  const Shape shape = predictor.predict({right.view()}).at(0).shape();
  for (int round = 0; round < 2; ++round) {
    HeldWorker worker(predictor);
    auto good = predictor.predict_async({right.view()});
    auto bad = predictor.predict_async({nothing});
    Tensor output(DType::float32, shape);
    auto into = predictor.predict_into_async({right.view()}, {output.mutable_view()});
    auto nowhere =
        predictor.predict_into_async({right.view()}, {MutableTensorView(DType::float32, shape, nullptr)});
    worker.let_go();
    EXPECT_EQ(good.get().size(), 1u);
    EXPECT_MXINFER_ERROR(bad.get(), ErrorCode::invalid_argument, {"data"});
    into.get();
    EXPECT_MXINFER_ERROR(nowhere.get(), ErrorCode::invalid_argument, {});
  }
}

TEST(MicroBatch, ATopThatMakesNoSenseIsAnErrorInABatchToo) {
  const Classifier classifier(kDigits, {.options = batched(4)});
  const Tensor input = random_digits(1, 1);
  for (int round = 0; round < 2; ++round) {
    HeldWorker worker(classifier);
    auto a = classifier.classify_async(input.span<float>(), -1);
    auto b = classifier.classify_async(input.span<float>(), -1);
    worker.let_go();
    EXPECT_MXINFER_ERROR(a.get(), ErrorCode::invalid_argument, {"-1"});
    EXPECT_MXINFER_ERROR(b.get(), ErrorCode::invalid_argument, {"-1"});
  }
}

TEST(MicroBatch, InputsThatAreTheSameDoNotHideThatRowsDependOnEachOther) {
  const Predictor predictor(test::load_json(softmax_over_batch_json()), batched(4));
  std::vector<Tensor> same, different;
  for (unsigned i = 0; i < 4; ++i) {
    same.push_back(test::random_tensor({1, 3}, 7));
    different.push_back(test::random_tensor({1, 3}, i));
  }
  expect_results_of_single_calls(predictor, same);
  expect_results_of_single_calls(predictor, different);
  EXPECT_LE(predictor.metrics().batches, 1u);
}

TEST(MicroBatch, WhatIsCutFromABatchKeepsItsPlace) {
  const Predictor predictor(kDigits, batched(4));
  const Tensor input = random_digits(1, 1);
  HeldWorker worker(predictor);
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  predictions.push_back(predictor.predict_async({input.view()}));
  auto between = predictor.queue().submit([&] { return predictor.metrics().done; });
  for (int i = 0; i < 2; ++i) predictions.push_back(predictor.predict_async({input.view()}));
  worker.let_go();
  EXPECT_EQ(between.get(), 3u) << "what held the worker, and a batch of two; the third came later";
  for (auto& prediction : predictions) EXPECT_EQ(prediction.get().size(), 1u);
}

TEST(MicroBatch, LimitsThatMakeNoSenseAreErrors) {
  EXPECT_MXINFER_ERROR(Predictor(kDigits, batched(0)), ErrorCode::invalid_argument,
                       {"AsyncOptions::max_batch is 0"});
  EXPECT_MXINFER_ERROR(Predictor(kDigits, batched(-1)), ErrorCode::invalid_argument,
                       {"AsyncOptions::max_batch is -1"});
  Options options = batched(4);
  options.async.max_delay = -1us;
  EXPECT_MXINFER_ERROR(Predictor(kDigits, options), ErrorCode::invalid_argument,
                       {"AsyncOptions::max_delay is -1 us"});
  options.async.max_delay = std::chrono::microseconds::max();
  EXPECT_MXINFER_ERROR(Predictor(kDigits, options), ErrorCode::invalid_argument,
                       {"AsyncOptions::max_delay is", "3600000000"});
}

}  // namespace
}  // namespace mxinfer
