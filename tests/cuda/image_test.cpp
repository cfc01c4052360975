// Images on a GPU: all with the bits of the CPU.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/support.h"
#include "runtime/executor.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

using test::kSameBits;

Tensor image_of(DType dtype, const Shape& shape) {
  Tensor tensor(dtype, shape);
  std::uint32_t state = 5;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525U + 1013904223U;
    if (dtype == DType::uint8) {
      tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(state >> 24);
    } else {
      tensor.data<float>()[i] = static_cast<float>(state >> 16) * 0.0037f;
    }
  }
  return tensor;
}

std::string pair_of(std::int64_t width, std::int64_t height) {
  return "(" + std::to_string(width) + ", " + std::to_string(height) + ")";
}

// Every interpolation, both types.
void expect_resized(const char* op, const Shape& shape, Attributes attrs) {
  for (const DType dtype : {DType::uint8, DType::float32}) {
    const Tensor image = image_of(dtype, shape);
    for (const char* interp : {"0", "1", "2", "3", "4"}) {
      SCOPED_TRACE(to_string(shape) + " " + to_string(dtype) + " " + interp);
      attrs["interp"] = interp;
      test::expect_as_on_cpu(op, attrs, {&image}, kSameBits);
    }
  }
}

TEST(ImageOnCuda, Resize) {
  // Enlarged, shrunk, by whole factors and others, from and to one pixel, one side alone.
  struct Case {
    std::int64_t height, width, channels, to_height, to_width;
  };
  for (const Case& c :
       {Case{5, 7, 3, 11, 13}, Case{11, 13, 3, 5, 7}, Case{12, 18, 3, 4, 6}, Case{12, 18, 1, 6, 9},
        Case{12, 20, 4, 6, 10}, Case{12, 18, 3, 6, 9}, Case{12, 18, 2, 6, 9}, Case{1, 1, 3, 5, 4},
        Case{9, 8, 1, 1, 1}, Case{6, 9, 3, 6, 20}, Case{30, 40, 1, 29, 17}, Case{3, 2, 4, 40, 33}}) {
    expect_resized("_image_resize", {c.height, c.width, c.channels},
                   {{"size", pair_of(c.to_width, c.to_height)}});
  }
  expect_resized("_image_resize", {2, 10, 9, 3}, {{"size", "(7, 6)"}});
  expect_resized("_image_resize", {10, 9, 3}, {{"size", "6"}, {"keep_ratio", "True"}});
}

TEST(ImageOnCuda, ResizeOfInfinities) {
  Tensor image = image_of(DType::float32, {4, 5, 3});
  image.data<float>()[4 * 5 * 3 - 1] = std::numeric_limits<float>::infinity();
  image.data<float>()[0] = -std::numeric_limits<float>::infinity();
  test::expect_as_on_cpu("_image_resize", {{"size", "(9, 8)"}, {"interp", "1"}}, {&image}, kSameBits);
}

TEST(ImageOnCuda, ResizeOfParts) {
  expect_resized("_cvimresize", {10, 9, 3}, {{"w", "7"}, {"h", "12"}});
  expect_resized("_mxinfer_resize_short", {10, 19, 3}, {{"size", "6"}});
  expect_resized("_mxinfer_center_crop", {2, 10, 19, 3}, {{"size", "(8, 6)"}});
  expect_resized("_mxinfer_center_crop", {10, 19, 3}, {{"size", "(30, 26)"}});
  expect_resized("_mxinfer_letterbox", {2, 10, 19, 3}, {{"size", "(12, 12)"}, {"value", "127"}});
  expect_resized("_mxinfer_letterbox", {19, 10, 3}, {{"size", "(12, 12)"}, {"nearest", "True"}});
}

