// The pass that makes one operator of image operators in a row: which it takes, which it leaves, and that
// the fused graph has the bits of the graph as it was, on every target and at any thread count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "mxinfer/error.h"
#include "ops/registry.h"
#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Names = std::vector<std::string>;
using Raw = std::map<std::string, std::string>;

/// A row of operators, each with one input, or with a parameter beside it.
struct Link {
  std::string op;
  Raw attrs{};
  Shape constant{};  ///< the parameter's shape; rank 0: none
  bool constant_first = false;
};

test::GraphBuilder chain_of(const std::vector<Link>& links) {
  test::GraphBuilder builder;
  graph::Value value = builder.input("data");
  for (const Link& link : links) {
    std::vector<graph::Value> inputs{value};
    if (link.constant.rank() > 0) {
      const graph::Value constant = builder.parameter("p" + std::to_string(value.node),
                                                      test::random_tensor(link.constant, 3, 0.5f, 2.0f));
      inputs.insert(link.constant_first ? inputs.begin() : inputs.end(), constant);
    }
    value = builder.op(link.op, link.attrs, inputs);
  }
  builder.head(value);
  return builder;
}

Names fused_names(const std::vector<Link>& links) {
  test::GraphBuilder builder = chain_of(links);
  passes::fuse_image_chain(builder.graph());
  return test::op_names(builder.graph());
}

Tensor pixels(DType dtype, const Shape& shape, unsigned seed) {
  Tensor floats = test::random_tensor(shape, seed, 0.0f, 255.99f);
  Tensor tensor(dtype, shape);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    const float value = floats.data<float>()[i];
    if (dtype == DType::uint8) tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
    if (dtype == DType::float32) tensor.data<float>()[i] = value;
    if (dtype == DType::float64) tensor.data<double>()[i] = static_cast<double>(value) * 1.01;
  }
  return tensor;
}

/// Runs a row of operators as it is and fused.
void expect_same_bits(const std::vector<Link>& links, const Tensor& input, const std::string& what) {
  test::GraphBuilder plain = chain_of(links);
  test::GraphBuilder fused = chain_of(links);
  passes::fuse_image_chain(fused.graph());
  ASSERT_LT(fused.graph().nodes.size(), plain.graph().nodes.size()) << what;
  const Tensor expected = std::move(test::run_graph(plain.graph(), {&input}, {kernels::Target::ref, 1})[0]);
  for (const kernels::Target target : test::targets()) {
    for (const int threads : {1, 2}) {
      const Tensor result = std::move(test::run_graph(fused.graph(), {&input}, {target, threads})[0]);
      ASSERT_EQ(result.dtype(), expected.dtype()) << what;
      ASSERT_EQ(result.shape(), expected.shape()) << what;
      EXPECT_EQ(std::memcmp(result.raw(), expected.raw(), expected.bytes()), 0)
          << what << ' ' << to_string(target) << ", " << threads << " threads";
    }
  }
}

const Link kTranspose{"transpose", {{"axes", "(0, 3, 1, 2)"}}};
const Link kToFloat{"Cast", {{"dtype", "float32"}}};
const Link kToTensor{"_image_to_tensor"};
const Link kNormalize{"_image_normalize",
                      {{"mean", "(0.485, 0.456, 0.406)"}, {"std", "(0.229, 0.224, 0.225)"}}};
const Link kMirror{"_image_flip_left_right"};
const Link kFlip{"_image_flip_top_bottom"};

Link resize(const std::string& size, int interp = 1, bool keep_ratio = false) {
  return {
      "_image_resize",
      {{"size", size}, {"interp", std::to_string(interp)}, {"keep_ratio", keep_ratio ? "True" : "False"}}};
}

Link crop(int x, int y, int width, int height) {
  return {"_image_crop",
          {{"x", std::to_string(x)},
           {"y", std::to_string(y)},
           {"width", std::to_string(width)},
           {"height", std::to_string(height)}}};
}

