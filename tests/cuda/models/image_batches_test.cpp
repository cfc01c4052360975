// Batches of images on a GPU, or on its emulator: pixels go there as uint8, in one copy, and one kernel
// transforms all of them.
#include <gtest/gtest.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <string>
#include <vector>

#include "cuda/support.h"

namespace mxinfer {
namespace {

const std::string kBatchesRoot = MXINFER_SOURCE_DIR;

Image noise_image(int width, int height, int channels, std::uint32_t seed) {
  Tensor tensor(DType::uint8, {height, width, channels});
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    seed = seed * 1664525U + 1013904223U;
    tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(seed >> 24);
  }
  return Image(std::move(tensor));
}

/// Enlarged, shrunk, by whole factors, as they are; two of one size.
std::vector<Image> images_of_many_sizes(int channels, int side) {
  std::vector<Image> images;
  std::uint32_t seed = 3;
  for (const Size size :
       {Size{side, side}, Size{2 * side, 2 * side}, Size{3 * side, 3 * side}, Size{side + 13, side + 4},
        Size{2 * side + 5, side + 1}, Size{side / 2, side / 2 + 3}, Size{side + 13, side + 4}})
    images.push_back(noise_image(size.width, size.height, channels, seed++));
  return images;
}

std::size_t pixel_bytes(const std::vector<Image>& images) {
  std::size_t bytes = 0;
  for (const Image& image : images) bytes += image.pixels().size();
  return bytes;
}

/// What calls add to the counts of the emulator.
class DeviceTraffic {
 public:
  explicit DeviceTraffic(const char* kernel) : kernel_(kernel) {}
  bool is_counted() const { return copies_.has_value(); }
  unsigned long long copies() const { return test::copies_to_device()->count - copies_->count; }
  unsigned long long bytes() const { return test::copies_to_device()->bytes - copies_->bytes; }
  unsigned long long launches() const { return *test::launches_of(kernel_) - *launches_; }

 private:
  const char* kernel_;
  std::optional<test::CopiesToDevice> copies_ = test::copies_to_device();
  std::optional<unsigned long long> launches_ = test::launches_of(kernel_);
};

ImageClassifier batch_classifier_on(const std::string& device, const std::string& uri,
                                    Precision precision = Precision::float32) {
  ImageOptions options;
  options.options.device = device;
  options.options.precision = precision;
  return ImageClassifier(uri, options);
}

void expect_close_scores(const std::vector<std::vector<Classification>>& actual,
                         const std::vector<std::vector<Classification>>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(actual[i].size(), expected[i].size());
    for (std::size_t k = 0; k < actual[i].size(); ++k)
      EXPECT_NEAR(actual[i][k].score, expected[i][k].score, tolerance);
  }
}

/// One copy of hardly more than the pixels, and one launch for all images, from the second call on.
template <typename Call>
void expect_one_copy_and_launch(std::size_t pixels, const Call& call) {
  for (int i = 0; i < 2; ++i) call();
  for (int i = 0; i < 2; ++i) {
    const DeviceTraffic batches("batch_pixels"), chains("chain_pixels");
    call();
    if (!batches.is_counted()) continue;
    EXPECT_EQ(batches.copies(), 1u);
    EXPECT_GE(batches.bytes(), pixels);
    EXPECT_LE(batches.bytes(), pixels + pixels / 4 + 200000);
    EXPECT_EQ(batches.launches(), 1u);
    EXPECT_EQ(chains.launches(), 0u);
  }
}

// A network alone, whose images are preprocessed by options, and one that has its transforms.
TEST(ImageBatchesOnCuda, OneCopyAndOneLaunch) {
  for (const char* uri : {"/models/digits/digits", "/models/digits.mxz"}) {
    SCOPED_TRACE(uri);
    const ImageClassifier on_cpu = batch_classifier_on("cpu", kBatchesRoot + uri);
    const ImageClassifier on_cuda = batch_classifier_on("cuda:0", kBatchesRoot + uri);
    const std::vector<Image> images = images_of_many_sizes(1, 28);
    const auto expected = on_cpu.classify_batch(images, 3);
    expect_one_copy_and_launch(
        pixel_bytes(images), [&] { expect_close_scores(on_cuda.classify_batch(images, 3), expected, 1e-4); });
    expect_one_copy_and_launch(images[3].pixels().size(), [&] {
      expect_close_scores({on_cuda.classify(images[3], 3)}, {expected[3]}, 1e-4);
    });
    expect_one_copy_and_launch(images[3].pixels().size(), [&] {
      expect_close_scores({on_cuda.classify_async(images[3], 3).get()}, {expected[3]}, 1e-4);
    });
  }
}