TEST(ImageOnCuda, MovedPixels) {
  for (const Shape& shape : {Shape{7, 9, 3}, Shape{2, 7, 9, 1}}) {
    const Tensor image = image_of(DType::uint8, shape);
    test::expect_as_on_cpu("_image_crop", {{"x", "2"}, {"y", "1"}, {"width", "5"}, {"height", "4"}}, {&image},
                           kSameBits);
    test::expect_as_on_cpu("_image_flip_left_right", {}, {&image}, kSameBits);
    test::expect_as_on_cpu("_image_flip_top_bottom", {}, {&image}, kSameBits);
  }
}

TEST(ImageOnCuda, ToTensorAndNormalize) {
  for (const Shape& shape : {Shape{7, 9, 3}, Shape{2, 7, 9, 3}, Shape{17, 19, 1}, Shape{3, 4, 5}}) {
    for (const DType dtype : {DType::uint8, DType::float32}) {
      const Tensor image = image_of(dtype, shape);
      test::expect_as_on_cpu("_image_to_tensor", {}, {&image}, kSameBits);
    }
  }
  const Attributes by_channel{{"mean", "(0.485, 0.456, 0.406)"}, {"std", "(0.229, 0.224, 0.225)"}};
  const Tensor one = image_of(DType::float32, {3, 7, 9}), several = image_of(DType::float32, {2, 3, 7, 50});
  test::expect_as_on_cpu("_image_normalize", by_channel, {&one}, kSameBits);
  test::expect_as_on_cpu("_image_normalize", by_channel, {&several}, kSameBits);
  test::expect_as_on_cpu("_image_normalize", {{"mean", "(0.5,)"}}, {&several}, kSameBits);
}

Attributes normalising(Attributes attrs, bool planar) {
  attrs["first"] = "to_tensor";
  attrs["planar"] = planar ? "True" : "False";
  attrs["steps"] = "mean std mul add";
  attrs["counts"] = "(3, 3, 1, 3)";
  attrs["numbers"] = "(0.485, 0.456, 0.406, 0.229, 0.224, 0.225, 1.7, 0.1, 0.2, 0.3)";
  return attrs;
}

TEST(ImageOnCuda, ChainsOfOperators) {
  for (const DType dtype : {DType::uint8, DType::float32}) {
    for (const Shape& shape : {Shape{20, 31, 3}, Shape{2, 20, 31, 3}}) {
      const Tensor image = image_of(dtype, shape);
      for (const char* interp : {"0", "1", "2", "3", "4"}) {
        for (const char* size : {"(20, 16)", "(40, 37)"}) {
          SCOPED_TRACE(to_string(shape) + " " + to_string(dtype) + " " + interp + size);
          const Attributes attrs{{"size", size}, {"interp", interp}, {"crop", "(3, 2, 11, 12)"}};
          test::expect_as_on_cpu("_mxinfer_image_chain", normalising(attrs, true), {&image}, kSameBits);
          test::expect_as_on_cpu("_mxinfer_image_chain", attrs, {&image}, kSameBits);
        }
      }
    }
  }
}

TEST(ImageOnCuda, ChainsThatTurnPixels) {
  for (const DType dtype : {DType::uint8, DType::float32}) {
    const Tensor image = image_of(dtype, {2, 20, 31, 3}), grey = image_of(dtype, {20, 31, 1});
    for (const char* channels : {"rgb", "bgr"}) {
      for (const bool planar : {true, false}) {
        for (const char* flip : {"True", "False"}) {
          Attributes attrs = normalising({{"region", "(4, 3, 17, 13)"}, {"flip", flip}}, planar);
          attrs["channels"] = channels;
          attrs["mirror"] = flip[0] == 'T' ? "False" : "True";
          test::expect_as_on_cpu("_mxinfer_image_chain", attrs, {&image}, kSameBits);
          attrs["size"] = "(19, 10)";
          test::expect_as_on_cpu("_mxinfer_image_chain", attrs, {&image}, kSameBits);
          test::expect_as_on_cpu("_mxinfer_image_chain", attrs, {&grey}, kSameBits);
        }
      }
    }
    test::expect_as_on_cpu("_mxinfer_image_chain", {{"mirror", "True"}, {"flip", "True"}}, {&image},
                           kSameBits);
    test::expect_as_on_cpu("_mxinfer_image_chain", {{"center", "(9, 9)"}, {"mirror", "True"}}, {&image},
                           kSameBits);
  }
}

