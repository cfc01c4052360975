// Rows of a detection network as objects with names.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/model_builder.h>
#include <mxinfer/vision/detections.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

// Gives its rows (id, score, left, top, right, bottom) as ids, scores and boxes.
Model detector() {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "rows", "attrs": {"__shape__": "(0, 3, 6)"}, "inputs": []},
    {"op": "_mul_scalar", "name": "same", "attrs": {"scalar": "1"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  return builder.post({transforms::boxes()}).labels({"cat", "dog"}).build();
}

TEST(Detections, HaveNamesScoresAndBoxes) {
  const auto model = detector();
  const Tensor rows =
      test::tensor_of<float>({2, 3, 6}, {1,  0.9f, 1, 2, 3, 4, 0, 0.2f, 5, 6, 7, 8, -1,  -1,  0, 0, 0, 0,
                                         -1, -1,   0, 0, 0, 0, 7, 0.5f, 9, 8, 7, 6, NAN, NAN, 0, 0, 0, 0});
  const auto outputs = Predictor(model).predict({rows});
  const auto found = read_detections(model, Span<const Tensor>(outputs));
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(found[0].size(), 2u);
  EXPECT_EQ(found[0][0].label, "dog");
  EXPECT_EQ(found[0][0].score, 0.9f);
  EXPECT_EQ(found[0][0].box.bottom, 4);
  EXPECT_EQ(found[0][1].label, "cat");
  ASSERT_EQ(found[1].size(), 1u);
  EXPECT_EQ(found[1][0].label, "7");
  EXPECT_EQ(found[1][0].box.left, 9);
  EXPECT_EQ(read_detections(model, Span<const Tensor>(outputs), 0.5f)[0].size(), 1u);
}

// Gives rows of ids, scores, boxes and 2 k landmarks; the signature in its file says so.
Model face_detector(int numbers) {
  const auto slice = [](const char* name, int begin, int end) {
    return R"json({"op": "slice_axis", "name": ")json" + std::string(name) +
           R"json(", "attrs": {"axis": "2", "begin": ")json" + std::to_string(begin) +
           R"json(", "end": ")json" + std::to_string(end) + R"json("}, "inputs": [[0, 0, 0]]})json";
  };
  const std::string json =
      R"json({"nodes": [{"op": "null", "name": "rows", "attrs": {"__shape__": "(0, 2, )json" +
      std::to_string(6 + numbers) + R"json()"}, "inputs": []}, )json" + slice("ids", 0, 1) + ", " +
      slice("scores", 1, 2) + ", " + slice("boxes", 2, 6) + ", " + slice("points", 6, 6 + numbers) +
      R"json(], "arg_nodes": [0], "heads": [[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]],
      "attrs": {"mxnet_version": ["int", 10901], "mxinfer_signature": ["str", "{\"version\": 1,)json"
      R"json(\"inputs\": [{\"name\": \"rows\"}], \"outputs\": [)json"
      R"json({\"name\": \"a\", \"meaning\": \"ids\"}, {\"name\": \"b\", \"meaning\": \"scores\"},)json"
      R"json({\"name\": \"c\", \"meaning\": \"boxes\"}, {\"name\": \"d\", \"meaning\": \"landmarks\"}]}"]}})json";
  return test::load_json(json);
}

TEST(Detections, HaveTheLandmarksOfTheModel) {
  const auto model = face_detector(4);
  EXPECT_EQ(model.signature().outputs[3].meaning, Meaning::landmarks);
  const Tensor rows = test::tensor_of<float>(
      {1, 2, 10}, {-1, -1, 0, 0, 0, 0, 9, 9, 9, 9, 0, 0.5f, 1, 2, 3, 4, 1.5f, 2.5f, -7, 3});
  auto outputs = Predictor(model).predict({rows});
  const auto found = read_detections(model, Span<const Tensor>(outputs));
  ASSERT_EQ(found[0].size(), 1u);
  const auto& points = found[0][0].landmarks;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].x, 1.5f);
  EXPECT_EQ(points[0].y, 2.5f);
  EXPECT_EQ(points[1].x, -7);
  EXPECT_EQ(points[1].y, 3);

  outputs[3] = Tensor(DType::float32, Shape{1, 3, 4});
  EXPECT_MXINFER_ERROR(read_detections(model, Span<const Tensor>(outputs)), ErrorCode::invalid_argument,
                       {"landmarks", "(1, 3, 4)", "(1, 2, 2 k)"});
  outputs[3] = Tensor(DType::float32, Shape{1, 2, 3});
  EXPECT_MXINFER_ERROR(read_detections(model, Span<const Tensor>(outputs)), ErrorCode::invalid_argument,
                       {"landmarks", "(1, 2, 3)"});
}

TEST(Detections, ModelsThatGiveNoneAreRefused) {
  const auto model = detector();
  const std::vector<Tensor> none;
  EXPECT_MXINFER_ERROR(read_detections(model, Span<const Tensor>(none)), ErrorCode::invalid_argument,
                       {"0 outputs", "3"});
  std::vector<Tensor> wrong;
  for (std::int64_t last : {1, 1, 5}) wrong.emplace_back(DType::float32, Shape{1, 3, last});
  EXPECT_MXINFER_ERROR(read_detections(model, Span<const Tensor>(wrong)), ErrorCode::invalid_argument,
                       {"boxes", "(1, 3, 5)", "(batch, rows, 4)"});
  const auto other = test::load_json(test::channel_means_json());
  std::vector<Tensor> one;
  one.emplace_back(DType::float32, Shape{1, 3});
  EXPECT_MXINFER_ERROR(read_detections(other, Span<const Tensor>(one)), ErrorCode::invalid_argument,
                       {"has the meaning ids", "boxes", "sign"});
}

}  // namespace
}  // namespace mxinfer
