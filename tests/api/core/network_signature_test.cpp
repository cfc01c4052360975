// What networks say of their inputs: shapes and layouts from weights, constants, transposes and reshapes, and
// how that is held against what files state.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/core/all_warnings.h"
#include "support/files/archive_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/small_network.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::all_warnings;

using Json = nlohmann::json;
using test::SmallNetwork;

void expect_text(const std::string& text, const std::vector<std::string>& facts) {
  for (const std::string& fact : facts)
    EXPECT_NE(text.find(fact), std::string::npos) << "'" << fact << "' is not in: " << text;
}

// As GluonCV exports a network for deployment: pixels of 0 to 255 with the channels last.
SmallNetwork deployment(float mean = 116.28f) {
  SmallNetwork net;
  int last = net.variable("data");
  last =
      net.op("broadcast_sub", "sub", {}, {last, net.parameter("mean", {1, 1, 1, 3}, {123.7f, mean, 103.5f})});
  last =
      net.op("broadcast_div", "div", {}, {last, net.parameter("std", {1, 1, 1, 3}, {58.4f, 57.1f, 57.4f})});
  last = net.op("transpose", "turn", {{"axes", "(0, 3, 1, 2)"}}, {last});
  net.means_of_filters(last, 3);
  return net;
}

TEST(NetworkSignature, LayoutFollowsFromConstantsAndTransposes) {
  const auto model = deployment().load();
  EXPECT_EQ(to_string(model.signature().inputs.at(0)), "data float32 (-1, -1, -1, 3) NHWC image");
  EXPECT_TRUE(model.warnings().empty()) << all_warnings(model);
  // Means of numbers that are no pixels.
  EXPECT_EQ(to_string(deployment(0.4f).load().signature().inputs.at(0)), "data float32 (-1, -1, -1, 3) NHWC");

  ImageOptions options;
  options.height = options.width = 8;
  const ImageClassifier classifier(model, options);
  const Tensor image = test::random_tensor({1, 8, 8, 3}, 3, 0, 255);
  Tensor pixels(DType::uint8, {8, 8, 3}), floats(DType::float32, {1, 8, 8, 3});
  for (std::int64_t i = 0; i < image.elements(); ++i) {
    pixels.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(image.data<float>()[i]);
    floats.data<float>()[i] = static_cast<float>(pixels.data<std::uint8_t>()[i]);
  }
  const Tensor scores = Predictor(model).predict({floats.view()})[0].clone();
  for (const Classification& result : classifier.classify(Image(pixels.clone()), 2))
    EXPECT_FLOAT_EQ(result.score, scores.data<float>()[result.index]);

  // A descriptor of its shape alone is enough too.
  LoadOptions load;
  load.inputs = {{"data", {-1, 8, 8, 3}}};
  EXPECT_EQ(ImageClassifier(deployment().load(load)).classify(Image(pixels.clone()), 2).size(), 2u);
}

TEST(NetworkSignature, LayoutThroughOtherTurns) {
  const auto input_behind = [](const std::vector<std::pair<std::string, SmallNetwork::Attributes>>& turns) {
    SmallNetwork net;
    int last = net.variable("data"), count = 0;
    for (const auto& [op, attributes] : turns)
      last = net.op(op, "turn" + std::to_string(count++), attributes, {last});
    net.means_of_filters(last, 3);
    return to_string(net.load().signature().inputs.at(0));
  };
  EXPECT_EQ(input_behind({}), "data float32 (-1, 3, -1, -1)");
  EXPECT_EQ(input_behind({{"transpose", {{"axes", "(0, 3, 1, 2)"}}}, {"_mul_scalar", {{"scalar", "2"}}}}),
            "data float32 (-1, -1, -1, 3) NHWC");
  EXPECT_EQ(input_behind({{"SwapAxis", {{"dim1", "1"}, {"dim2", "3"}}}}),
            "data float32 (-1, -1, -1, 3) NWHC");
  EXPECT_EQ(input_behind({{"expand_dims", {{"axis", "0"}}}, {"transpose", {{"axes", "(0, 3, 1, 2)"}}}}),
            "data float32 (-1, -1, 3) HWC");
}