TEST(ImageOnCuda, Borders) {
  for (const DType dtype : {DType::uint8, DType::float32}) {
    for (const Shape& shape : {Shape{5, 4, 3}, Shape{2, 5, 4, 1}, Shape{3, 1, 1, 4}, Shape{40, 50, 2}}) {
      const Tensor image = image_of(dtype, shape);
      for (const char* type : {"0", "1", "2", "3", "4"}) {
        SCOPED_TRACE(to_string(shape) + " " + to_string(dtype) + " " + type);
        const Attributes wide{{"top", "11"}, {"bot", "3"}, {"left", "2"}, {"right", "9"}, {"type", type}};
        Attributes values = wide;
        values["values"] = "(1, 2.5, 3, 250)";
        test::expect_as_on_cpu("_cvcopyMakeBorder", wide, {&image}, kSameBits);
        test::expect_as_on_cpu("_cvcopyMakeBorder", values, {&image}, kSameBits);
      }
      test::expect_as_on_cpu("_mxinfer_pad_image", {{"left", "1"}, {"bottom", "2"}, {"value", "114"}},
                             {&image}, kSameBits);
    }
  }
}

TEST(ImageOnCuda, Colors) {
  for (const DType dtype : {DType::uint8, DType::float32}) {
    for (const char* code : {"rgb2bgr", "bgr2rgb", "rgb2gray", "bgr2gray", "bgr", "gray"}) {
      SCOPED_TRACE(std::string(to_string(dtype)) + " " + code);
      for (const Shape& shape : {Shape{1, 1, 3}, Shape{2, 30, 31, 3}}) {
        const Tensor image = image_of(dtype, shape);
        test::expect_as_on_cpu("_mxinfer_convert_color", {{"code", code}}, {&image}, kSameBits);
      }
    }
    const Tensor grey = image_of(dtype, {17, 16, 1});
    for (const char* code : {"gray2rgb", "rgb", "bgr"})
      test::expect_as_on_cpu("_mxinfer_convert_color", {{"code", code}}, {&grey}, kSameBits);
  }
}

/// Runs of one executor, the later ones replayed, each with draws of its own: those of the CPU.
void expect_draws_of_cpu(const char* op, const Attributes& attrs, const Tensor& image, double tolerance) {
  const test::OneOperator graph = test::one_operator(op, attrs, {&image});
  const std::vector<ops::TensorType> types{{image.dtype(), image.shape()}};
  plan::PlanOptions cpu_options{kernels::Target::ref, 1};
  cpu_options.by_sample = false;
  plan::WeightStore weights, device_weights;
  const auto on_cpu = plan::make_plan(graph.graph, types, cpu_options, weights);
  const auto on_cuda = plan::make_plan(graph.graph, types, test::cuda_plan_options(), device_weights);
  ASSERT_TRUE(test::runs_on_cuda(*on_cuda));
  runtime::Executor cpu(on_cpu), cuda(on_cuda);
  ThreadArena arena(1);
  const void* const inputs[] = {image.raw()};
  for (int run = 0; run < 5; ++run) {
    SCOPED_TRACE(run);
    Tensor expected(on_cpu->outputs[0].dtype, on_cpu->outputs[0].shape),
        actual(on_cpu->outputs[0].dtype, on_cpu->outputs[0].shape);
    void* const to_expected[] = {expected.raw()};
    void* const to_actual[] = {actual.raw()};
    cpu.run(inputs, to_expected, arena);
    cuda.run(inputs, to_actual, arena);
    test::expect_close(expected, actual, tolerance, 0);
  }
}