/// The arithmetic in front of networks that GluonCV exports.
TEST(FuseImageChain, TakesTransposeAndConstants) {
  const std::vector<std::vector<Link>> rows{
      {kTranspose, {"broadcast_sub", {}, {1, 3, 1, 1}}, {"broadcast_div", {}, {1, 3, 1, 1}}},
      {kTranspose, {"broadcast_minus", {}, {1, 3, 1, 1}}, {"broadcast_mul", {}, {3, 1, 1}, true}},
      {{"broadcast_sub", {}, {1, 1, 1, 3}}, {"broadcast_div", {}, {3}}, kTranspose},
      {kTranspose,
       {"broadcast_div", {}, {1}},
       {"_minus_scalar", {{"scalar", "0.3"}}},
       {"_mul_scalar", {{"scalar", "1.7"}}}},
  };
  for (const auto& links : rows) {
    EXPECT_EQ(fused_names(links), (Names{"_mxinfer_image_chain"}));
    expect_same_bits(links, pixels(DType::float32, {2, 13, 37, 3}, 1), "float32");
  }
  auto bytes = rows[0];
  bytes.insert(bytes.begin(), kToFloat);
  expect_same_bits(bytes, pixels(DType::uint8, {2, 13, 37, 3}, 1), "cast first");
  std::swap(bytes[0], bytes[1]);
  expect_same_bits(bytes, pixels(DType::uint8, {1, 40, 50, 3}, 1), "transpose first");
  // One channel meets constants of three.
  expect_same_bits(rows[0], pixels(DType::float32, {1, 9, 8, 1}, 1), "grey");
}

Link colors(const std::string& code) {
  return {"_mxinfer_convert_color", {{"code", code}}};
}

// Images of one channel or of three, to three in either order.
TEST(FuseImageChain, TakesColors) {
  const Link by_channel{"broadcast_sub", {}, {3}};
  for (const char* code : {"rgb", "bgr"}) {
    for (const std::int64_t channels : {1, 3}) {
      const std::string what = code + std::to_string(channels);
      const Tensor bytes = pixels(DType::uint8, {2, 13, 37, channels}, 1);
      for (const auto& links :
           {std::vector<Link>{resize("(9, 21)"), colors(code), kToTensor, kNormalize},
            std::vector<Link>{colors(code), kToFloat, by_channel},
            std::vector<Link>{colors(code), crop(3, 2, 5, 7), kMirror, kToFloat, by_channel, kTranspose}}) {
        EXPECT_EQ(fused_names(links), (Names{"_mxinfer_image_chain"}));
        expect_same_bits(links, bytes, what);
      }
      expect_same_bits({colors(code), kToTensor, kNormalize},
                       pixels(DType::float32, {2, 13, 37, channels}, 2), what + " float32");
    }
  }
  // Bytes stay bytes; a resize behind has other channels to do with.
  EXPECT_EQ(fused_names({colors("rgb"), kMirror}),
            (Names{"_mxinfer_convert_color", "_image_flip_left_right"}));
  EXPECT_EQ(fused_names({colors("rgb"), resize("(9, 21)"), kToTensor}),
            (Names{"_mxinfer_convert_color", "_mxinfer_image_chain"}));
  // What takes one number of channels only, and what makes grey of three.
  EXPECT_EQ(fused_names({colors("rgb2bgr"), kToTensor, kNormalize}),
            (Names{"_mxinfer_convert_color", "_mxinfer_image_chain"}));
  EXPECT_EQ(fused_names({colors("gray"), kToFloat, kTranspose}),
            (Names{"_mxinfer_convert_color", "_mxinfer_image_chain"}));
}

