// One item through its transforms: images of any size, pixels or encoded.
#include "runtime/item_runner.h"

#include <gtest/gtest.h>
#include <mxinfer/vision/image.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "image/golden.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/networks/many.h"
#include "support/run_op.h"

namespace mxinfer::runtime {
namespace {

// Images become tensors of their own size, by `op`.
passes::ItemStage stage_of(const std::string& op = "_image_to_tensor",
                           const std::map<std::string, std::string>& attrs = {}) {
  test::GraphBuilder b;
  b.head(b.op(op, attrs, {b.input("data")}));
  passes::ItemStage stage;
  stage.input = "image";
  stage.graph = b.graph();
  return stage;
}

struct Runner {
  explicit Runner(const passes::ItemStage& stage)
      : items(stage, std::make_shared<MemoryBudget>(MemoryLimits{3, 2}), planner) {}
  Tensor run(const TensorView& item) { return items.run(item, arena); }
  PredictorStats stats() {
    PredictorStats stats;
    items.plans().add_to(stats);
    return stats;
  }
  plan::WeightStore weights;
  Planner planner{"the transforms", {kernels::best_target(), 1}, weights};
  ThreadArena arena{1};
  ItemRunner items;
};

Tensor image_of(std::int64_t height, std::int64_t width) {
  Tensor tensor(DType::uint8, {height, width, 3});
  for (std::int64_t i = 0; i < tensor.elements(); ++i)
    tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 37 + width);
  return tensor;
}

// What _image_to_tensor makes of an image.
bool is_tensor_of(const Tensor& row, const TensorView& pixels) {
  const std::int64_t height = pixels.shape()[0], width = pixels.shape()[1], channels = pixels.shape()[2];
  if (row.shape() != Shape({1, channels, height, width})) return false;
  const float* value = row.data<float>();
  for (std::int64_t c = 0; c < channels; ++c) {
    for (std::int64_t i = 0; i < height * width; ++i) {
      const float expected = static_cast<float>(pixels.data<std::uint8_t>()[i * channels + c]) / 255.0f;
      if (std::abs(*value++ - expected) > 1e-6f) return false;
    }
  }
  return true;
}

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

TensorView view_of(const std::vector<std::uint8_t>& bytes) {
  return {DType::uint8, {static_cast<std::int64_t>(bytes.size())}, bytes.data()};
}

TEST(ItemRunner, MakesARowOfAnImageOfAnySize) {
  const auto stage = stage_of();
  Runner runner(stage);
  for (const auto& [height, width] : {std::pair(4, 6), std::pair(5, 3), std::pair(4, 6), std::pair(1, 1)}) {
    const Tensor pixels = image_of(height, width);
    EXPECT_TRUE(is_tensor_of(runner.run(pixels), pixels)) << height << ", " << width;
  }
  const PredictorStats stats = runner.stats();
  EXPECT_EQ(stats.calls, 4u);
  EXPECT_EQ(stats.plans_made, 3u);
  EXPECT_EQ(stats.running, 0u);
}

TEST(ItemRunner, ReadsEncodedImagesAsTheReaderSays) {
  const auto bytes = test::golden_file("rgb.png");
  const auto path = bytes_of((test::golden_folder() / "rgb.png").string());
  for (const bool from_path : {false, true}) {
    for (const bool color : {false, true}) {
      for (const bool rgb : {false, true}) {
        auto stage = stage_of();
        stage.reader = passes::ImageReader{from_path, color, rgb};
        Runner runner(stage);
        DecodeOptions options;
        options.color = color;
        options.order = rgb ? ColorOrder::rgb : ColorOrder::bgr;
        const Image decoded = decode_image(bytes, options);
        EXPECT_TRUE(is_tensor_of(runner.run(view_of(from_path ? path : bytes)), decoded.view()))
            << "path " << from_path << ", colour " << color << ", RGB " << rgb;
      }
    }
  }
}

TEST(ItemRunner, PixelsArePastTheReader) {
  auto stage = stage_of();
  stage.reader = passes::ImageReader{};
  Runner runner(stage);
  const Tensor pixels = image_of(4, 5);
  EXPECT_TRUE(is_tensor_of(runner.run(pixels), pixels));
}

TEST(ItemRunner, SaysWhatTheReaderTakes) {
  auto stage = stage_of();
  stage.reader = passes::ImageReader{};
  auto stage_of_paths = stage_of();
  stage_of_paths.reader = passes::ImageReader{true, true, true};
  Runner runner(stage), runner_of_paths(stage_of_paths);
  const Tensor floats(DType::float32, {7}), rows(DType::uint8, {2, 7});
  EXPECT_MXINFER_ERROR(runner.run(floats), ErrorCode::invalid_argument,
                       {"float32 (7,)", "bytes of an image, uint8"});
  EXPECT_MXINFER_ERROR(runner.run(rows), ErrorCode::invalid_argument, {"uint8 (2, 7)"});
  EXPECT_MXINFER_ERROR(runner_of_paths.run(floats), ErrorCode::invalid_argument, {"path of an image"});
  const auto absent = bytes_of("/absent/picture.png"), damaged = bytes_of("no picture");
  EXPECT_MXINFER_ERROR(runner_of_paths.run(view_of(absent)), ErrorCode::not_found, {"/absent/picture.png"});
  EXPECT_MXINFER_ERROR(runner.run(view_of(damaged)), ErrorCode::malformed, {});
  EXPECT_EQ(runner.stats().calls, 0u);
}

TEST(ItemRunner, RefusesTransformsThatMakeNoRow) {
  const auto flat = stage_of("Reshape", {{"shape", "(-1,)"}});
  Runner runner(flat);
  EXPECT_MXINFER_ERROR(runner.run(image_of(2, 5)), ErrorCode::invalid_argument,
                       {"input 'image'", "uint8 (30,)", "one row"});
  EXPECT_EQ(runner.stats().running, 0u);
}

TEST(ItemRunner, WritesIntoMemoryOfTheCaller) {
  const auto stage = stage_of();
  Runner runner(stage);
  const Tensor item = image_of(4, 6);
  Tensor row(DType::float32, {1, 3, 4, 6});
  runner.items.run_into(item.view(), {DType::float32, row.shape(), row.raw()}, runner.arena);
  EXPECT_TRUE(is_tensor_of(row, item.view()));
  EXPECT_MXINFER_ERROR(
      runner.items.run_into(item.view(), {DType::float32, {1, 3, 6, 4}, row.raw()}, runner.arena),
      ErrorCode::internal, {"'image'", "float32 (1, 3, 4, 6)", "float32 (1, 3, 6, 4)"});
}

TEST(ItemRunner, ThreadsMayRunImagesOfDifferentSizes) {
  const auto stage = stage_of();
  Runner runner(stage);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < test::many(100); ++i) {
        const Tensor pixels = image_of(1 + (t + i) % 5, 7);
        if (!is_tensor_of(runner.run(pixels), pixels)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(runner.stats().plans, 3u);
  EXPECT_EQ(runner.stats().running, 0u);
}

}  // namespace
}  // namespace mxinfer::runtime
