// Sizes of inputs that neither file nor caller says: which is taken, and that a warning says so.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "api/core/all_warnings.h"
#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::all_warnings;

// A 1 x 1 convolution of one channel, poolings that halve the side and round it down, and a layer over what
// an image of `side` leaves. Sides that are rounded to the same fit too.
Model network(int side, int poolings, const LoadOptions& options = {}) {
  std::string nodes = R"json({"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "c_weight", "inputs": []}, {"op": "null", "name": "f_weight", "inputs": []},
    {"op": "Convolution", "name": "c", "attrs": {"kernel": "(1, 1)", "num_filter": "1", "no_bias": "True"},
     "inputs": [[0, 0, 0], [1, 0, 0]]})json";
  int last = 3, left = side;
  for (int i = 0; i < poolings; ++i, ++last, left /= 2) {
    nodes +=
        R"json(, {"op": "Pooling", "name": "p)json" + std::to_string(i) +
        R"json(", "attrs": {"kernel": "(2, 2)", "stride": "(2, 2)", "pool_type": "max"}, "inputs": [[)json" +
        std::to_string(last) + ", 0, 0]]}";
  }
  nodes += R"json(, {"op": "FullyConnected", "name": "f", "attrs": {"num_hidden": "2", "no_bias": "True"},
     "inputs": [[)json" +
           std::to_string(last) + ", 0, 0], [2, 0, 0]]}";
  const std::string json = R"({"nodes": [)" + nodes + R"(], "arg_nodes": [0, 1, 2], "heads": [[)" +
                           std::to_string(last + 1) +
                           R"(, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})";
  test::ParamsWriter params;
  const std::vector<float> weights(static_cast<std::size_t>(2 * left * left), 0.5f);
  params.add("arg:c_weight", test::dense_v2(DType::float32, {1, 1, 1, 1}, test::floats({1})));
  params.add("arg:f_weight", test::dense_v2(DType::float32, {2, left * left}, test::floats(weights)));
  const std::vector<std::byte> bytes = params.finish();
  return Model::load_memory(Span<const char>(json),
                            {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, options);
}

TEST(GuessedSize, TheUsualOneOfThoseThatFit) {
  // Three poolings leave 6 of 48 to 55, and 3 of 24 to 31; 28 and 24 are both sizes that networks have.
  EXPECT_EQ(to_string(network(48, 3).signature().inputs[0]), "data float32 (-1, 1, 48, 48) (a guess)");
  EXPECT_EQ(network(55, 3).signature().inputs[0].shape, (Shape{-1, 1, 48, 48}));
  EXPECT_EQ(network(100, 2).signature().inputs[0].shape, (Shape{-1, 1, 100, 100}));
  const std::string warnings = all_warnings(network(48, 3));
  for (const char* fact : {"'data'", "48 to 55 fit", "48 is used", "LoadOptions::inputs", "mxinfer sign"})
    EXPECT_NE(warnings.find(fact), std::string::npos) << fact << " is not in: " << warnings;
}

TEST(GuessedSize, IsNoGuessWhereOnlyOneFits) {
  const auto model = network(48, 0);
  EXPECT_EQ(to_string(model.signature().inputs[0]), "data float32 (-1, 1, 48, 48)");
  EXPECT_TRUE(model.warnings().empty()) << all_warnings(model);
  EXPECT_EQ(Predictor(model).predict_flat<float>({std::vector<float>(3 * 48 * 48)})[0].size(), 6u);
}

TEST(GuessedSize, CutsNoFlatArrayIntoSamples) {
  const Predictor predictor(network(48, 3));
  const std::vector<float> faces(static_cast<std::size_t>(50 * 48 * 48)), one(48 * 48), other(50 * 50);
  EXPECT_MXINFER_ERROR(predictor.predict_flat<float>({faces}), ErrorCode::invalid_argument,
                       {"'data'", "115200 elements", "48 to 55 fit", "guessed", "LoadOptions::inputs"});
  EXPECT_MXINFER_ERROR(predictor.predict_flat<float>({other}), ErrorCode::invalid_argument,
                       {"guessed", "(1, 1, 48, 48)"});
  EXPECT_EQ(predictor.predict_flat<float>({one})[0].size(), 2u);  // that can be nothing else
  // Tensors have their shape.
  EXPECT_EQ(predictor.predict({Tensor(DType::float32, {3, 1, 50, 50}).view()})[0].shape(), (Shape{3, 2}));
  LoadOptions load;
  load.inputs = {{"data", {-1, 1, 50, 50}}};
  EXPECT_EQ(Predictor(network(48, 3, load)).predict_flat<float>({std::vector<float>(4 * 50 * 50)})[0].size(),
            8u);
}

TEST(GuessedSize, GivesWayToTheSizeOfTheImageOptions) {
  ImageOptions options;
  options.height = options.width = 52;
  const ImageClassifier classifier(network(48, 3), options);
  const Image image(Tensor(DType::uint8, {60, 60, 1}));
  EXPECT_EQ(classifier.preprocess(Span<const Image>(&image, 1)).shape(), (Shape{1, 1, 52, 52}));
  EXPECT_EQ(classifier.classify(image).size(), 2u);
}

TEST(GuessedSize, OfMtcnn) {
  const char* shared = std::getenv("MXINFER_SHARED_DIR");
  if (shared == nullptr) GTEST_SKIP() << "MXINFER_SHARED_DIR is not set";
  const auto input = [&](const std::string& name) {
    return Model::load(std::string(shared) + "/models/" + name).signature().inputs[0];
  };
  EXPECT_EQ(input("mtcnn_det1").shape, (Shape{-1, 3, -1, -1}));
  EXPECT_EQ(input("mtcnn_det2").shape, (Shape{-1, 3, 24, 24}));
  EXPECT_EQ(input("mtcnn_det3").shape, (Shape{-1, 3, 48, 48}));
  EXPECT_TRUE(input("mtcnn_det3").is_guess);
}

TEST(DescribedInputs, ThatTheNetworkDoesNotTakeAreRefusedAtLoad) {
  LoadOptions load;
  load.inputs = {{"data", {1, 4, 48, 48}}};
  EXPECT_MXINFER_ERROR(network(48, 3, load), ErrorCode::invalid_argument,
                       {"LoadOptions::inputs", "'data' float32 (1, 4, 48, 48)", "node 'c' (Convolution)"});
  load.inputs = {{"data", {-1, 4, 48, 48}}};
  EXPECT_MXINFER_ERROR(network(48, 3, load), ErrorCode::invalid_argument, {"node 'c' (Convolution)"});
  load.inputs = {{"data", {-1, 1, 47, 47}}};
  EXPECT_MXINFER_ERROR(network(48, 3, load), ErrorCode::invalid_argument, {"node 'f' (FullyConnected)"});
  // With sizes left open, some other than those that were tried may fit.
  load.inputs = {{"data", {-1, 4, -1, -1}}};
  EXPECT_NE(all_warnings(network(48, 3, load)).find("node 'c' (Convolution)"), std::string::npos);
}

}  // namespace
}  // namespace mxinfer