TEST(NetworkSignature, ShapesFollowFromWeights) {
  const auto input_of = [](const std::function<void(SmallNetwork&, int)>& build) {
    SmallNetwork net;
    const int data = net.variable("data");
    build(net, data);
    return to_string(net.load().signature().inputs.at(0));
  };
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {  // SageMaker's linear learner
              const int product = net.op("dot", "p", {}, {data, net.parameter("w", {513, 1})});
              net.op("broadcast_add", "a", {}, {product, net.parameter("b", {1, 1})});
            }),
            "data float32 (-1, 513)");
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {
              net.op("dot", "p", {{"transpose_b", "True"}}, {data, net.parameter("w", {7, 513})});
            }),
            "data float32 (-1, 513)");
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {
              const int stack = net.op("expand_dims", "e", {{"axis", "0"}}, {data});
              net.op("batch_dot", "p", {}, {stack, net.parameter("w", {1, 6, 2})});
            }),
            "data float32 (-1, 6)");
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {
              net.op("_linalg_gemm2", "p", {{"transpose_b", "True"}}, {data, net.parameter("w", {2, 5})});
            }),
            "data float32 (-1, 5)");
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {
              net.op("broadcast_mul", "m", {}, {data, net.parameter("w", {1, 9})});
            }),
            "data float32 (-1, 9)");
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {
              net.op("FullyConnected", "f", {{"num_hidden", "2"}, {"no_bias", "True"}},
                     {net.op("Flatten", "flat", {}, {data}), net.parameter("w", {2, 12})});
            }),
            "data float32 (-1, 12)");
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {
              const int normed =
                  net.op("LayerNorm", "n", {}, {data, net.parameter("g", {6}), net.parameter("b", {6})});
              net.op("batch_dot", "p", {}, {normed, net.parameter("w", {3, 6, 2})});
            }),
            "data float32 (3, -1, 6)");
  EXPECT_EQ(input_of([](SmallNetwork& net, int data) {
              const int rows = net.op("Embedding", "e", {{"input_dim", "10"}, {"output_dim", "4"}},
                                      {data, net.parameter("w", {10, 4})});
              net.op("elemwise_add", "a", {}, {rows, net.op("_mul_scalar", "m", {{"scalar", "2"}}, {rows})});
            }),
            "data float32 (-1, -1)");
}

// 16 rows of gates: 3 elements of a step and 4 of the state each, and two biases.
TEST(NetworkSignature, StepsOfARecurrentLayerFollowFromTheLengthOfItsParameters) {
  SmallNetwork net;
  const int data = net.variable("data");
  const int parameters = net.parameter("lstm_parameters", {16 * (3 + 4) + 2 * 16});
  const int state = net.op("_zeros", "state", {{"shape", "(1, 0, 4)"}}, {});
  const int cell = net.op("_zeros", "cell", {{"shape", "(1, 0, 4)"}}, {});
  net.op("RNN", "lstm", {{"mode", "lstm"}, {"state_size", "4"}, {"num_layers", "1"}},
         {data, parameters, state, cell});
  const Model model = net.load();
  EXPECT_EQ(to_string(model.signature().inputs.at(0)), "data float32 (-1, -1, 3) TNC");
  EXPECT_EQ(Predictor(model).predict({test::random_tensor({5, 2, 3}, 1).view()})[0].shape(),
            (Shape{5, 2, 4}));
}

// Rows of 5 elements through a layer of 70, and what `rest` makes of them.
Model behind_rows(const std::function<int(SmallNetwork&, int)>& rest, int hidden = 70) {
  SmallNetwork net;
  const int data = net.variable("data");
  const int weight = net.parameter("w", {hidden, 5});
  rest(net, net.op("FullyConnected", "f", {{"num_hidden", std::to_string(hidden)}, {"no_bias", "True"}},
                   {data, weight}));
  return net.load();
}

