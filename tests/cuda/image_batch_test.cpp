// Packed images of any sizes on a GPU: each with the bits of its own chain of operators on the CPU.
#include "ops/image/image_batch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cuda/support.h"

namespace mxinfer {
namespace {

using ChainAttributes = std::map<std::string, std::string>;

Tensor pixels_of(const Shape& shape, std::uint32_t seed) {
  Tensor tensor(DType::uint8, shape);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    seed = seed * 1664525U + 1013904223U;
    tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(seed >> 24);
  }
  return tensor;
}

/// The sides and channels of a batch: as they are, by whole factors, enlarged and shrunk, twice of one size.
std::vector<Tensor> images_of(std::int64_t height, std::int64_t width) {
  std::vector<Tensor> images;
  for (const Shape& shape :
       {Shape{height, width, 3}, Shape{2 * height, 2 * width, 3}, Shape{3 * height, 5 * width, 3},
        Shape{height + 7, width + 9, 3}, Shape{height / 2, width / 3, 3}, Shape{height + 7, width + 9, 3},
        Shape{2 * height + 1, width, 3}})
    images.push_back(pixels_of(shape, 11 + static_cast<std::uint32_t>(images.size())));
  return images;
}

/// One channel would become three only by arithmetic, or by a choice of colours.
ChainAttributes normalising_chain(ChainAttributes attrs) {
  attrs["first"] = "to_tensor";
  attrs["steps"] = "mean std mul add";
  attrs["counts"] = "(3, 3, 1, 3)";
  attrs["numbers"] = "(0.485, 0.456, 0.406, 0.229, 0.224, 0.225, 1.7, 0.1, 0.2, 0.3)";
  return attrs;
}

void expect_each_as_on_cpu(const ChainAttributes& attrs, const std::vector<Tensor>& images) {
  const test::OneOperator chain = test::one_operator("_mxinfer_image_chain", attrs, {&images[0]});
  const graph::Node& node = chain.graph.nodes.back();
  const ops::PackedImages packed(node.attrs, {images.begin(), images.end()});
  const auto count = static_cast<std::int64_t>(images.size());
  Tensor memory(DType::uint8, {count, static_cast<std::int64_t>(packed.bytes()) / count + 1});
  for (std::size_t i = 0; i < images.size(); ++i) packed.write(i, static_cast<std::byte*>(memory.raw()));

  graph::Graph graph;
  graph::Node input;
  input.name = "images";
  input.input_index = 0;
  const std::int32_t id = graph::append(graph, std::move(input));
  graph.heads = {{graph::append(graph, ops::image_batch_node(node, packed.like(), {id, 0})), 0}};
  plan::WeightStore weights;
  const auto plan =
      plan::make_plan(graph, {{memory.dtype(), memory.shape()}}, test::cuda_plan_options(), weights);
  test::for_each_schedule([&] {
    const Tensor rows = std::move(test::run_on(plan, {&memory})[0]);
    ASSERT_EQ(rows.shape()[0], count);
    const std::size_t bytes = rows.bytes() / images.size();
    for (std::size_t i = 0; i < images.size(); ++i) {
      const Tensor expected = std::move(test::run_op("_mxinfer_image_chain", attrs, {&images[i]})[0]);
      ASSERT_EQ(expected.bytes(), bytes);
      EXPECT_EQ(std::memcmp(static_cast<const std::byte*>(rows.raw()) + i * bytes, expected.raw(), bytes), 0)
          << "image " << i << ", " << to_string(images[i].shape());
    }
  });
}

TEST(ImageBatchOnCuda, EveryInterpolation) {
  for (const char* interp : {"0", "1", "2", "3", "4", "9"}) {
    for (const char* planar : {"True", "False"}) {
      SCOPED_TRACE(std::string(interp) + planar);
      expect_each_as_on_cpu(normalising_chain({{"size", "(21, 20)"}, {"interp", interp}, {"planar", planar}}),
                            images_of(20, 21));
    }
  }
}

TEST(ImageBatchOnCuda, CropsAndTurns) {
  for (const char* channels : {"own", "rgb", "bgr"}) {
    ChainAttributes attrs =
        normalising_chain({{"size", "24"}, {"keep_ratio", "True"}, {"center_crop", "(20, 18)"}});
    attrs["channels"] = channels;
    attrs["mirror"] = "True";
    attrs["planar"] = "True";
    expect_each_as_on_cpu(attrs, images_of(20, 24));
    attrs["flip"] = "True";
    expect_each_as_on_cpu(attrs, images_of(27, 25));
    expect_each_as_on_cpu(normalising_chain({{"region", "(2, 3, 6, 7)"}, {"channels", channels}}),
                          images_of(20, 24));
  }
}

TEST(ImageBatchOnCuda, GreyAmongColours) {
  std::vector<Tensor> images = images_of(20, 21);
  images.push_back(pixels_of({30, 33, 1}, 4));
  expect_each_as_on_cpu(normalising_chain({{"size", "(21, 20)"}, {"channels", "bgr"}, {"planar", "True"}}),
                        images);
}

TEST(ImageBatchOnCuda, ImagesThatDoNotBecomeOneType) {
  const Tensor one = pixels_of({9, 8, 3}, 1), other = pixels_of({8, 9, 3}, 2);
  const auto pack = [](const ChainAttributes& attrs, std::vector<TensorView> images) {
    const Tensor like = pixels_of({9, 8, 3}, 1);
    const test::OneOperator chain = test::one_operator("_mxinfer_image_chain", attrs, {&like});
    return ops::PackedImages(chain.graph.nodes.back().attrs, std::move(images));
  };
  EXPECT_THROW(pack({{"first", "to_tensor"}}, {one.view(), other.view()}), Error);
  EXPECT_THROW(pack({{"mirror", "True"}}, {one.view()}), Error);  // pixels only move
  EXPECT_THROW(pack({{"first", "to_tensor"}}, {}), Error);
  const Tensor floats(DType::float32, {9, 8, 3});
  EXPECT_THROW(pack({{"first", "to_tensor"}}, {floats.view()}), Error);
}

}  // namespace
}  // namespace mxinfer
