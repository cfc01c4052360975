// Faces through the C interface: a network that gives the means of the channels, beside C++.
#include <mxinfer/vision/face.h>
#include <mxinfer/vision/face_embedder.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "c_api/vision/pixels.h"
#include "support/files/temp_dir.h"
#include "support/networks/channel_models.h"

namespace mxinfer_c_tests {
namespace {

constexpr const char* kChannelMeans = R"j("op": "mean", "attrs": {"axis": "(2, 3)"})j";

class CFaces : public testing::Test {
 protected:
  FaceEmbedder embedder(const mxinfer_embed_options* embed = nullptr) const {
    FaceEmbedder made;
    EXPECT_C_OK(mxinfer_face_embedder_create(model_.get(), embed, nullptr, Out(made)));
    return made;
  }
  static std::vector<float> vector_at(const Tensors& vectors, std::size_t index) {
    return floats_of(tensor_at(vectors, index));
  }
  /// The landmarks of a face at (x, y) of the photograph, as C and as C++ take them.
  static std::vector<float> landmarks_at(float x, float y) {
    std::vector<float> landmarks(10);
    EXPECT_C_OK(mxinfer_face_template(16, landmarks.data()));
    for (std::size_t i = 0; i < 10; ++i) landmarks[i] += i % 2 == 0 ? x : y;
    return landmarks;
  }
  static mxinfer::FaceLandmarks as_points(const std::vector<float>& landmarks) {
    mxinfer::FaceLandmarks points;
    for (std::size_t i = 0; i < 5; ++i) points[i] = {landmarks[2 * i], landmarks[2 * i + 1]};
    return points;
  }

