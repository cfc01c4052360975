// Images through models that resize and normalise them by themselves.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <string>
#include <vector>

#include "api/vision/plain_image.h"
#include "support/expect_error.h"
#include "support/networks/tiny_models.h"

namespace mxinfer {
namespace {

using test::load_json;
using test::plain_image;

std::string gluon_export(bool decode = false) {
  return test::image_means_json("_image_resize", R"json("size": "(6, 4)", "interp": "1")json", decode);
}

std::string decoding() {
  return gluon_export(true);
}

LoadOptions pixels() {
  LoadOptions options;
  options.inputs = {{"data", {-1, -1, -1, 3}, DType::uint8, "NHWC", Meaning::image}};
  options.labels = {"red", "green", "blue"};
  return options;
}

TEST(EndToEndImages, GluonsTransformsAreFoundInFrontOfTheNetwork) {
  const ImageClassifier classifier(load_json(gluon_export(), pixels()));
  const std::vector<Image> images = {plain_image(9, 9, 10, 20, 30), plain_image(3, 17, 255, 0, 51)};
  const auto rows = classifier.classify_batch(Span<const Image>(images));
  EXPECT_FLOAT_EQ(rows[0][2].score, 30.0f / 255);
  EXPECT_FLOAT_EQ(rows[1][0].score, 1);
  EXPECT_FLOAT_EQ(rows[1][2].score, 0.2f);
  EXPECT_EQ(classifier.classify(images[1], 1)[0].label, "red");

  LoadOptions bare = pixels();
  bare.inputs.clear();
  bare.load_transforms = false;
  const auto network = load_json(gluon_export(), bare);
  EXPECT_EQ(network.signature().inputs[0].name, "data");
  const Tensor tensor(DType::float32, {2, 3, 4, 6});
  EXPECT_EQ(Predictor(network).predict({tensor.view()})[0].shape(), (Shape{2, 3}));
}

TEST(EndToEndImages, PreprocessingTwiceIsRefused) {
  const auto model = load_json(gluon_export(), pixels());
  ImageOptions options;
  options.preprocess = Preprocess::preset("imagenet");
  EXPECT_MXINFER_ERROR(ImageClassifier(model, options), ErrorCode::invalid_argument,
                       {"itself", "do so again", "load_transforms"});
  options = {};
  options.height = 224;
  EXPECT_MXINFER_ERROR(ImageClassifier(model, options), ErrorCode::invalid_argument, {"do so again"});
  const Image image = plain_image(2, 2, 0, 0, 0);
  EXPECT_MXINFER_ERROR(ImageClassifier(model).preprocess(Span<const Image>(&image, 1)),
                       ErrorCode::unsupported, {"itself", "load_transforms"});
}

TEST(EndToEndImages, EncodedImagesAreDecodedAsTheFirstNode) {
  const auto model = load_json(decoding());
  EXPECT_EQ(model.signature().inputs[0].meaning, Meaning::encoded_image);
  EXPECT_EQ(model.signature().inputs[0].shape, (Shape{-1}));
  const std::string folder = std::string(MXINFER_SOURCE_DIR) + "/tests/golden/image/";
  const Predictor predictor(model);
  const ImageClassifier from_pixels(load_json(gluon_export(), pixels()));
  const ImageClassifier from_files(model);
  std::vector<Tensor> files;
  std::vector<TensorView> views;
  const std::vector<std::string> paths = {folder + "420.jpg", folder + "444.jpg", folder + "4bit.png"};
  for (const std::string& path : paths) {
    const auto wanted = from_pixels.classify_file(path);
    const auto given = from_files.classify_file(path);
    ASSERT_EQ(wanted.size(), given.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(wanted[i].score, given[i].score);
  }
  EXPECT_EQ(from_files.classify_files(paths).size(), 3u);
}

TEST(EndToEndImages, BytesThatAreNoImageAreNamed) {
  const Predictor predictor(load_json(decoding()));
  const std::vector<std::uint8_t> text(100, 'x');
  const Tensor image = Tensor::copy_of(plain_image(4, 4, 9, 9, 9).view());
  const TensorView bytes(text.data(), {100});
  EXPECT_MXINFER_ERROR(predictor.predict_list({image.view(), bytes}), ErrorCode::malformed,
                       {"item 1", "'data'"});
  EXPECT_MXINFER_ERROR(predictor.predict({bytes}), ErrorCode::malformed, {"'data'"});
  const std::vector<TensorView> items = {bytes, image.view()};
  std::vector<ItemError> errors;
  const auto outputs = predictor.predict_list(Span<const std::vector<TensorView>>(&items, 1), &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 0u);
  EXPECT_FLOAT_EQ(outputs.at(0).data<float>()[3], 9.0f / 255);
}

TEST(EndToEndImages, FilesThatCannotBeReadCostTheOthersNothing) {
  const std::string folder = std::string(MXINFER_SOURCE_DIR) + "/tests/golden/image/";
  for (const std::string& json : {gluon_export(), decoding()}) {
    LoadOptions load = pixels();
    if (json == decoding()) load.inputs.clear();
    const ImageClassifier classifier(load_json(json, load));
    const std::vector<std::string> paths = {folder + "absent.jpg", folder + "444.jpg", folder + "absent.png"};
    EXPECT_MXINFER_ERROR(classifier.classify_files(paths), ErrorCode::not_found, {"absent.jpg"});
    std::vector<ItemError> errors;
    const auto rows = classifier.classify_files(paths, 1, &errors);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_TRUE(rows[0].empty());
    EXPECT_EQ(rows[1].size(), 1u);
    ASSERT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[1].item, 2u);
  }
}

TEST(EndToEndImages, ImagesOfOtherChannelsAreNamed) {
  const Predictor predictor(load_json(gluon_export(), pixels()));
  const Tensor color(DType::uint8, {5, 5, 3}), grey(DType::uint8, {5, 5, 1});
  EXPECT_MXINFER_ERROR(predictor.predict_list({color.view(), grey.view()}), ErrorCode::invalid_argument,
                       {"item 1", "(5, 5, 1)", "(-1, -1, -1, 3)"});
}

}  // namespace
}  // namespace mxinfer