TEST(NetworkSignature, BatchThatATrainingHasWrittenIntoTheGraph) {
  const auto reshaped = [](SmallNetwork& net, int last) {
    return net.op("Reshape", "r", {{"shape", "(4, 7, 10)"}}, {last});
  };
  const auto model = behind_rows(reshaped);
  EXPECT_EQ(to_string(model.signature().inputs.at(0)), "data float32 (4, 5)");
  EXPECT_EQ(model.signature().outputs.at(0).shape, (Shape{4, 7, 10}));
  expect_text(all_warnings(model), {"accepts only batches of 4 samples", "node 'r' (Reshape)"});
  const Predictor predictor(model);
  EXPECT_EQ(predictor.input_shapes()[0].second, (Shape{4, 5}));
  EXPECT_EQ(predictor.predict({Tensor(DType::float32, {4, 5}).view()})[0].shape(), (Shape{4, 7, 10}));
  const std::vector<std::function<int(SmallNetwork&, int)>> kinds = {
      [](SmallNetwork& net, int last) {  // pieces of one row each
        const int first = net.op("SliceChannel", "s",
                                 {{"num_outputs", "4"}, {"axis", "0"}, {"squeeze_axis", "True"}}, {last});
        return net.op("_mul_scalar", "m", {{"scalar", "2"}}, {first});
      },
      [](SmallNetwork& net, int last) {
        return net.op("elemwise_add", "a", {}, {last, net.parameter("rows", {4, 70})});
      },
      [](SmallNetwork& net, int last) {
        return net.op("broadcast_add", "a", {}, {last, net.parameter("rows", {4, 70})});
      },
      [](SmallNetwork& net, int last) {  // the state of a recurrent cell
        const int zeros = net.op("_zeros", "begin", {{"shape", "(4, 70)"}}, {});
        return net.op("elemwise_add", "a", {}, {last, zeros});
      },
      [](SmallNetwork& net, int last) {
        return net.op("Concat", "c", {{"num_args", "2"}, {"dim", "1"}}, {last, net.parameter("x", {4, 3})});
      },
      [](SmallNetwork& net, int last) {  // features of all samples
        const int all = net.op("Reshape", "r", {{"shape", "(1, 280)"}}, {last});
        return net.op("Reshape", "back", {{"shape", "(-1, 70)"}}, {all});
      },
      [](SmallNetwork& net, int last) {  // behind what says nothing of its sizes
        const int sum = net.op("sum", "s", {{"axis", "1"}, {"keepdims", "True"}}, {last});
        return net.op("Reshape", "r", {{"shape", "(4, 1)"}}, {sum});
      },
  };
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto of_kind = behind_rows(kinds[i]);
    EXPECT_EQ(to_string(of_kind.signature().inputs.at(0)), "data float32 (4, 5)") << "kind " << i;
    expect_text(all_warnings(of_kind), {"only batches of 4 samples"});
  }
}

TEST(NetworkSignature, BatchOfOneAndFreeBatches) {
  const auto one = behind_rows([](SmallNetwork& net, int last) {
    return net.op("Reshape", "r", {{"shape", "(1, 7, 10)"}}, {last});
  });
  EXPECT_EQ(to_string(one.signature().inputs.at(0)), "data float32 (1, 5)");
  EXPECT_TRUE(one.warnings().empty()) << all_warnings(one);
  const auto free = behind_rows([](SmallNetwork& net, int last) {
    return net.op("Reshape", "r", {{"shape", "(-1, 7, 10)"}}, {last});
  });
  EXPECT_EQ(to_string(free.signature().inputs.at(0)), "data float32 (-1, 5)");
  const auto multiples = behind_rows([](SmallNetwork& net, int last) {
    return net.op("Reshape", "r", {{"shape", "(-1, 280)"}}, {last});
  });
  EXPECT_EQ(to_string(multiples.signature().inputs.at(0)), "data float32 (-1, 5)");
  expect_text(all_warnings(multiples), {"batches of 4 samples and multiples of that", "Reshape"});
}

// What files state of an input of a convolution of 3 channels, and whether that has to be corrected.
struct Stated {
  std::vector<std::int64_t> shape;
  Shape read;
  bool is_corrected;
};
const std::vector<Stated>& stated_shapes() {
  static const std::vector<Stated> kStated = {
      {{1, 3, 8, 6}, {-1, 3, 8, 6}, false}, {{0, 3, 8, 6}, {-1, 3, 8, 6}, false},
      {{5, 3, 8, 6}, {-1, 3, 8, 6}, false}, {{0, 0, 8, 6}, {-1, 3, 8, 6}, false},
      {{3, 8, 6}, {-1, 3, 8, 6}, true},     {{1, 8, 6, 3}, {-1, 3, 8, 6}, true},
      {{8, 6, 3}, {-1, 3, 8, 6}, true},     {{1, 1, 8, 6}, {-1, 3, 8, 6}, true},
  };
  return kStated;
}

