// What every pixel shows: which outputs are maps, how they come back to the image, and what is wrong input.
#include <gtest/gtest.h>
#include <mxinfer/vision/image_segmenter.h>

#include <cmath>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/channel_models.h"

namespace mxinfer {
namespace {

/// Red on the left, green on the right; blue in the lower half from `blue_from` on.
Image flag(int width, int height, int blue_from) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int channel = y >= blue_from ? 2 : x < width / 2 ? 0 : 1;
      for (int c = 0; c < 3; ++c) pixels.push_back(c == channel ? 200 : 20);
    }
  }
  return Image(width, height, 3, pixels);
}

Model colours(LoadOptions load = {}) {
  load.labels = {"red", "green", "blue"};
  return test::channel_model(10, 20, R"("op": "_copy")", load);
}

int label_at(const Image& labels, int x, int y) {
  return labels.pixels()[static_cast<std::size_t>(y * labels.width() + x)];
}

TEST(ImageSegmenter, LabelsEveryPixelOfTheImage) {
  const ImageSegmenter segmenter(colours());
  for (const bool smooth : {true, false}) {
    const Segmentation found = segmenter.segment(flag(80, 40, 20), {{}, smooth});
    ASSERT_EQ(found.labels.size(), (Size{80, 40}));
    EXPECT_EQ(label_at(found.labels, 10, 5), 0);
    EXPECT_EQ(label_at(found.labels, 39, 19), 0);
    EXPECT_EQ(label_at(found.labels, 40, 19), 1);
    EXPECT_EQ(label_at(found.labels, 40, 20), 2);
    ASSERT_EQ(found.areas.size(), 3u);
    EXPECT_EQ(found.areas[0].label, "blue");
    EXPECT_EQ(found.areas[0].pixels, 80 * 20);
    EXPECT_EQ(found.areas[0].part, 0.5);
    EXPECT_EQ(found.areas[1].label, "red");
    EXPECT_EQ(found.areas[2].index, 1);
  }
}

TEST(ImageSegmenter, LeadsTheMapBackThroughThePreprocessing) {
  SegmenterOptions options;
  options.preprocess.resize = ResizePolicy::letterbox;  // 100 x 100 becomes 10 x 10 at x = 5
  auto found = ImageSegmenter(colours(), options).segment(flag(100, 100, 70));
  EXPECT_EQ(label_at(found.labels, 2, 5), 0);
  EXPECT_EQ(label_at(found.labels, 97, 5), 1);
  EXPECT_EQ(label_at(found.labels, 50, 95), 2);

  options.preprocess.resize = ResizePolicy::short_side_crop;
  options.preprocess.resize_short = 10;  // 100 x 25 becomes 40 x 10, of which the middle 20 x 10 is taken
  found = ImageSegmenter(colours(), options).segment(flag(100, 25, 25));
  EXPECT_EQ(label_at(found.labels, 24, 12), kUnknownLabel);
  EXPECT_EQ(label_at(found.labels, 26, 12), 0);
  EXPECT_EQ(label_at(found.labels, 73, 12), 1);
  EXPECT_EQ(label_at(found.labels, 76, 12), kUnknownLabel);
  double sum = 0;
  for (const auto& area : found.areas) sum += area.part;
  EXPECT_NEAR(sum, 0.5, 0.02);
}

TEST(ImageSegmenter, TakesPositionsInTheLabels) {
  const ImageSegmenter segmenter(test::channel_model(10, 20, R"("op": "argmax", "attrs": {"axis": "1"})"));
  const Segmentation found = segmenter.segment(flag(40, 20, 10));
  EXPECT_EQ(label_at(found.labels, 0, 0), 0);
  EXPECT_EQ(label_at(found.labels, 39, 0), 1);
  EXPECT_EQ(label_at(found.labels, 0, 19), 2);
  EXPECT_EQ(found.areas[0].label, "2");  // without labels
}

TEST(ImageSegmenter, LeavesOutWhatIsUnsure) {
  SegmenterOptions options;
  options.preprocess.scale = 1 / 255.0f;
  options.activation = Activation::softmax;  // (0.78, 0.08, 0.08) becomes 0.5
  const ImageSegmenter segmenter(colours(), options);
  EXPECT_EQ(segmenter.segment(flag(20, 10, 10), {0.45f, true}).areas.size(), 2u);
  EXPECT_TRUE(segmenter.segment(flag(20, 10, 10), {0.55f, true}).areas.empty());
}

TEST(ImageSegmenter, TakesBatchesOfImagesOfAnySize) {
  const ImageSegmenter segmenter(colours());
  const std::vector<Image> images = {flag(20, 10, 10), Image(), flag(64, 32, 0)};
  EXPECT_MXINFER_ERROR(segmenter.segment_batch(Span<const Image>(images)), ErrorCode::invalid_argument,
                       {"image 1", "empty"});
  std::vector<ItemError> errors;
  const auto found = segmenter.segment_batch(Span<const Image>(images), {}, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_TRUE(found[1].labels.empty());
  EXPECT_EQ(found[2].labels.size(), (Size{64, 32}));
  ASSERT_EQ(found[2].areas.size(), 1u);
  EXPECT_EQ(found[2].areas[0].label, "blue");
  EXPECT_TRUE(segmenter.segment_batch({}).empty());
  const auto files =
      segmenter.segment_files({"/nowhere.png", MXINFER_SOURCE_DIR "/examples/images/seven.jpg"}, {}, &errors);
  EXPECT_TRUE(files[0].labels.empty());
  EXPECT_FALSE(files[1].labels.empty());
  ASSERT_EQ(errors.size(), 2u);
}

TEST(ImageSegmenter, GivesTheSameThroughItsQueue) {
  const ImageSegmenter segmenter(colours());
  auto one = segmenter.segment_async(flag(30, 30, 15));
  auto file = segmenter.segment_file_async(MXINFER_SOURCE_DIR "/examples/images/seven.jpg");
  auto wrong = segmenter.segment_file_async("/nowhere.png");
  EXPECT_EQ(one.get().areas.size(), 3u);
  EXPECT_FALSE(file.get().labels.empty());
  EXPECT_MXINFER_ERROR(wrong.get(), ErrorCode::not_found, {"/nowhere.png"});
}

TEST(ImageSegmenter, SaysWhatGivesNoMaps) {
  EXPECT_MXINFER_ERROR(ImageSegmenter(MXINFER_SOURCE_DIR "/models/digits"), ErrorCode::invalid_argument,
                       {"nothing for pixels", "(-1, 10)", "ImageClassifier"});
  const ImageSegmenter segmenter(colours());
  EXPECT_MXINFER_ERROR(segmenter.segment(Image()), ErrorCode::invalid_argument, {"empty"});
  EXPECT_MXINFER_ERROR(segmenter.segment(flag(4, 4, 4), {NAN, true}), ErrorCode::invalid_argument,
                       {"min_score"});
  const std::string text = "not an image";
  EXPECT_MXINFER_ERROR(segmenter.segment_bytes(ByteSpan(text)), ErrorCode::malformed, {});
  EXPECT_EQ(segmenter.segment(flag(1, 1, 1)).labels.size(), (Size{1, 1}));
}

}  // namespace
}  // namespace mxinfer