  mxinfer::FaceEmbedder beside_{mxinfer::test::channel_model(16, 16, kChannelMeans)};
  Model model_ = model_of(mxinfer::test::channel_model_json(16, 16, kChannelMeans));
  std::string path_ = std::string(MXINFER_SOURCE_DIR "/models/digit_detector/scenes/02.jpg");
  mxinfer::Image photo_ = mxinfer::read_image(path_);
  mxinfer_image pixels_ = pixels_of(photo_);
};

TEST_F(CFaces, AreAlignedAsInCpp) {
  const std::vector<float> landmarks = landmarks_at(20, 10);
  OwnedImage face;
  ASSERT_C_OK(mxinfer_align_face(&pixels_, landmarks.data(), 5, 24, Out(face)));
  expect_same_image(image_of(face), mxinfer::align_face(photo_, as_points(landmarks), 24));
  const mxinfer::FaceLandmarks expected = mxinfer::face_template(16);
  EXPECT_EQ(landmarks_at(0, 0)[3], expected[1].y);

  OwnedImage none;
  EXPECT_C_ERROR(mxinfer_align_face(&pixels_, landmarks.data(), 4, 24, Out(none)), MXINFER_INVALID_ARGUMENT,
                 "4 landmarks");
  EXPECT_C_ERROR(mxinfer_align_face(&pixels_, nullptr, 5, 24, Out(none)), MXINFER_INVALID_ARGUMENT,
                 "landmarks");
  EXPECT_C_ERROR(mxinfer_align_face(&pixels_, landmarks.data(), 5, 0, Out(none)), MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  float numbers[10];
  EXPECT_C_ERROR(mxinfer_face_template(5000, numbers), MXINFER_INVALID_ARGUMENT, "5000");
}

TEST_F(CFaces, VectorsAreThoseOfCpp) {
  const FaceEmbedder made = embedder();
  const std::string bytes = read_bytes(path_);
  Tensors of_file, of_bytes, of_pixels;
  ASSERT_C_OK(mxinfer_face_embedder_embed_file(made.get(), path_.c_str(), Out(of_file)));
  ASSERT_C_OK(mxinfer_face_embedder_embed_bytes(made.get(), bytes.data(), bytes.size(), Out(of_bytes)));
  ASSERT_C_OK(mxinfer_face_embedder_embed_image(made.get(), &pixels_, Out(of_pixels)));
  const std::vector<float> expected = beside_.embed_file(path_);
  for (const Tensors* vectors : {&of_file, &of_bytes, &of_pixels}) {
    ASSERT_EQ(mxinfer_tensors_count(vectors->get()), 1U);
    EXPECT_EQ(shape_of(tensor_at(*vectors, 0)), std::vector<std::int64_t>{3});
    EXPECT_EQ(vector_at(*vectors, 0), expected);
  }

  auto raw = sized<mxinfer_embed_options>();
  raw.raw = 1;
  ASSERT_C_OK(mxinfer_face_embedder_embed_file(embedder(&raw).get(), path_.c_str(), Out(of_file)));
  EXPECT_GT(vector_at(of_file, 0)[0], 1.0F);

  const std::vector<float> face = landmarks_at(20, 10);
  ASSERT_C_OK(mxinfer_face_embedder_embed_face(made.get(), &pixels_, face.data(), 5, Out(of_pixels)));
  EXPECT_EQ(vector_at(of_pixels, 0), beside_.embed(photo_, as_points(face)));
  std::vector<float> both = face;
  const std::vector<float> other = landmarks_at(50, 30);
  both.insert(both.end(), other.begin(), other.end());
  ASSERT_C_OK(mxinfer_face_embedder_embed_faces(made.get(), &pixels_, both.data(), 2, Out(of_pixels)));
  ASSERT_EQ(mxinfer_tensors_count(of_pixels.get()), 2U);
  EXPECT_EQ(vector_at(of_pixels, 1), beside_.embed(photo_, as_points(other)));
  both[0] = std::nanf("");
  EXPECT_C_ERROR(mxinfer_face_embedder_embed_faces(made.get(), &pixels_, both.data(), 2, Out(of_pixels)),
                 MXINFER_INVALID_ARGUMENT, "finite");
  EXPECT_C_ERROR(mxinfer_face_embedder_embed_faces(made.get(), &pixels_, nullptr, 2, Out(of_pixels)),
                 MXINFER_INVALID_ARGUMENT, "landmarks");
}

TEST_F(CFaces, ListsReportWhatIsWrongWithEach) {
  const FaceEmbedder made = embedder();
  const std::vector<float> expected = beside_.embed_file(path_);
  const char* const paths[] = {"/nowhere.jpg", path_.c_str()};
  Tensors vectors;
  EXPECT_C_ERROR(mxinfer_face_embedder_embed_files(made.get(), paths, 2, 0, Out(vectors)), MXINFER_NOT_FOUND);
  ASSERT_C_OK(mxinfer_face_embedder_embed_files(made.get(), paths, 2, 1, Out(vectors)));
  ASSERT_EQ(mxinfer_tensors_count(vectors.get()), 2U);
  EXPECT_EQ(mxinfer_tensors_item_status(vectors.get(), 0, nullptr), MXINFER_NOT_FOUND);
  EXPECT_TRUE(vector_at(vectors, 0).empty());
  EXPECT_EQ(vector_at(vectors, 1), expected);

  const mxinfer_image images[] = {pixels_, pixels_};
  ASSERT_C_OK(mxinfer_face_embedder_embed_images(made.get(), images, 2, 0, Out(vectors)));
  EXPECT_EQ(vector_at(vectors, 1), expected);
  const std::string bytes = read_bytes(path_);
  mxinfer_bytes encoded = sized<mxinfer_bytes>();
  encoded.data = bytes.data();
  encoded.bytes = bytes.size();
  ASSERT_C_OK(mxinfer_face_embedder_embed_bytes_list(made.get(), &encoded, 1, 0, Out(vectors)));
  EXPECT_EQ(vector_at(vectors, 0), expected);
}

TEST_F(CFaces, AreComparedAsInCpp) {
  const std::vector<float> a = {1, 2, 3}, b = {2, 0, 1};
  float alike = 0;
  ASSERT_C_OK(mxinfer_cosine_similarity(a.data(), b.data(), 3, &alike));
  EXPECT_EQ(alike, mxinfer::cosine_similarity(a, b));
  EXPECT_C_ERROR(mxinfer_cosine_similarity(a.data(), b.data(), 0, &alike), MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_cosine_similarity(a.data(), nullptr, 3, &alike), MXINFER_INVALID_ARGUMENT, "'b'");
  EXPECT_C_ERROR(mxinfer_cosine_similarity(a.data(), b.data(), 3, nullptr), MXINFER_INVALID_ARGUMENT, "out");
}

TEST_F(CFaces, EmbeddersAreOpenedWithOptions) {
  const mxinfer::test::TempDir dir;
  dir.write("net-symbol.json", mxinfer::test::channel_model_json(16, 16, kChannelMeans));
  FaceEmbedder opened, none;
  ASSERT_C_OK(mxinfer_face_embedder_open((dir / "net-symbol.json").c_str(), nullptr,
                                         make_options({{"scale", "1/255"}}).get(), Out(opened)));
  EXPECT_NE(mxinfer_face_embedder_predictor(opened.get()), nullptr);
  EXPECT_C_ERROR(mxinfer_face_embedder_create(model_.get(), nullptr,
                                              make_options({{"activation", "softmax"}}).get(), Out(none)),
                 MXINFER_INVALID_ARGUMENT, "activation");
  const Model two = model_of(mxinfer::test::channel_model_json(16, 16));
  EXPECT_C_ERROR(mxinfer_face_embedder_create(two.get(), nullptr, nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace mxinfer_c_tests