TEST(FuseImageChain, TakesTransposesToPlanesAndBack) {
  const Link to_pixels{"transpose", {{"axes", "(0, 2, 3, 1)"}}};
  const Tensor batch = pixels(DType::uint8, {2, 13, 37, 3}, 1);
  const std::vector<Link> back{kToFloat, kTranspose, kNormalize, to_pixels};
  EXPECT_EQ(fused_names(back), (Names{"_mxinfer_image_chain"}));
  expect_same_bits(back, batch, "pixels again");
  const std::vector<Link> twice{
      kToFloat, kTranspose, kNormalize, to_pixels, {"broadcast_add", {}, {1, 1, 1, 3}}, kTranspose};
  EXPECT_EQ(fused_names(twice), (Names{"_mxinfer_image_chain"}));
  expect_same_bits(twice, batch, "planes again");
  const std::vector<Link> image{kToTensor, kNormalize, {"transpose", {{"axes", "(1, 2, 0)"}}}};
  EXPECT_EQ(fused_names(image), (Names{"_mxinfer_image_chain"}));
  expect_same_bits(image, pixels(DType::uint8, {13, 37, 3}, 1), "one image");
}

TEST(FuseImageChain, LeavesWhatIsNoImageAlone) {
  const Link scalar{"_mul_scalar", {{"scalar", "2"}}};
  const auto unchanged = [](const std::vector<Link>& links) {
    test::GraphBuilder builder = chain_of(links);
    return fused_names(links) == test::op_names(builder.graph());
  };
  EXPECT_TRUE(unchanged({kToFloat, {"broadcast_sub", {}, {1}}, {"broadcast_div", {}, {1}}}));
  // Bytes times a number stay bytes.
  EXPECT_TRUE(unchanged({kTranspose, scalar, kToFloat}));
  // In the middle of a network.
  EXPECT_TRUE(unchanged({{"relu"}, kTranspose, {"broadcast_sub", {}, {1, 3, 1, 1}}}));
  // Not one number for each channel.
  EXPECT_TRUE(unchanged({kTranspose, {"broadcast_sub", {}, {1, 3, 1, 2}}}));
  EXPECT_TRUE(unchanged({kTranspose, {"broadcast_sub", {}, {3}}}));
  EXPECT_TRUE(unchanged({kTranspose, {"broadcast_sub", {}, {1, 3, 1, 1}, true}}));
  EXPECT_TRUE(unchanged({{"transpose", {{"axes", "(0, 2, 1, 3)"}}}, {"broadcast_sub", {}, {1, 3, 1, 1}}}));
  EXPECT_TRUE(unchanged({{"transpose", {{"axes", "(2, 0, 1)"}}}, {"broadcast_sub", {}, {1, 3, 1, 1}}}));
}

TEST(FuseImageChain, LeavesWhatOthersRead) {
  test::GraphBuilder builder;
  const graph::Value data = builder.input("data");
  const graph::Value planes = builder.op("transpose", {{"axes", "(0, 3, 1, 2)"}}, {data});
  const graph::Value mean = builder.parameter("mean", test::random_tensor({1, 3, 1, 1}, 1));
  builder.head(builder.op("broadcast_sub", {}, {planes, mean}));
  builder.head(planes);
  passes::fuse_image_chain(builder.graph());
  EXPECT_EQ(test::op_names(builder.graph()), (Names{"transpose", "broadcast_sub"}));
}

TEST(FuseImageChain, KeepsTheLastNameAndSaysWhatItTook) {
  test::GraphBuilder builder = chain_of({resize("(8, 8)"), kToTensor, kNormalize});
  const std::string last = builder.graph().nodes.back().name;
  passes::fuse_image_chain(builder.graph());
  const graph::Node& fused = builder.graph().nodes.back();
  EXPECT_EQ(fused.name, last);
  ASSERT_EQ(fused.notes.size(), 3U);
  EXPECT_NE(fused.notes[0].find("(_image_resize) fused in"), std::string::npos) << fused.notes[0];
}