void expect_same_draws(const char* op, const Attributes& attrs, const Tensor& image, double tolerance = 0) {
  SCOPED_TRACE(op);
  SCOPED_TRACE(to_string(image.shape()) + " " + to_string(image.dtype()));
  test::for_each_schedule([&] { expect_draws_of_cpu(op, attrs, image, tolerance); });
}

std::vector<Tensor> images_of_each_kind() {
  std::vector<Tensor> images;
  for (const DType dtype : {DType::uint8, DType::float32}) {
    for (const Shape& shape : {Shape{1, 1, 3}, Shape{9, 7, 1}, Shape{3, 9, 7, 3}, Shape{300, 4, 5, 3}})
      images.push_back(image_of(dtype, shape));
  }
  return images;
}

TEST(RandomImagesOnCuda, Flips) {
  for (const Tensor& image : images_of_each_kind()) {
    expect_same_draws("_image_random_flip_left_right", {}, image);
    expect_same_draws("_image_random_flip_top_bottom", {}, image);
  }
}

TEST(RandomImagesOnCuda, Crops) {
  for (const DType dtype : {DType::uint8, DType::float32}) {
    const Tensor image = image_of(dtype, {12, 17, 3}), batch = image_of(dtype, {5, 12, 17, 1});
    for (const auto& [width, height] : {std::pair("17", "12"), {"4", "5"}, {"1", "1"}, {"30", "10"}}) {
      const Attributes attrs{{"width", width}, {"height", height}};
      expect_same_draws("_image_random_crop", attrs, image);
      expect_same_draws("_image_random_crop", attrs, batch);
      Attributes within = attrs;
      within.insert({{"xrange", "(0.25, 0.5)"}, {"yrange", "(1, 1)"}, {"interp", "2"}});
      expect_same_draws("_image_random_crop", within, batch);
    }
  }
}

TEST(RandomImagesOnCuda, Colors) {
  const Attributes factors{{"min_factor", "0.4"}, {"max_factor", "1.7"}};
  for (const Tensor& image : images_of_each_kind()) {
    const double tolerance = image.dtype() == DType::uint8 ? 0 : 1e-6;
    for (const char* op : {"_image_random_brightness", "_image_random_saturation", "_image_random_hue"})
      expect_same_draws(op, factors, image);
    expect_same_draws("_image_random_contrast", factors, image, tolerance);
    expect_same_draws("_image_random_lighting", {{"alpha_std", "0.7"}}, image, tolerance);
    expect_same_draws("_image_adjust_lighting", {{"alpha", "(0.5, -0.3, 0.1)"}}, image);
    expect_same_draws("_image_random_color_jitter",
                      {{"brightness", "0.4"}, {"contrast", "0.3"}, {"saturation", "0.5"}, {"hue", "0.2"}},
                      image, tolerance == 0 ? 0 : 1e-5);
    expect_same_draws("_image_random_color_jitter",
                      {{"brightness", "0"}, {"contrast", "0"}, {"saturation", "0.5"}, {"hue", "0"}}, image);
    expect_same_draws("_image_random_color_jitter",
                      {{"brightness", "0"}, {"contrast", "0"}, {"saturation", "0"}, {"hue", "0"}}, image);
  }
}

// Grey, pure, too large, negative, none.
TEST(RandomImagesOnCuda, HuesOfSpecialPixels) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor image = test::tensor_of<float>(
      {10, 1, 3}, {0,   0, 0,   255, 255, 255, 255, 0,  0,   0,     255, 0, 0,   0, 255,  //
                   255, 9, 255, -20, 40,  300, 1e6, -4, 1e6, 1e-9f, 0,   0, nan, 1, 2,    //
                   inf, 1, 2});
  for (const char* turn : {"0", "0.5", "7", "1000"})
    expect_same_draws("_image_random_hue", {{"min_factor", turn}, {"max_factor", turn}}, image);
}

}  // namespace
}  // namespace mxinfer