void expect_read(const Model& model, const Stated& stated, const char* where) {
  const std::string what = std::string(where) + " " + Json(stated.shape).dump();
  EXPECT_EQ(model.signature().inputs.at(0).shape, stated.read) << what;
  EXPECT_EQ(model.signature().outputs.at(0).shape, (Shape{-1, 2})) << what;
  EXPECT_EQ(model.warnings().size(), stated.is_corrected ? 1u : 0u) << what << all_warnings(model);
  if (stated.is_corrected)
    expect_text(all_warnings(model), {"'data'", "the file states", to_string(stated.read)});
  EXPECT_NO_THROW(Predictor(model).warmup()) << what;
}

TEST(NetworkSignature, OneReadingOfWhatFilesState) {
  const test::TempDir dir;
  for (const Stated& stated : stated_shapes()) {
    SmallNetwork hinted;
    const std::string hint = Json(stated.shape).dump();
    hinted.means_of_filters(hinted.variable("data", "(" + hint.substr(1, hint.size() - 2) + ")"), 3);
    expect_read(hinted.load(), stated, "hint");

    SmallNetwork bare;
    bare.means_of_filters(bare.variable("data"), 3);
    expect_read(bare.load({}, {{"inputs", {{"data", stated.shape}}}}), stated, "design document");

    const Json signature = {{"inputs", {{{"data_name", "data"}, {"data_shape", stated.shape}}}},
                            {"outputs", {{{"data_name", "flat"}, {"data_shape", {1, 2}}}}}};
    const std::vector<std::byte> params = bare.params();
    const std::string path = dir.write(
        "net.mar",
        test::ArchiveWriter(test::ArchiveFormat::zip)
            .file("MAR-INF/MANIFEST.json", R"({"model": {"modelName": "net"}})")
            .file("signature.json", signature.dump())
            .file("net-symbol.json", bare.json())
            .file("net-0000.params", std::string(reinterpret_cast<const char*>(params.data()), params.size()))
            .finish());
    expect_read(Model::load(path), stated, "archive");
  }
}

TEST(NetworkSignature, OutputsOfTheDesignDocumentAreThoseOfARun) {
  SmallNetwork net;
  net.means_of_filters(net.variable("data"), 3);
  const Json inputs = {{"data", {1, 3, 8, 6}}};
  const auto model = net.load({}, {{"inputs", inputs}, {"outputs", {{"flat_output", {1, 2}}}}});
  EXPECT_EQ(model.signature().outputs.at(0).shape, (Shape{-1, 2}));
  EXPECT_TRUE(model.warnings().empty()) << all_warnings(model);
  const auto wrong = net.load({}, {{"inputs", inputs}, {"outputs", {{"flat_output", {1, 5}}}}});
  EXPECT_EQ(wrong.signature().outputs.at(0).shape, (Shape{-1, 2}));
  expect_text(all_warnings(wrong), {"the file states output 'flat_output'", "(1, 5)", "(-1, 2)"});
}

TEST(NetworkSignature, RowsThatAFileStatesFlat) {
  const auto shape_of = [](const std::string& hint) {
    SmallNetwork net;
    net.op("FullyConnected", "f", {{"num_hidden", "2"}, {"no_bias", "True"}},
           {net.variable("data", hint), net.parameter("w", {2, 12})});
    return net.load().signature().inputs.at(0).shape;
  };
  EXPECT_EQ(shape_of("(1, 12)"), (Shape{-1, 12}));
  EXPECT_EQ(shape_of("(12,)"), (Shape{-1, 12}));
  EXPECT_EQ(shape_of("(7, 3, 4)"), (Shape{-1, 3, 4}));
  EXPECT_EQ(shape_of("(3, 4)"), (Shape{-1, 3, 4}));
  EXPECT_EQ(shape_of("(1, 13)"), (Shape{-1, 12}));
}

}  // namespace
}  // namespace mxinfer
