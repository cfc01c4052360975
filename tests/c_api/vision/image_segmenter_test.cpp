// Segmenters through the C interface: a network whose scores are the channels of the image, beside C++.
#include <mxinfer/vision/image_segmenter.h>

#include <string>
#include <vector>

#include "c_api/vision/pixels.h"
#include "support/files/temp_dir.h"
#include "support/networks/channel_models.h"

namespace mxinfer_c_tests {
namespace {

class CSegmenter : public testing::Test {
 protected:
  static mxinfer::LoadOptions labels() {
    mxinfer::LoadOptions load;
    load.labels = {"red", "green", "blue"};
    return load;
  }
  Segmenter segmenter(const Options& options = {}) const {
    Segmenter made;
    EXPECT_C_OK(mxinfer_image_segmenter_create(model_.get(), options.get(), Out(made)));
    return made;
  }

  mxinfer::Model cpp_model_ = mxinfer::test::channel_model(10, 20, R"("op": "_copy")", labels());
  Model model_ =
      model_of(mxinfer::test::channel_model_json(10, 20), {{"labels", R"(["red", "green", "blue"])"}});
  std::string path_ = std::string(MXINFER_SOURCE_DIR "/models/digit_detector/scenes/00.jpg");
  mxinfer::Image image_ = mxinfer::read_image(path_);
};

void expect_same_areas(const Segmentations& found, std::size_t image, const mxinfer::Segmentation& expected) {
  auto labels = sized<mxinfer_image>();
  ASSERT_C_OK(mxinfer_segmentations_labels(found.get(), image, &labels));
  expect_same_image(labels, expected.labels);
  ASSERT_EQ(mxinfer_segmentations_areas(found.get(), image), expected.areas.size());
  for (std::size_t i = 0; i < expected.areas.size(); ++i) {
    auto area = sized<mxinfer_segment_area>();
    ASSERT_C_OK(mxinfer_segmentations_area(found.get(), image, i, &area));
    EXPECT_EQ(area.label, expected.areas[i].label);
    EXPECT_EQ(area.index, expected.areas[i].index);
    EXPECT_EQ(area.pixels, expected.areas[i].pixels);
    EXPECT_EQ(area.part, expected.areas[i].part);
  }
}

TEST_F(CSegmenter, SegmentsFilesBytesAndPixelsAsInCpp) {
  const mxinfer::ImageSegmenter beside(cpp_model_);
  const Segmenter made = segmenter();
  const std::string bytes = read_bytes(path_);
  const mxinfer_image pixels = pixels_of(image_);
  Segmentations of_file, of_bytes, of_pixels, nearest;
  ASSERT_C_OK(mxinfer_image_segmenter_segment_file(made.get(), path_.c_str(), nullptr, Out(of_file)));
  ASSERT_C_OK(
      mxinfer_image_segmenter_segment_bytes(made.get(), bytes.data(), bytes.size(), nullptr, Out(of_bytes)));
  ASSERT_C_OK(mxinfer_image_segmenter_segment_image(made.get(), &pixels, nullptr, Out(of_pixels)));
  EXPECT_EQ(mxinfer_segmentations_images(of_file.get()), 1U);
  for (const Segmentations* found : {&of_file, &of_bytes, &of_pixels})
    expect_same_areas(*found, 0, beside.segment_file(path_));

  auto options = sized<mxinfer_segment_options>();
  const float least = 128;
  options.min_score = &least;
  options.nearest = 1;
  ASSERT_C_OK(mxinfer_image_segmenter_segment_image(made.get(), &pixels, &options, Out(nearest)));
  expect_same_areas(nearest, 0, beside.segment(image_, {least, false}));
}

TEST_F(CSegmenter, TakesOptionsOfImagesAndActivations) {
  const Segmenter made =
      segmenter(make_options({{"scale", "1/255"}, {"activation", "softmax"}, {"resize", "letterbox"}}));
  mxinfer::SegmenterOptions expected;
  expected.preprocess.scale = 1 / 255.0F;
  expected.preprocess.resize = mxinfer::ResizePolicy::letterbox;
  expected.activation = mxinfer::Activation::softmax;
  auto options = sized<mxinfer_segment_options>();
  const float least = 0.4F;
  options.min_score = &least;
  Segmentations found;
  ASSERT_C_OK(mxinfer_image_segmenter_segment_file(made.get(), path_.c_str(), &options, Out(found)));
  expect_same_areas(found, 0,
                    mxinfer::ImageSegmenter(cpp_model_, expected).segment_file(path_, {least, true}));

  Segmenter none;
  EXPECT_C_ERROR(
      mxinfer_image_segmenter_create(model_.get(), make_options({{"min_score", "0.5"}}).get(), Out(none)),
      MXINFER_INVALID_ARGUMENT, "min_score", "mxinfer_segment_options");
  EXPECT_C_ERROR(
      mxinfer_image_segmenter_create(model_.get(), make_options({{"units", "pixels"}}).get(), Out(none)),
      MXINFER_INVALID_ARGUMENT, "units");
}

TEST_F(CSegmenter, ListsReportWhatIsWrongWithEach) {
  const Segmenter made = segmenter();
  const mxinfer::Segmentation expected = mxinfer::ImageSegmenter(cpp_model_).segment(image_);
  const char* const paths[] = {path_.c_str(), "/nowhere.jpg"};
  Segmentations found;
  EXPECT_C_ERROR(mxinfer_image_segmenter_segment_files(made.get(), paths, 2, nullptr, 0, Out(found)),
                 MXINFER_NOT_FOUND, "/nowhere.jpg");
  ASSERT_C_OK(mxinfer_image_segmenter_segment_files(made.get(), paths, 2, nullptr, 1, Out(found)));
  ASSERT_EQ(mxinfer_segmentations_images(found.get()), 2U);
  expect_same_areas(found, 0, expected);
  const char* message = nullptr;
  EXPECT_EQ(mxinfer_segmentations_item_status(found.get(), 0, &message), MXINFER_OK);
  EXPECT_EQ(mxinfer_segmentations_item_status(found.get(), 1, &message), MXINFER_NOT_FOUND);
  EXPECT_NE(std::string(message).find("/nowhere.jpg"), std::string::npos);
  auto labels = sized<mxinfer_image>();
  EXPECT_C_ERROR(mxinfer_segmentations_labels(found.get(), 1, &labels), MXINFER_INVALID_ARGUMENT,
                 "has no labels");
  EXPECT_C_ERROR(mxinfer_segmentations_labels(found.get(), 2, &labels), MXINFER_INVALID_ARGUMENT, "image 2");
  auto area = sized<mxinfer_segment_area>();
  EXPECT_C_ERROR(mxinfer_segmentations_area(found.get(), 0, 9, &area), MXINFER_INVALID_ARGUMENT, "area 9");

  const mxinfer_image pixels[] = {pixels_of(image_), pixels_of(image_)};
  ASSERT_C_OK(mxinfer_image_segmenter_segment_images(made.get(), pixels, 2, nullptr, 0, Out(found)));
  expect_same_areas(found, 1, expected);
  const std::string bytes = read_bytes(path_);
  mxinfer_bytes encoded[] = {sized<mxinfer_bytes>(), sized<mxinfer_bytes>()};
  encoded[0].data = bytes.data();
  encoded[0].bytes = bytes.size();
  ASSERT_C_OK(mxinfer_image_segmenter_segment_bytes_list(made.get(), encoded, 2, nullptr, 1, Out(found)));
  expect_same_areas(found, 0, expected);
  EXPECT_EQ(mxinfer_segmentations_item_status(found.get(), 1, nullptr), MXINFER_MALFORMED);
}

TEST_F(CSegmenter, ImagesAreSubmitted) {
  const Segmenter made = segmenter();
  const mxinfer::Segmentation expected = mxinfer::ImageSegmenter(cpp_model_).segment(image_);
  const mxinfer_image pixels = pixels_of(image_);
  Request of_file, of_pixels, of_none;
  ASSERT_C_OK(mxinfer_image_segmenter_submit_file(made.get(), path_.c_str(), nullptr, nullptr, Out(of_file)));
  ASSERT_C_OK(mxinfer_image_segmenter_submit_image(made.get(), &pixels, nullptr, nullptr, Out(of_pixels)));
  ASSERT_C_OK(
      mxinfer_image_segmenter_submit_file(made.get(), "/nowhere.jpg", nullptr, nullptr, Out(of_none)));
  Segmentations found;
  Classes classes;
  EXPECT_C_ERROR(mxinfer_request_classes(of_file.get(), Out(classes)), MXINFER_INVALID_ARGUMENT,
                 "_segmentations");
  ASSERT_C_OK(mxinfer_request_segmentations(of_file.get(), Out(found)));
  expect_same_areas(found, 0, expected);
  ASSERT_C_OK(mxinfer_request_segmentations(of_pixels.get(), Out(found)));
  expect_same_areas(found, 0, expected);
  EXPECT_C_ERROR(mxinfer_request_segmentations(of_none.get(), Out(found)), MXINFER_NOT_FOUND);
}

TEST_F(CSegmenter, LabelImagesAreWrittenAsInCpp) {
  Segmentations found;
  ASSERT_C_OK(mxinfer_image_segmenter_segment_file(segmenter().get(), path_.c_str(), nullptr, Out(found)));
  auto labels = sized<mxinfer_image>();
  ASSERT_C_OK(mxinfer_segmentations_labels(found.get(), 0, &labels));
  OwnedBytes png;
  ASSERT_C_OK(mxinfer_encode_label_png(&labels, Out(png)));
  const std::vector<std::uint8_t> expected =
      mxinfer::encode_label_png(mxinfer::ImageSegmenter(cpp_model_).segment_file(path_).labels);
  EXPECT_EQ(bytes_of(png), std::string(expected.begin(), expected.end()));
  const mxinfer::test::TempDir dir;
  ASSERT_C_OK(mxinfer_write_label_png(&labels, (dir / "labels.png").c_str()));
  EXPECT_EQ(read_bytes(dir / "labels.png"), bytes_of(png));
  const mxinfer_image colour = pixels_of(image_);
  EXPECT_C_ERROR(mxinfer_write_label_png(&colour, (dir / "colour.png").c_str()), MXINFER_INVALID_ARGUMENT);
}

TEST_F(CSegmenter, OpensModelsAndLendsItsPredictor) {
  const mxinfer::test::TempDir dir;
  dir.write("net-symbol.json", mxinfer::test::channel_model_json(10, 20));
  Segmenter opened;
  ASSERT_C_OK(mxinfer_image_segmenter_open((dir / "net-symbol.json").c_str(), nullptr, Out(opened)));
  Descs outputs;
  ASSERT_C_OK(mxinfer_predictor_output_shapes(mxinfer_image_segmenter_predictor(opened.get()), nullptr, 0,
                                              Out(outputs)));
  EXPECT_EQ(mxinfer_descs_count(outputs.get()), 1U);
  Segmenter none;
  EXPECT_C_ERROR(mxinfer_image_segmenter_open("/nowhere", nullptr, Out(none)), MXINFER_NOT_FOUND);
  EXPECT_C_ERROR(mxinfer_image_segmenter_open(digits().c_str(), nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace mxinfer_c_tests
