// Pixels of every form through every class that takes images: what comes out is what the PNG of the same
// pixels gives, to the last bit.
#include <gtest/gtest.h>
#include <mxinfer/vision/face_embedder.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer/vision/keypoint_detector.h>
#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "image/golden.h"
#include "support/networks/tiny_models.h"

namespace mxinfer {
namespace {

/// `last` behind images of `channels` x 13 x 17, the size of the small files.
Model pixel_model(int channels, const std::string& last) {
  return test::load_json(
      R"json({"nodes": [{"op": "null", "name": "data", "attrs": {"__shape__": "(0, )json" +
      std::to_string(channels) + R"json(, 13, 17)"}, "inputs": []}, {)json" + last +
      R"json(, "name": "out", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]],
                         "attrs": {"mxnet_version": ["int", 10901]}})json");
}

constexpr const char* kFlatten = R"("op": "Flatten")";
constexpr const char* kCopy = R"("op": "_copy")";

std::string path_of(const std::string& file) {
  return (test::golden_folder() / file).string();
}

/// The samples of small PNGs, by the names of these.
std::vector<std::pair<std::string, Image>> images() {
  std::vector<std::pair<std::string, Image>> list;
  for (const auto& [file, samples] : test::golden_arrays("samples.npz"))
    list.emplace_back(file, samples.clone());
  EXPECT_EQ(list.size(), 8U);
  return list;
}

std::vector<float> scores_of(const std::vector<Classification>& classes) {
  std::vector<float> scores;
  for (const Classification& found : classes) scores.push_back(found.score);
  return scores;
}

TEST(ImagePixels, ClassifyAsTheirFile) {
  for (const int channels : {1, 3}) {
    const ImageClassifier classifier(pixel_model(channels, kFlatten));
    std::vector<Image> all;
    std::vector<std::string> paths;
    for (const auto& [file, image] : images()) {
      const std::vector<float> expected = scores_of(classifier.classify_file(path_of(file)));
      ASSERT_EQ(expected.size(), static_cast<std::size_t>(channels * 13 * 17));
      EXPECT_EQ(scores_of(classifier.classify(image)), expected) << file;
      EXPECT_EQ(scores_of(classifier.classify_bytes(test::golden_file(file))), expected) << file;
      EXPECT_EQ(scores_of(classifier.classify_async(image).get()), expected) << file;
      all.push_back(image);
      paths.push_back(path_of(file));
    }
    const auto from_pixels = classifier.classify_batch(all), from_files = classifier.classify_files(paths);
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(scores_of(from_pixels[i]), scores_of(from_files[i])) << paths[i];
  }
}

TEST(ImagePixels, GreyIsMadeBeforeTheImageIsResized) {
  ImageOptions options;
  options.preprocess.resize = ResizePolicy::short_side_crop;
  const ImageClassifier classifier(test::load_json(test::channel_means_json("(0, 1, 8, 8)")), options);
  for (const auto& [file, image] : images())
    EXPECT_EQ(scores_of(classifier.classify(image)), scores_of(classifier.classify_file(path_of(file))))
        << file;
}

TEST(ImagePixels, GoThroughModelsThatPreprocessThemselves) {
  LoadOptions pixels, floats;
  pixels.inputs = {{"data", {-1, -1, -1, 3}, DType::uint8, "NHWC", Meaning::image}};
  floats.inputs = {{"data", {-1, -1, -1, 3}, DType::float32, "NHWC", Meaning::image}};
  const std::string resize = R"json("size": "(6, 4)", "interp": "1")json";
  for (const LoadOptions& load : {pixels, floats}) {
    const ImageClassifier classifier(test::load_json(test::image_means_json("_image_resize", resize), load));
    for (const auto& [file, image] : images())
      EXPECT_EQ(scores_of(classifier.classify(image)), scores_of(classifier.classify_file(path_of(file))))
          << file;
  }
}

