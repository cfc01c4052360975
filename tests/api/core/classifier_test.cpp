#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cmath>
#include <limits>
#include <optional>

#include "api/vision/plain_image.h"
#include "support/expect_error.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::load_json;
using test::plain_image;

// Scores are the three input values.
Classifier means(std::vector<std::string> labels) {
  LoadOptions options;
  options.labels = std::move(labels);
  return Classifier(load_json(test::channel_means_json("(0, 3, 1, 1)"), options));
}

std::vector<int> indices(const std::vector<Classification>& result) {
  std::vector<int> all;
  for (const auto& c : result) all.push_back(c.index);
  return all;
}

TEST(Classifier, SortedWithTopKAndInLabelOrderWithout) {
  const Classifier classifier = means({"red", "green", "blue"});
  const std::vector<float> sample = {0.2f, 0.5f, 0.3f};
  const auto all = classifier.classify(sample);
  EXPECT_EQ(indices(all), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(all[1].label, "green");
  EXPECT_EQ(all[1].score, 0.5f);
  EXPECT_EQ(indices(classifier.classify(sample, 2)), (std::vector<int>{1, 2}));
  EXPECT_EQ(indices(classifier.classify(sample, 9)), (std::vector<int>{1, 2, 0}));
}

TEST(Classifier, TiesGoByIndexAndNanComesLast) {
  const Classifier classifier = means({});
  EXPECT_EQ(indices(classifier.classify(std::vector<float>{0.5f, 0.7f, 0.5f}, 3)),
            (std::vector<int>{1, 0, 2}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(indices(classifier.classify(std::vector<float>{nan, -1.0f, 2.0f}, 3)),
            (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(classifier.classify(std::vector<float>{0, 0, 0})[2].label, "2");
}

Classifier activated(Activation activation, std::optional<float> min_score = {}) {
  return Classifier(load_json(test::channel_means_json("(0, 3, 1, 1)")),
                    ClassifierOptions{.activation = activation, .min_score = min_score});
}

TEST(Classifier, SoftmaxAndSigmoidOfTheScores) {
  const std::vector<float> logits = {1000, 1001, 999};
  const auto soft = activated(Activation::softmax).classify(logits);
  const double sum = 1 + std::exp(1.0) + std::exp(-1.0);
  EXPECT_FLOAT_EQ(soft[0].score, static_cast<float>(1 / sum));
  EXPECT_FLOAT_EQ(soft[1].score, static_cast<float>(std::exp(1.0) / sum));
  EXPECT_EQ(indices(activated(Activation::softmax).classify(logits, 3)), (std::vector<int>{1, 0, 2}));
  const auto each = activated(Activation::sigmoid).classify(std::vector<float>{0, 2, -200});
  EXPECT_EQ(each[0].score, 0.5f);
  EXPECT_FLOAT_EQ(each[1].score, static_cast<float>(1 / (1 + std::exp(-2.0))));
  EXPECT_EQ(each[2].score, 0);
  EXPECT_EQ(parse_activation("sigmoid"), Activation::sigmoid);
  EXPECT_MXINFER_ERROR(parse_activation("relu"), ErrorCode::invalid_argument, {"\"relu\"", "none, softmax"});
}

TEST(Classifier, LeavesOutWhatScoresLess) {
  const std::vector<float> sample = {0.2f, 0.5f, 0.3f};
  EXPECT_EQ(indices(activated(Activation::none, 0.3f).classify(sample)), (std::vector<int>{1, 2}));
  EXPECT_EQ(indices(activated(Activation::none, 0.3f).classify(sample, 1)), (std::vector<int>{1}));
  EXPECT_TRUE(activated(Activation::none, 0.6f).classify(sample, 3).empty());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(indices(activated(Activation::none, -9.0f).classify(std::vector<float>{nan, 1, nan})),
            (std::vector<int>{1}));
}

TEST(Classifier, ASecondSoftmaxIsRefused) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "softmax", "name": "prob", "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const ClassifierOptions options{.activation = Activation::softmax};
  EXPECT_MXINFER_ERROR(Classifier(load_json(json), options), ErrorCode::invalid_argument,
                       {"already ends in a softmax", "Activation::none"});
}

TEST(Classifier, Batches) {
  const Classifier classifier = means({"red", "green", "blue"});
  const Tensor batch = test::tensor_of<float>({2, 3, 1, 1}, {1, 2, 3, 6, 5, 4});
  const auto results = classifier.classify_batch(batch, 1);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0][0].label, "blue");
  EXPECT_EQ(results[1][0].label, "red");
}

TEST(Classifier, WhatDoesNotFitIsRefused) {
  EXPECT_MXINFER_ERROR(means({"red", "green"}), ErrorCode::invalid_argument, {"3 classes", "2 labels"});
  const Classifier classifier = means({});
  EXPECT_MXINFER_ERROR(classifier.classify(std::vector<float>{1, 2, 3}, 0), ErrorCode::invalid_argument,
                       {"top_k", "0"});
  EXPECT_MXINFER_ERROR(classifier.classify(std::vector<float>{1, 2}), ErrorCode::invalid_argument,
                       {"2 elements", "3"});
  EXPECT_MXINFER_ERROR(classifier.classify(std::vector<float>(6)), ErrorCode::invalid_argument,
                       {"6 elements", "2 samples"});
  LoadOptions options;
  options.outputs = {"data"};
  const Classifier images(load_json(test::channel_means_json("(0, 3, 2, 2)"), options));
  EXPECT_MXINFER_ERROR(images.classify(std::vector<float>(12)), ErrorCode::invalid_argument,
                       {"(1, 3, 2, 2)", "(batch, classes)"});
}

// An image of one colour, 12 x 8.
TEST(ImageClassifier, ScaleMeanStdAndColourOrder) {
  const auto model = load_json(test::channel_means_json());
  ImageOptions options;
  options.preprocess.scale = 0.5f;
  options.preprocess.mean = {1, 2, 3};
  options.preprocess.std = {2, 4, 8};
  auto scores = ImageClassifier(model, options).classify(plain_image(12, 8, 10, 20, 30));
  EXPECT_FLOAT_EQ(scores[0].score, (10 * 0.5f - 1) / 2);
  EXPECT_FLOAT_EQ(scores[1].score, (20 * 0.5f - 2) / 4);
  EXPECT_FLOAT_EQ(scores[2].score, (30 * 0.5f - 3) / 8);
  options.preprocess.color = ColorOrder::bgr;
  scores = ImageClassifier(model, options).classify(plain_image(12, 8, 10, 20, 30));
  EXPECT_FLOAT_EQ(scores[0].score, (30 * 0.5f - 1) / 2);
  EXPECT_FLOAT_EQ(scores[2].score, (10 * 0.5f - 3) / 8);
}

// 12 x 8, the left half black, the right half white, with a grey frame of one pixel above and below.
Image halves() {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 12; ++x) {
      const auto value = static_cast<std::uint8_t>(y == 0 || y == 7 ? 100 : x < 6 ? 0 : 255);
      pixels.insert(pixels.end(), {value, value, value});
    }
  }
  return Image(12, 8, 3, Span<const std::uint8_t>(pixels));
}

