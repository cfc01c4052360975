// warmup, output_shapes, explain and input_shapes without arguments, on whatever classify and detect can run.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"

namespace mxinfer {
namespace {

using test::load_json;

using test::kDigits;

// A part of 1000 x 600 pixels, from the bytes of a file with `decode`.
std::string cropping(bool decode = false) {
  return test::image_means_json("_image_crop",
                                R"json("x": "0", "y": "0", "width": "1000", "height": "600")json", decode);
}

void expect_runs(const Predictor& predictor, const Shape& output) {
  EXPECT_NO_THROW(predictor.warmup());
  EXPECT_EQ(predictor.output_shapes().at(0).shape, output);
  EXPECT_FALSE(predictor.explain().steps.empty());
}

TEST(InputShapes, TransformsGetAnImageOfACamera) {
  const ImageClassifier bundle(kDigits + ".mxz");
  expect_runs(bundle, {1, 10});
  const Predictor predictor(kDigits + ".mxz");
  expect_runs(predictor, {1, 10});
  EXPECT_EQ(predictor.input_shapes(), (std::vector<NamedShape>{{"data", {1, 480, 640, 1}}}));
  EXPECT_EQ(predictor.input_shapes({{"data", {3, 9, 8, 1}}})[0].second, (Shape{3, 9, 8, 1}));
  EXPECT_EQ(predictor.output_shapes({{"data", {3, 9, 8, 1}}})[0].shape, (Shape{3, 10}));
  EXPECT_MXINFER_ERROR(predictor.input_shapes({{"image", {3, 9, 8, 1}}}), ErrorCode::invalid_argument,
                       {"'image'", "'data'"});
}

TEST(InputShapes, LargerImagesWhereTheTransformsNeedThem) {
  const ImageClassifier classifier(load_json(cropping()));
  expect_runs(classifier, {1, 3});
  EXPECT_EQ(classifier.input_shapes()[0].second, (Shape{1, 1920, 2560, 3}));
}

TEST(InputShapes, FilesGetADecodedImage) {
  const ImageClassifier classifier(load_json(cropping(true)));
  expect_runs(classifier, {1, 3});
  EXPECT_EQ(classifier.input_shapes()[0].second, (Shape{1920, 2560, 3}));
  // Those shapes are shapes to give.
  EXPECT_EQ(classifier.output_shapes(classifier.input_shapes())[0].shape, (Shape{1, 3}));
  const Tensor image(DType::uint8, classifier.input_shapes()[0].second);
  EXPECT_EQ(classifier.predict({image.view()})[0].shape(), (Shape{1, 3}));
}

TEST(InputShapes, AFreeNetworkGetsTheClassesSize) {
  LoadOptions load;
  load.inputs = {{"data", {-1, 3, -1, -1}}};
  const auto model = load_json(test::channel_means_json(), load);
  ImageOptions options;
  options.height = 40;
  options.width = 30;
  const ImageClassifier classifier(model, options);
  expect_runs(classifier, {1, 3});
  EXPECT_EQ(classifier.input_shapes()[0].second, (Shape{1, 3, 40, 30}));
  const Predictor& base = classifier;
  expect_runs(base, {1, 3});
  // A class that does not know of images takes the side that networks usually have.
  expect_runs(Predictor(model), {1, 3});
  EXPECT_EQ(Predictor(model).input_shapes()[0].second, (Shape{1, 3, 224, 224}));
  LoadOptions wide;
  wide.inputs = {{"data", {-1, 7, -1, -1}}};
  EXPECT_MXINFER_ERROR(Predictor(load_json(test::channel_means_json(), wide)).warmup(),
                       ErrorCode::invalid_argument, {"(-1, 7, -1, -1)", "--shape data=1,7,224,224"});
}

TEST(InputShapes, AnImageWithoutABatch) {
  const Predictor predictor(load_json(R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
    {"op": "_image_to_tensor", "name": "t", "inputs": [[0, 0, 0]]},
    {"op": "expand_dims", "name": "e", "attrs": {"axis": "0"}, "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json"));
  expect_runs(predictor, {1, 3, 480, 640});
}

TEST(InputShapes, StatesHaveTheBatchOfTheData) {
  const Predictor predictor(load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "null", "name": "l0_init_c", "inputs": []},
    {"op": "elemwise_add", "name": "sum", "inputs": [[0, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json"));
  expect_runs(predictor, {1, 3});
  EXPECT_EQ(predictor.output_shapes({{"data", {5, 3}}})[0].shape, (Shape{5, 3}));
  EXPECT_EQ(predictor.input_shapes({{"data", {5, 3}}})[1], (NamedShape{"l0_init_c", {5, 3}}));
}

TEST(InputShapes, OfADetector) {
  const std::string folder = MXINFER_SOURCE_DIR "/tests/golden/ssd/ssd";
  DetectorOptions options;
  options.height = options.width = 48;
  const ObjectDetector detector(Model::load_files(folder + "-symbol.json", folder + "-0000.params"), options);
  EXPECT_NO_THROW(detector.warmup());
  EXPECT_EQ(detector.input_shapes()[0].second, (Shape{1, 3, 48, 48}));
  EXPECT_EQ(detector.output_shapes()[0].shape.rank(), 3u);
  EXPECT_FALSE(detector.explain().steps.empty());
}

}  // namespace
}  // namespace mxinfer
