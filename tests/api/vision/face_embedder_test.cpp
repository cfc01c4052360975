// Vectors of faces: MXNet's numbers of real networks, batches, aligned faces, and what is refused.
#include <gtest/gtest.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/face_embedder.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "api/vision/plain_image.h"
#include "support/expect_error.h"
#include "support/files/golden_npz.h"
#include "support/files/params_writer.h"
#include "support/networks/real_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;
using test::plain_image;

/// The means of the channels of an image, one more operator behind them.
Model channel_means(const std::string& shape, const std::string& extra_nodes = "",
                    const std::string& heads = "[[1, 0, 0]]") {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": ")json" +
                           shape + R"json("}, "inputs": []},
    {"op": "mean", "name": "mean", "attrs": {"axis": "(2, 3)"}, "inputs": [[0, 0, 0]]})json" +
                           extra_nodes + R"json(], "arg_nodes": [0], "heads": )json" + heads +
                           R"json(, "attrs": {"mxnet_version": ["int", 10901]}})json";
  return Model::load_memory(Span<const char>(json), {});
}

void expect_vector(const std::vector<float>& found, const std::vector<float>& expected,
                   double tolerance = 1e-6) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(FaceEmbedder, GivesVectorsOfLengthOneOrAsTheyAre) {
  const FaceEmbedder embedder(channel_means("(0, 3, 8, 8)"));
  expect_vector(embedder.embed(plain_image(8, 8, 30, 0, 40)), {0.6f, 0, 0.8f});
  EmbedderOptions options;
  options.normalize = false;
  expect_vector(FaceEmbedder(channel_means("(0, 3, 8, 8)"), options).embed(plain_image(5, 9, 30, 0, 40)),
                {30, 0, 40});
}

TEST(FaceEmbedder, AlignsTheFacesOfAPhotograph) {
  EmbedderOptions options;
  options.normalize = false;
  const FaceEmbedder embedder(channel_means("(0, 3, 16, 16)"), options);
  // Left half 10, right half 200: a face that lies in one of them is of one colour.
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < 40 * 20; ++i) pixels.insert(pixels.end(), 3, i % 40 < 20 ? 10 : 200);
  const Image photo(40, 20, 3, pixels);
  std::vector<FaceLandmarks> faces(2, face_template(16));
  for (Point& point : faces[1]) point = {point.x + 22, point.y + 2};
  const auto vectors = embedder.embed_batch(photo, faces);
  ASSERT_EQ(vectors.size(), 2u);
  expect_vector(vectors[0], {10, 10, 10});
  expect_vector(vectors[1], {200, 200, 200});
  expect_vector(embedder.embed(photo, faces[1]), {200, 200, 200});
  EXPECT_TRUE(embedder.embed_batch(photo, {}).empty());

  faces[1][0].x = std::nanf("");
  EXPECT_MXINFER_ERROR((void)embedder.embed_batch(photo, faces), ErrorCode::invalid_argument,
                       {"face 1", "finite"});
}