// More than a piece of DeviceTransfers: they are written to pinned memory at once, also for calls without a
// thread.
TEST(ImageBatchesOnCuda, LargeImagesAreOneCopyToo) {
  const ImageClassifier on_cuda = batch_classifier_on("cuda:0", kBatchesRoot + "/models/digits.mxz");
  const std::vector<Image> images{noise_image(1500, 1000, 1, 1), noise_image(1200, 1100, 1, 2)};
  const auto expected =
      batch_classifier_on("cpu", kBatchesRoot + "/models/digits.mxz").classify_batch(images, 1);
  expect_one_copy_and_launch(pixel_bytes(images),
                             [&] { expect_close_scores(on_cuda.classify_batch(images, 1), expected, 1e-4); });
  const std::vector<Image> one{noise_image(1800, 1300, 1, 3)};
  const auto expected_one =
      batch_classifier_on("cpu", kBatchesRoot + "/models/digits.mxz").classify_batch(one, 1);
  expect_one_copy_and_launch(pixel_bytes(one), [&] {
    expect_close_scores({on_cuda.classify_async(one[0], 1).get()}, expected_one, 1e-4);
  });
}

TEST(ImageBatchesOnCuda, HalvesAreWrittenAsTheNetworkReadsThem) {
  for (const Precision precision : {Precision::float16, Precision::bfloat16, Precision::tf32}) {
    if (!device::CudaDevice::open(0)->has_precision(static_cast<kernels::Precision>(precision))) continue;
    const ImageClassifier on_cpu = batch_classifier_on("cpu", kBatchesRoot + "/models/digits.mxz");
    const ImageClassifier on_cuda =
        batch_classifier_on("cuda:0", kBatchesRoot + "/models/digits.mxz", precision);
    const std::vector<Image> images = images_of_many_sizes(1, 28);
    const auto expected = on_cpu.classify_batch(images, 1);
    expect_one_copy_and_launch(
        pixel_bytes(images), [&] { expect_close_scores(on_cuda.classify_batch(images, 1), expected, 0.1); });
  }
}

TEST(ImageBatchesOnCuda, InvalidImagesAreNamedAsOnTheCpu) {
  for (const char* uri : {"/models/digits/digits", "/models/digits.mxz"}) {
    const ImageClassifier on_cuda = batch_classifier_on("cuda:0", kBatchesRoot + uri);
    std::vector<Image> images = images_of_many_sizes(1, 28);
    const auto expected = on_cuda.classify_batch(images, 1);
    images[2] = Image();
    std::vector<ItemError> errors;
    const auto rows = on_cuda.classify_batch(images, 1, &errors);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].item, 2u);
    ASSERT_EQ(rows.size(), images.size());
    EXPECT_TRUE(rows[2].empty());
    expect_close_scores({rows[3]}, {expected[3]}, 1e-4);
    EXPECT_THROW(on_cuda.classify_batch(images, 1), Error);
  }
}

// Colours; boxes are mapped back to each image's own size.
TEST(ImageBatchesOnCuda, Detectors) {
  const auto detector_on = [](const std::string& device) {
    DetectorOptions options;
    options.options.device = device;
    options.height = options.width = 48;
    return ObjectDetector(kBatchesRoot + "/tests/golden/ssd/ssd", options);
  };
  const ObjectDetector on_cpu = detector_on("cpu"), on_cuda = detector_on("cuda:0");
  const std::vector<Image> images = images_of_many_sizes(3, 48);
  DetectOptions options;
  options.score_threshold = 0;
  options.max_detections = 3;
  const auto expected = on_cpu.detect_batch(images, options);
  expect_one_copy_and_launch(pixel_bytes(images), [&] {
    const auto actual = on_cuda.detect_batch(images, options);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      ASSERT_EQ(actual[i].size(), expected[i].size());
      for (std::size_t d = 0; d < actual[i].size(); ++d) {
        EXPECT_NEAR(actual[i][d].score, expected[i][d].score, 1e-4);
        EXPECT_NEAR(actual[i][d].box.left, expected[i][d].box.left, 1e-2);
      }
    }
  });
}

// Encoded images are decoded on the CPU, and go on as uint8.
TEST(ImageBatchesOnCuda, EncodedImages) {
  for (const char* uri : {"/models/digits/digits", "/models/digits.mxz"}) {
    const ImageClassifier on_cpu = batch_classifier_on("cpu", kBatchesRoot + uri);
    const ImageClassifier on_cuda = batch_classifier_on("cuda:0", kBatchesRoot + uri);
    const std::vector<std::string> files(3, kBatchesRoot + "/examples/images/seven.jpg");
    DecodeOptions grey;
    grey.color = false;
    const std::size_t pixels = 3 * read_image(files[0], grey).pixels().size();
    const auto expected = on_cpu.classify_files(files, 3);
    expect_one_copy_and_launch(
        pixels, [&] { expect_close_scores(on_cuda.classify_files(files, 3), expected, 1e-4); });
  }
}

}  // namespace
}  // namespace mxinfer