TEST(ImageClassifier, ResizePolicies) {
  const auto model = load_json(test::channel_means_json("(0, 3, 8, 8)"));
  ImageOptions options;
  options.preprocess.interpolation = Interpolation::nearest;
  const Image image = halves();
  const Tensor stretched = ImageClassifier(model, options).preprocess(Span<const Image>(&image, 1));
  EXPECT_EQ(stretched.shape(), Shape({1, 3, 8, 8}));
  EXPECT_EQ(stretched.data<float>()[8], 0);
  EXPECT_EQ(stretched.data<float>()[15], 255);

  options.preprocess.resize = ResizePolicy::short_side_crop;
  options.preprocess.resize_short = 8;
  const Tensor cropped = ImageClassifier(model, options).preprocess(Span<const Image>(&image, 1));
  // Columns 2 to 9 of the image.
  for (int x = 0; x < 8; ++x) EXPECT_EQ(cropped.data<float>()[8 + x], x < 4 ? 0 : 255) << x;

  options.preprocess.resize = ResizePolicy::letterbox;
  options.preprocess.pad_value = 7;
  const Tensor boxed = ImageClassifier(model, options).preprocess(Span<const Image>(&image, 1));
  // 12 x 8 becomes 8 x 5, under one row of padding.
  for (int x = 0; x < 8; ++x) {
    EXPECT_EQ(boxed.data<float>()[x], 7);
    EXPECT_EQ(boxed.data<float>()[8 + x], 100);
    EXPECT_EQ(boxed.data<float>()[16 + x], x < 4 ? 0 : 255);
    EXPECT_EQ(boxed.data<float>()[48 + x], 7);
  }
}

