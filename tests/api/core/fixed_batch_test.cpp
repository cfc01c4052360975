// Networks that take batches of one size alone: lists, images and rows in any number fill them up.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/small_network.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::SmallNetwork;

// Images of one channel, in batches of 4: 0 and half of the mean of each.
SmallNetwork network_of_fixed_images() {
  SmallNetwork net;
  const int last = net.means_of_filters(net.variable("data", "(4, 1, 6, 6)"), 1);
  net.op("Reshape", "r", {{"shape", "(4, 2)"}}, {last});
  return net;
}

// Rows of 5 elements, in batches of 4.
Model model_of_fixed_rows() {
  SmallNetwork net;
  const int last = net.op("FullyConnected", "f", {{"num_hidden", "70"}, {"no_bias", "True"}},
                          {net.variable("data"), net.parameter("w", {70, 5})});
  net.op("Reshape", "r", {{"shape", "(4, 7, 10)"}}, {last});
  return net.load();
}

// Image i is all of 10 i + 1.
float value_of_image(std::size_t i) {
  return static_cast<float>(10 * i + 1);
}

std::vector<Image> images_of_one_value(std::size_t count) {
  std::vector<Image> images;
  for (std::size_t i = 0; i < count; ++i) {
    Tensor pixels(DType::uint8, {6, 6, 1});
    std::fill_n(pixels.data<std::uint8_t>(), 36, static_cast<std::uint8_t>(value_of_image(i)));
    images.emplace_back(std::move(pixels));
  }
  return images;
}

TEST(FixedBatch, ImagesFillItUp) {
  const ImageClassifier classifier(network_of_fixed_images().load());
  EXPECT_EQ(to_string(classifier.model().signature().inputs.at(0)), "data float32 (4, 1, 6, 6)");
  const std::vector<Image> images = images_of_one_value(6);
  for (const std::size_t count : {1u, 4u, 6u}) {
    const auto results = classifier.classify_batch(Span<const Image>(images.data(), count), 2);
    ASSERT_EQ(results.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(results[i].size(), 2u);
      EXPECT_EQ(results[i][0].index, 1);
      EXPECT_FLOAT_EQ(results[i][0].score, 0.5f * value_of_image(i));
    }
  }
  EXPECT_NO_THROW(classifier.warmup());
  EXPECT_FLOAT_EQ(classifier.classify_async(images[1], 1).get().at(0).score, 5.5f);
}

TEST(FixedBatch, ListsFillItUp) {
  SmallNetwork net = network_of_fixed_images();
  const std::string symbol = net.json();
  const std::vector<std::byte> params = net.params();
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(symbol),
                                                   Span<const std::byte>(params.data(), params.size()));
  builder.transforms({transforms::resize(6, 6), transforms::to_tensor()});
  const Predictor predictor(builder.build());
  const std::vector<Image> images = images_of_one_value(6);
  std::vector<TensorView> items;
  for (const Image& image : images) items.push_back(image.view());
  const std::vector<Tensor> outputs = predictor.predict_list(items);
  ASSERT_EQ(outputs.at(0).shape(), (Shape{6, 2}));
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(outputs[0].data<float>()[2 * i + 1], 0.5f * value_of_image(i) / 255, 1e-6);
  Tensor into(DType::float32, {6, 2});
  predictor.predict_list_into(items, {into.mutable_view()});
  EXPECT_EQ(into.data<float>()[11], outputs[0].data<float>()[11]);
}

TEST(FixedBatch, SamplesFillItUp) {
  const Classifier classifier(network_of_fixed_images().load());
  const std::vector<float> sample(36, 2.0f);
  const std::vector<Classification> results = classifier.classify(sample, 1);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FLOAT_EQ(results[0].score, 1.0f);
  const Tensor batch = test::random_tensor({5, 1, 6, 6}, 2, 0, 1);
  EXPECT_EQ(classifier.classify_batch(batch.view()).size(), 5u);
}

TEST(FixedBatch, OutputsWithoutARowForEachSampleAreRefused) {
  SmallNetwork net;
  const int last = net.means_of_filters(net.variable("data", "(4, 1, 6, 6)"), 1);
  net.op("Reshape", "r", {{"shape", "(2, 4)"}}, {last});
  const ImageClassifier classifier(net.load());
  const std::vector<Image> images = images_of_one_value(1);
  EXPECT_MXINFER_ERROR(classifier.classify(images[0]), ErrorCode::unsupported,
                       {"'r_output'", "(2, 4)", "batch of 4"});
}

TEST(FixedBatch, QueuesLeaveItAlone) {
  Options options;
  options.async.max_batch = 4;
  options.async.workers = 1;
  const Predictor predictor(model_of_fixed_rows(), options);
  const Tensor rows = test::random_tensor({4, 5}, 1, 0, 1);
  const Tensor expected = predictor.predict({rows.view()})[0].clone();
  std::vector<Prediction<std::vector<Tensor>>> predictions;
  for (int i = 0; i < 8; ++i) predictions.push_back(predictor.predict_async({rows.view()}));
  for (auto& prediction : predictions) {
    const std::vector<Tensor> outputs = prediction.get();
    EXPECT_EQ(outputs.at(0).shape(), (Shape{4, 7, 10}));
    EXPECT_EQ(outputs[0].data<float>()[279], expected.data<float>()[279]);
  }
}

}  // namespace
}  // namespace mxinfer