TEST(ImagePixels, AreBroughtIntoTheOrderOfAModelThatReadsBgr) {
  const std::string resize = R"json("size": "(6, 4)", "interp": "1")json";
  std::string json = test::image_means_json("_image_resize", resize, true);
  const std::string decoder = R"("op": "_cvimdecode", "name": "n1", "attrs": {)";
  json.insert(json.find(decoder) + decoder.size(), R"("to_rgb": "False")");
  const ImageClassifier bgr(test::load_json(json));
  const ImageClassifier rgb(test::load_json(test::image_means_json("_image_resize", resize, true)));
  for (const auto& [file, image] : images()) {
    const std::vector<float> found = scores_of(bgr.classify(image)), as_rgb = scores_of(rgb.classify(image));
    EXPECT_EQ(found, scores_of(bgr.classify_file(path_of(file)))) << file;
    EXPECT_EQ(found, (std::vector<float>{as_rgb[2], as_rgb[1], as_rgb[0]})) << file;
  }
}

TEST(ImagePixels, AreEmbeddedAsTheirFile) {
  for (const int channels : {1, 3}) {
    const FaceEmbedder embedder(pixel_model(channels, kFlatten));
    for (const auto& [file, image] : images()) {
      EXPECT_EQ(embedder.embed(image), embedder.embed_file(path_of(file))) << file;
      EXPECT_EQ(embedder.embed(image), embedder.embed_bytes(test::golden_file(file))) << file;
    }
  }
}

TEST(ImagePixels, AreSegmentedAsTheirFile) {
  SegmenterOptions options;
  for (const int channels : {1, 3}) {
    // A map of one class needs scores.
    options.activation = channels == 1 ? Activation::sigmoid : Activation::none;
    const ImageSegmenter segmenter(pixel_model(channels, kCopy), options);
    for (const auto& [file, image] : images()) {
      const Segmentation a = segmenter.segment(image), b = segmenter.segment_file(path_of(file));
      EXPECT_TRUE(std::equal(a.labels.pixels().begin(), a.labels.pixels().end(), b.labels.pixels().begin()))
          << file;
    }
  }
}

TEST(ImagePixels, HaveThePointsOfTheirGreyPixels) {
  const KeypointDetector detector(pixel_model(1, kCopy));
  for (const auto& [file, image] : images()) {
    const std::vector<Box> boxes = {{2, 1, 14, 11}};
    PoseOptions options;
    options.box_scale = 1;
    DecodeOptions grey;
    grey.color = false;
    const Keypoint a = detector.detect_keypoints(image, boxes, options)[0].points[0];
    const Keypoint b =
        detector.detect_keypoints(read_image(path_of(file), grey), boxes, options)[0].points[0];
    EXPECT_EQ(a.score, b.score) << file;
    EXPECT_EQ(a.x, b.x) << file;
    EXPECT_EQ(a.y, b.y) << file;
  }
}

/// An object for each value of a pixel, which is its score.
TEST(ImagePixels, AreDetectedInAsInTheirFile) {
  DetectorOptions options;
  options.decoder = [](Span<const Tensor> outputs, std::int64_t) {
    std::vector<Detection> found;
    for (const float score : outputs[0].span<float>()) {
      Detection object;
      object.index = 0;
      object.label = "pixel";
      object.score = score;
      object.box = {0, 0, 5, 5};
      found.push_back(object);
    }
    return found;
  };
  DetectOptions all;
  all.score_threshold = -1;
  for (const int channels : {1, 3}) {
    const ObjectDetector detector(pixel_model(channels, kFlatten), options);
    for (const auto& [file, image] : images()) {
      const auto a = detector.detect(image, all), b = detector.detect_file(path_of(file), all);
      ASSERT_EQ(a.size(), static_cast<std::size_t>(channels * 13 * 17)) << file;
      ASSERT_EQ(b.size(), a.size()) << file;
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].score, b[i].score) << file;
    }
  }
}

}  // namespace
}  // namespace mxinfer