TEST(ImageClassifier, ListsOfDifferentSizes) {
  const ImageClassifier classifier(load_json(test::channel_means_json()));
  const std::vector<Image> images = {plain_image(12, 8, 10, 20, 30), halves(),
                                     resize_image(plain_image(12, 8, 50, 40, 30), 3, 99)};
  const auto results = classifier.classify_batch(Span<const Image>(images), 1);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0][0].index, 2);
  EXPECT_EQ(results[2][0].index, 0);
  EXPECT_TRUE(classifier.classify_batch(Span<const Image>()).empty());
}

TEST(ImageClassifier, ChannelsLastAndUint8) {
  LoadOptions load;
  load.inputs = {{"data", {-1, 4, 6, 3}, DType::uint8, "NHWC"}};
  load.outputs = {"data"};
  const ImageClassifier classifier(load_json(test::channel_means_json(""), load));
  const Image image = plain_image(12, 8, 10, 20, 30);
  const Tensor batch = classifier.preprocess(Span<const Image>(&image, 1));
  EXPECT_EQ(batch.dtype(), DType::uint8);
  EXPECT_EQ(batch.shape(), Shape({1, 4, 6, 3}));
  EXPECT_EQ(batch.data<std::uint8_t>()[5], 30);
  ImageOptions options;
  options.preprocess.scale = 0.5f;
  EXPECT_MXINFER_ERROR(ImageClassifier(load_json(test::channel_means_json(""), load), options),
                       ErrorCode::invalid_argument, {"uint8", "scale"});
}

TEST(ImageClassifier, SizesThatAreFreeMustBeGiven) {
  LoadOptions load;
  load.inputs = {{"data", {-1, 3, -1, -1}}};
  const auto model = load_json(test::channel_means_json(), load);
  EXPECT_MXINFER_ERROR(ImageClassifier(model), ErrorCode::invalid_argument, {"height", "free", "--height"});
  ImageOptions options;
  options.height = 5;
  options.width = 9;
  const Image image = halves();
  EXPECT_EQ(ImageClassifier(model, options).preprocess(Span<const Image>(&image, 1)).shape(),
            Shape({1, 3, 5, 9}));
  ImageOptions preset;
  preset.preprocess = Preprocess::preset("imagenet");
  EXPECT_EQ(ImageClassifier(model, preset).preprocess(Span<const Image>(&image, 1)).shape(),
            Shape({1, 3, 224, 224}));
  EXPECT_MXINFER_ERROR(ImageClassifier(load_json(test::channel_means_json()), options),
                       ErrorCode::invalid_argument, {"height", "5", "4"});
  EXPECT_MXINFER_ERROR(Preprocess::preset("imagenette"), ErrorCode::not_found,
                       {"imagenette", "imagenet_symbol"});
}

TEST(ImageClassifier, NetworksThatTakeNoImageAreRefused) {
  EXPECT_MXINFER_ERROR(ImageClassifier(load_json(test::two_inputs_json())), ErrorCode::invalid_argument,
                       {"one input", "2"});
  EXPECT_MXINFER_ERROR(ImageClassifier(load_json(test::channel_means_json("(0, 5, 4, 6)"))),
                       ErrorCode::invalid_argument, {"(-1, 5, 4, 6)", "not an image"});
  ImageOptions options;
  options.preprocess.std = {1, 0, 1};
  EXPECT_MXINFER_ERROR(ImageClassifier(load_json(test::channel_means_json()), options),
                       ErrorCode::invalid_argument, {"std", "0"});
}

TEST(ImageClassifier, PathsBytesAndPixelsAgree) {
  const ImageClassifier classifier(std::string(MXINFER_SOURCE_DIR) + "/models/digits");
  const std::string path = std::string(MXINFER_SOURCE_DIR) + "/examples/images/seven.jpg";
  const auto by_path = classifier.classify_file(path, 5);
  ASSERT_EQ(by_path.size(), 5u);
  EXPECT_EQ(by_path[0].label, "seven");
  EXPECT_EQ(classifier.classify_files({path, path})[1][7].score, by_path[0].score);
  EXPECT_MXINFER_ERROR(classifier.classify_file("nowhere.jpg"), ErrorCode::not_found, {"nowhere.jpg"});
  EXPECT_MXINFER_ERROR(classifier.classify_files({path, "nowhere.jpg"}), ErrorCode::not_found,
                       {"nowhere.jpg"});
  const std::vector<std::uint8_t> noise = {'G', 'I', 'F', '8', '9', 'a', 0, 0};
  EXPECT_THROW(classifier.classify_bytes(noise), Error);
  EXPECT_MXINFER_ERROR(classifier.classify(Image()), ErrorCode::invalid_argument, {"empty"});
}

}  // namespace
}  // namespace mxinfer