TEST(FaceEmbedder, TakesTheBytesOfFiles) {
  const FaceEmbedder embedder(channel_means("(0, 3, 8, 8)"));
  const Image red = plain_image(8, 8, 200, 10, 0), green = plain_image(5, 9, 0, 90, 3);
  const std::vector<std::vector<std::uint8_t>> files = {
      encode_image(red, ImageFormat::png), {1, 2, 3}, encode_image(green, ImageFormat::png)};
  EXPECT_EQ(embedder.embed_bytes(files[0]), embedder.embed(red));
  EXPECT_MXINFER_ERROR((void)embedder.embed_bytes(files[1]), ErrorCode::malformed, {"JPEG or PNG"});
  EXPECT_MXINFER_ERROR((void)embedder.embed_bytes_list(files), ErrorCode::malformed, {"image 1"});
  std::vector<ItemError> errors;
  const auto vectors = embedder.embed_bytes_list(files, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_EQ(vectors, (std::vector<std::vector<float>>{embedder.embed(red), {}, embedder.embed(green)}));
}

TEST(FaceEmbedder, ReportsTheImagesOfAListThatAreWrong) {
  const FaceEmbedder embedder(channel_means("(0, 3, 8, 8)"));
  const std::vector<Image> images = {plain_image(8, 8, 1, 0, 0), Image(), plain_image(4, 4, 0, 1, 0)};
  EXPECT_MXINFER_ERROR((void)embedder.embed_batch(Span<const Image>(images)), ErrorCode::invalid_argument,
                       {"image 1", "empty"});
  std::vector<ItemError> errors;
  const auto vectors = embedder.embed_batch(Span<const Image>(images), &errors);
  ASSERT_EQ(vectors.size(), 3u);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_TRUE(vectors[1].empty());
  expect_vector(vectors[2], {0, 1, 0});

  errors.clear();
  const std::string seven = MXINFER_SOURCE_DIR "/examples/images/seven.jpg";
  const auto of_files = embedder.embed_files({"/nowhere.jpg", seven}, &errors);
  ASSERT_EQ(of_files.size(), 2u);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(of_files[0].empty());
  expect_vector(of_files[1], embedder.embed_file(seven));
  EXPECT_MXINFER_ERROR((void)embedder.embed_file("/nowhere.jpg"), ErrorCode::not_found, {"/nowhere.jpg"});
}

TEST(FaceEmbedder, AnImageWhoseVectorHasNoDirectionCostsTheOthersNothing) {
  // The logarithm of black is minus infinity.
  const FaceEmbedder embedder(channel_means(
      "(0, 3, 4, 4)", R"json(, {"op": "log", "name": "log", "inputs": [[1, 0, 0]]})json", "[[2, 0, 0]]"));
  const std::vector<Image> images = {plain_image(4, 4, 200, 100, 50), plain_image(4, 4, 0, 0, 0),
                                     plain_image(4, 4, 9, 9, 9)};
  EXPECT_MXINFER_ERROR(embedder.embed_batch(images), ErrorCode::invalid_argument, {"finite"});
  std::vector<ItemError> errors;
  const auto vectors = embedder.embed_batch(images, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_EQ(vectors[0].size(), 3u);
  EXPECT_TRUE(vectors[1].empty());
  EXPECT_EQ(vectors[2].size(), 3u);
}

TEST(FaceEmbedder, RefusesNetworksWithoutOneVector) {
  EXPECT_MXINFER_ERROR(FaceEmbedder(channel_means("(0, 3, 8, 8)", "", "[[0, 0, 0]]")),
                       ErrorCode::invalid_argument, {"(-1, 3, 8, 8)", "(batch, n)", "--layer"});
  EXPECT_MXINFER_ERROR(FaceEmbedder(channel_means("(0, 3, 8, 8)", "", "[[1, 0, 0], [0, 0, 0]]")),
                       ErrorCode::invalid_argument, {"2 outputs"});
  EXPECT_MXINFER_ERROR(FaceEmbedder(channel_means("(0, 3, 8, 8)"),
                                    [] {
                                      EmbedderOptions options;
                                      options.height = 9;
                                      return options;
                                    }()),
                       ErrorCode::invalid_argument, {"9", "8"});
}

TEST(FaceEmbedder, RefusesToAlignWhereAFaceWouldBeCut) {
  const FaceLandmarks landmarks = face_template();
  const FaceEmbedder oblong(channel_means("(0, 3, 8, 6)"));
  EXPECT_MXINFER_ERROR((void)oblong.embed(plain_image(9, 9, 1, 1, 1), landmarks), ErrorCode::invalid_argument,
                       {"6 x 8", "squares"});
  EmbedderOptions options;
  options.preprocess.resize = ResizePolicy::short_side_crop;
  const FaceEmbedder cutting(channel_means("(0, 3, 8, 8)"), options);
  EXPECT_MXINFER_ERROR((void)cutting.embed(plain_image(9, 9, 1, 1, 1), landmarks),
                       ErrorCode::invalid_argument, {"short_side_crop", "stretch"});
}

TEST(FaceEmbedder, IsAPredictorWhoseCopiesEmbed) {
  const FaceEmbedder embedder(channel_means("(0, 3, 8, 8)"));
  embedder.warmup();
  const FaceEmbedder copy =
      embedder;  // NOLINT(performance-unnecessary-copy-initialization): the copy is the test
  EXPECT_EQ(copy.input_shapes()[0].second, (Shape{1, 3, 8, 8}));
  expect_vector(copy.embed(plain_image(8, 8, 0, 0, 7)), {0, 0, 1});
}

/// The images of a recorded input, float32 (n, 3, h, w) of whole numbers 0 to 255; none if it is noise.
std::vector<Image> images_of(const Tensor& input) {
  const std::int64_t count = input.shape()[0], height = input.shape()[2], width = input.shape()[3];
  std::vector<Image> images;
  const float* values = input.data<float>();
  for (std::int64_t n = 0; n < count; ++n) {
    std::vector<std::uint8_t> pixels;
    for (std::int64_t i = 0; i < height * width; ++i) {
      for (std::int64_t c = 0; c < 3; ++c) {
        const float value = values[(n * 3 + c) * height * width + i];
        if (value != std::floor(value) || value < 0 || value > 255) return {};
        pixels.push_back(static_cast<std::uint8_t>(value));
      }
    }
    images.emplace_back(static_cast<int>(width), static_cast<int>(height), 3, pixels);
  }
  return images;
}

TEST(FaceEmbedder, GivesMxnetsVectorsOfRealNetworks) {
  std::size_t compared = 0;
  for (const std::string& folder : test::real_models()) {
    const std::string name = fs::path(folder).filename().string();
    if (name != "mobilefacenet_old" && name != "mobileface_id_v2") continue;
    SCOPED_TRACE(name);
    EmbedderOptions options;
    options.height = options.width = 112;
    const FaceEmbedder embedder(folder, options);
    for (const fs::path& recording : test::recordings_of(folder)) {
      SCOPED_TRACE(recording.filename().string());
      const test::Golden golden = test::read_golden(recording);
      const std::vector<Image> images = images_of(golden.inputs.at("data"));
      if (images.empty()) continue;
      const auto vectors = embedder.embed_batch(Span<const Image>(images));
      for (std::size_t i = 0; i < images.size(); ++i) {
        const auto length = static_cast<std::size_t>(golden.outputs[0].shape()[1]);
        // Each instruction set sums in another order: elements are 0.27 at most, and differ by 1.3e-6.
        constexpr double kSums = 5e-6;
        expect_vector(vectors[i], l2_normalize(golden.outputs[0].span<float>().subspan(i * length, length)),
                      kSums);
        ++compared;
      }
    }
  }
  if (compared == 0) GTEST_SKIP() << test::kNoRealModels;
}

}  // namespace
}  // namespace mxinfer