TEST(FuseImageChain, TakesImageOperators) {
  const Names one{"_mxinfer_image_chain"};
  EXPECT_EQ(fused_names({resize("(8, 8)"), kToTensor, kNormalize}), one);
  EXPECT_EQ(fused_names({crop(1, 2, 20, 22), resize("8"), crop(1, 1, 5, 5), kMirror, kToTensor}), one);
  EXPECT_EQ(fused_names({resize("(8, 8)"), kMirror}), one);
  EXPECT_EQ(fused_names({{"_mxinfer_resize_short", {{"size", "16"}, {"interp", "9"}}},
                         {"_mxinfer_center_crop", {{"size", "(14, 16)"}}},
                         kToTensor,
                         kNormalize}),
            one);
  EXPECT_EQ(fused_names({{"_mxinfer_center_crop", {{"size", "(14, 16)"}}}, kToTensor}), one);
  // The centre may be larger than what the resize left.
  EXPECT_EQ(fused_names({resize("(8, 20)"), {"_mxinfer_center_crop", {{"size", "(9, 9)"}}}, kToTensor}),
            (Names{"_image_resize", "_mxinfer_image_chain"}));
  // Two resizes are two chains.
  EXPECT_EQ(fused_names({resize("(8, 20)"), kMirror, resize("(5, 5)"), kToTensor}),
            (Names{"_mxinfer_image_chain", "_mxinfer_image_chain"}));
  // A byte's normalisation wraps around.
  EXPECT_EQ(fused_names({resize("(8, 20)"), {"transpose", {{"axes", "(2, 0, 1)"}}}, kNormalize}),
            (Names{"_image_resize", "transpose", "_image_normalize"}));
  // A cast before a resize changes what is resized.
  EXPECT_EQ(fused_names({kToFloat, resize("(8, 20)"), kToTensor}), (Names{"Cast", "_mxinfer_image_chain"}));
}

TEST(FuseImageChain, HasTheSameBits) {
  std::uint32_t state = 5;
  const auto below = [&](int n) {
    state = state * 1664525U + 1013904223U;
    return static_cast<int>((state >> 8) % static_cast<std::uint32_t>(n));
  };
  constexpr DType kTypes[] = {DType::uint8, DType::uint8, DType::float32, DType::float64};
  for (unsigned i = 0; i < 250; ++i) {
    const DType dtype = kTypes[below(4)];
    const std::int64_t channels = below(3) == 0 ? 1 : 3;
    int height = 12 + below(60), width = 12 + below(60);
    Shape shape{height, width, channels};
    if (below(2) == 0) shape.insert(0, 1 + below(3));
    std::vector<Link> links;
    const auto add_crop = [&] {
      const int x = below(width), y = below(height);
      width = 1 + below(width - x);
      height = 1 + below(height - y);
      links.push_back(crop(x, y, width, height));
    };
    if (below(3) == 0) add_crop();
    const int kind = below(4);
    if (kind == 0) {
      width = 1 + below(60);
      height = 1 + below(60);
      links.push_back(resize("(" + std::to_string(width) + ", " + std::to_string(height) + ")", below(5)));
    } else if (kind == 1) {
      links.push_back(resize(std::to_string(width = height = 1 + below(60))));
    } else if (kind == 2 && links.empty()) {
      width = 10 + below(60);
      height = 10 + below(60);
      links.push_back({"_mxinfer_center_crop",
                       {{"size", "(" + std::to_string(width) + ", " + std::to_string(height) + ")"},
                        {"interp", below(2) == 0 ? "9" : "1"}}});
    }
    if (below(3) == 0) add_crop();
    if (below(3) == 0) links.push_back(kMirror);
    if (below(3) == 0) links.push_back(kFlip);
    if (below(4) == 0) links.push_back(kToFloat);
    links.push_back(kToTensor);
    if (below(4) != 0) {
      const std::string three = channels == 3 ? "(0.485, 0.456, 0.406)" : "(0.4)";
      links.push_back({"_image_normalize", {{"mean", three}, {"std", "0.229"}}});
    }
    if (links.size() < 2) continue;
    std::string what = "case " + std::to_string(i) + ' ' + to_string(dtype) + ' ' + to_string(shape);
    for (const Link& link : links) what += ' ' + link.op;
    expect_same_bits(links, pixels(dtype, shape, i), what);
  }
}

}  // namespace
}  // namespace mxinfer
