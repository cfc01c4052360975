// What the recorded cases of tests/golden/ops/image*.npz do not cover: errors, batches where MXNet takes
// single images only, and operators that MXNet does not have, against the functions of
// mxinfer/vision/image.h.
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <mxinfer/vision/image.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <set>

#include "image/resize.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using AttrMap = std::map<std::string, std::string>;

Tensor random_image(const Shape& shape, unsigned seed = 1) {
  Tensor tensor(DType::uint8, shape);
  std::mt19937 generator(seed);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(generator());
  }
  return tensor;
}

Tensor run(const std::string& op, const AttrMap& attrs, const Tensor& input, int threads = 1) {
  test::RunOpOptions options;
  options.threads = threads;
  return std::move(test::run_op(op, attrs, {&input}, options)[0]);
}

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(to_string(a.shape()), to_string(b.shape()));
  ASSERT_STREQ(to_string(a.dtype()), to_string(b.dtype()));
  EXPECT_EQ(std::memcmp(a.raw(), b.raw(), a.bytes()), 0);
}

Tensor as_tensor(const Image& image) {
  return Tensor::copy_of(image.view());
}

/// Expects an Error whose message has every one of `words`.
void expect_error(const std::function<void()>& body, const std::vector<std::string>& words) {
  try {
    body();
    FAIL() << "no error";
  } catch (const Error& e) {
    for (const std::string& word : words) {
      EXPECT_NE(std::string(e.what()).find(word), std::string::npos)
          << "'" << word << "' is missing: " << e.what();
    }
  }
}

TEST(ImageOps, ErrorsNameShapesAndSizes) {
  const Tensor image = random_image({4, 6, 3}), two = random_image({4, 6, 2}), flat(DType::uint8, {24});
  expect_error(
      [&] {
        run("_image_crop", {{"x", "3"}, {"y", "0"}, {"width", "4"}, {"height", "2"}}, image);
      },
      {"4 x 2", "(3, 0)", "6 x 4"});
  expect_error(
      [&] {
        run("_image_crop", {{"x", "-1"}, {"y", "0"}, {"width", "4"}, {"height", "2"}}, image);
      },
      {"(-1, 0)"});
  expect_error(
      [&] {
        run("_image_crop", {{"x", "0"}, {"y", "0"}, {"width", "0"}, {"height", "2"}}, image);
      },
      {"0 x 2"});
  expect_error(
      [&] {
        run("_image_crop", {{"x", "0"}, {"y", "0"}, {"width", "2"}, {"height", "2"}}, two);
      },
      {"(4, 6, 2)", "2 channels"});
  expect_error([&] { run("_image_flip_left_right", {}, two); }, {"(4, 6, 2)"});
  expect_error([&] { run("_image_to_tensor", {}, flat); }, {"(24,)", "(height, width, channels)"});
  expect_error(
      [&] {
        run("_image_normalize", {{"mean", "(1, 2)"}, {"std", "1"}}, random_image({3, 4, 6}));
      },
      {"mean", "2 numbers", "(3, 4, 6)"});
  expect_error([&] { run("_image_normalize", {}, image); }, {"(4, 6, 3)", "4 channels"});
  for (const char* size : {"()", "0", "(-1, 2)", "(2, 3, 4)", "(2, 99999999999)"}) {
    expect_error([&] { run("_image_resize", {{"size", size}}, image); }, {"size"});
  }
  expect_error([&] { run("_image_resize", {{"size", "3"}, {"interp", "9"}}, image); }, {"interp"});
  expect_error(
      [&] {
        run("_image_resize", {{"size", "3"}}, Tensor(DType::float16, {4, 6, 3}));
      },
      {"float16"});
  expect_error([&] { run("_image_resize", {{"size", "3"}}, Tensor(DType::uint8, {0, 6, 3})); }, {"6 x 0"});
  expect_error(
      [&] {
        run("_mxinfer_letterbox", {{"size", "3"}, {"value", "256"}}, image);
      },
      {"value", "256"});
}

TEST(ImageOps, NormalizeWithoutAttributesChangesNothing) {
  const Tensor planes = random_image({2, 3, 4, 5});
  expect_same(run("_image_normalize", {}, planes), planes);
}

TEST(ImageOps, FlipsWriteTheMiddleAndTakeBatches) {
  const Tensor batch = random_image({2, 5, 7, 3});
  const Tensor across = run("_image_flip_left_right", {}, batch),
               down = run("_image_flip_top_bottom", {}, batch);
  const auto at = [](const Tensor& t, int n, int y, int x, int c) {
    return t.data<std::uint8_t>()[((n * 5 + y) * 7 + x) * 3 + c];
  };
  for (int i = 0; i < 2 * 5 * 7 * 3; ++i) {
    const int c = i % 3, x = i / 3 % 7, y = i / 21 % 5, n = i / 105;
    ASSERT_EQ(at(across, n, y, x, c), at(batch, n, y, 6 - x, c));
    ASSERT_EQ(at(down, n, y, x, c), at(batch, n, 4 - y, x, c));
  }
}

TEST(ImageOps, CenterCropEqualsTheImageFunctions) {
  for (const Size from : {Size{40, 30}, Size{9, 7}, Size{20, 50}}) {
    for (const Size to : {Size{16, 16}, Size{24, 10}, Size{40, 30}}) {
      SCOPED_TRACE(testing::Message() << from.width << " x " << from.height << " to " << to.width);
      const Tensor pixels = random_image({from.height, from.width, 3});
      const Image image(from.width, from.height, 3, {pixels.data<std::uint8_t>(), pixels.bytes()});
      Image expected = crop_image(image, center_crop_region(from, to));
      expected = resize_image(expected, to.width, to.height, auto_interpolation(expected.size(), to));
      const std::string size = "(" + std::to_string(to.width) + ", " + std::to_string(to.height) + ")";
      expect_same(run("_mxinfer_center_crop", {{"size", size}, {"interp", "9"}}, pixels),
                  as_tensor(expected));
    }
  }
}

TEST(ImageOps, ResizeShortEqualsTheImageFunctions) {
  for (const Size from : {Size{40, 30}, Size{9, 17}}) {
    const Tensor pixels = random_image({from.height, from.width, 3});
    const Image image(from.width, from.height, 3, {pixels.data<std::uint8_t>(), pixels.bytes()});
    const Size to = resize_short_size(from, 13);
    expect_same(run("_mxinfer_resize_short", {{"size", "13"}, {"interp", "2"}}, pixels),
                as_tensor(resize_image(image, to.width, to.height, Interpolation::cubic)));
  }
}

// Each image of a batch is treated as it would be alone, on any number of threads.
TEST(ImageOps, BatchesAreRowsOfImages) {
  const Tensor batch = random_image({3, 90, 70, 3});
  const std::pair<const char*, AttrMap> ops[] = {
      {"_image_resize", {{"size", "(33, 65)"}}},
      {"_mxinfer_resize_short", {{"size", "80"}, {"interp", "9"}}},
      {"_mxinfer_center_crop", {{"size", "(60, 64)"}, {"interp", "9"}}},
      {"_mxinfer_letterbox", {{"size", "(64, 64)"}, {"value", "114"}}},
      {"_mxinfer_letterbox", {{"size", "(30, 64)"}, {"value", "114"}}},
      {"_image_crop", {{"x", "3"}, {"y", "5"}, {"width", "61"}, {"height", "80"}}},
      {"_image_to_tensor", {}},
  };
  for (const auto& [op, attrs] : ops) {
    SCOPED_TRACE(op);
    const Tensor all = run(op, attrs, batch), threaded = run(op, attrs, batch, 2);
    expect_same(all, threaded);
    const std::size_t one = all.bytes() / 3;
    for (int i = 0; i < 3; ++i) {
      Tensor image(DType::uint8, {90, 70, 3});
      std::memcpy(image.raw(), static_cast<const std::byte*>(batch.raw()) + i * image.bytes(), image.bytes());
      const Tensor alone = run(op, attrs, image);
      ASSERT_EQ(alone.bytes(), one);
      EXPECT_EQ(std::memcmp(alone.raw(), static_cast<const std::byte*>(all.raw()) + i * one, one), 0);
    }
  }
}

TEST(ImageOps, LetterboxFillsAroundTheImage) {
  const char* nearest = "False";
  const auto check = [&](Size from, Size canvas, Size inside, int left, int top) {
    SCOPED_TRACE(testing::Message() << from.width << " x " << from.height);
    const Tensor pixels = random_image({from.height, from.width, 3});
    const std::string size = "(" + std::to_string(canvas.width) + ", " + std::to_string(canvas.height) + ")";
    const Tensor boxed =
        run("_mxinfer_letterbox", {{"size", size}, {"value", "7"}, {"nearest", nearest}}, pixels);
    const Tensor resized = image::resize(pixels, inside.width, inside.height, Interpolation::linear);
    ASSERT_EQ(boxed.shape(), (Shape{canvas.height, canvas.width, 3}));
    for (int y = 0; y < canvas.height; ++y) {
      for (int x = 0; x < canvas.width * 3; ++x) {
        const int row = y - top, column = x - 3 * left;
        const bool within = row >= 0 && row < inside.height && column >= 0 && column < 3 * inside.width;
        const int expected = within ? resized.data<std::uint8_t>()[row * inside.width * 3 + column] : 7;
        ASSERT_EQ(boxed.data<std::uint8_t>()[y * canvas.width * 3 + x], expected) << y << ", " << x;
      }
    }
  };
  check({40, 30}, {20, 20}, {20, 15}, 0, 2);
  check({30, 41}, {20, 20}, {14, 20}, 3, 0);
  check({10, 10}, {20, 20}, {20, 20}, 0, 0);
  check({10, 10}, {31, 20}, {20, 20}, 5, 0);
  check({400, 1}, {20, 20}, {20, 1}, 0, 9);
  nearest = "True";
  check({30, 41}, {20, 20}, {15, 20}, 2, 0);  // 14.63
  check({40, 30}, {20, 20}, {20, 15}, 0, 2);
  check({400, 1}, {20, 20}, {20, 1}, 0, 9);
}

TEST(ImageOps, ListToBatchStacksImages) {
  const Tensor a = random_image({4, 5, 3}, 1), b = random_image({1, 4, 5, 3}, 2),
               other = random_image({4, 6, 3});
  const auto stacked = test::run_op("_mxinfer_list_to_batch", {{"num_args", "2"}}, {&a, &b});
  ASSERT_EQ(stacked[0].shape(), (Shape{2, 4, 5, 3}));
  EXPECT_EQ(std::memcmp(stacked[0].raw(), a.raw(), a.bytes()), 0);
  EXPECT_EQ(std::memcmp(stacked[0].data<std::uint8_t>() + 60, b.raw(), b.bytes()), 0);
  expect_same(test::run_op("_mxinfer_list_to_batch", {{"num_args", "1"}}, {&b})[0], b);
  expect_error(
      [&] {
        test::run_op("_mxinfer_list_to_batch", {{"num_args", "2"}}, {&a, &other});
      },
      {"item 1", "(4, 6, 3)", "(4, 5, 3)"});
}

TEST(ImageOps, PadImageIsAConstantBorder) {
  const Tensor batch = random_image({2, 3, 4, 3});
  const Tensor padded =
      run("_mxinfer_pad_image",
          {{"left", "1"}, {"top", "2"}, {"right", "3"}, {"bottom", "0"}, {"value", "9"}}, batch);
  ASSERT_EQ(padded.shape(), (Shape{2, 5, 8, 3}));
  for (int i = 0; i < 2 * 5 * 8 * 3; ++i) {
    const int c = i % 3, x = i / 3 % 8 - 1, y = i / 24 % 5 - 2, n = i / 120;
    const bool within = x >= 0 && x < 4 && y >= 0;
    const int expected = within ? batch.data<std::uint8_t>()[((n * 3 + y) * 4 + x) * 3 + c] : 9;
    ASSERT_EQ(padded.data<std::uint8_t>()[i], expected) << i;
  }
}

TEST(ImageOps, BordersThatMakeNoSenseAreErrors) {
  const Tensor image = random_image({3, 4, 3});
  const AttrMap sides = {{"top", "1"}, {"bot", "1"}, {"left", "1"}, {"right", "1"}};
  const auto with = [&](const char* name, const char* value) {
    AttrMap attrs = sides;
    attrs[name] = value;
    return attrs;
  };
  expect_error([&] { run("_cvcopyMakeBorder", with("top", "-1"), image); }, {"top"});
  expect_error([&] { run("_cvcopyMakeBorder", with("type", "5"), image); }, {"type"});
  expect_error([&] { run("_cvcopyMakeBorder", with("values", "(1, 2)"), image); }, {"values", "2 numbers"});
  expect_error([&] { run("_cvcopyMakeBorder", with("value", "nan"), image); }, {"nan"});
  expect_error([&] { run("_cvcopyMakeBorder", with("top", "9223372036854775807"), image); }, {"too large"});
  expect_error([&] { run("_cvcopyMakeBorder", sides, Tensor(DType::int8, {3, 4, 3})); }, {"int8"});
}

TEST(ImageOps, ConvertColor) {
  const Tensor rgb = test::tensor_of<std::uint8_t>({1, 2, 3}, {10, 200, 77, 255, 255, 255});
  const auto convert = [](const char* code, const Tensor& in) {
    return run("_mxinfer_convert_color", {{"code", code}}, in);
  };
  const Tensor bgr = test::tensor_of<std::uint8_t>({1, 2, 3}, {77, 200, 10, 255, 255, 255});
  const Tensor grey = test::tensor_of<std::uint8_t>({1, 2, 1}, {129, 255});  // 129.168
  expect_same(convert("rgb2bgr", rgb), bgr);
  expect_same(convert("bgr2rgb", bgr), rgb);
  expect_same(convert("rgb2gray", rgb), grey);
  expect_same(convert("bgr2gray", bgr), grey);
  expect_same(convert("gray2rgb", grey),
              test::tensor_of<std::uint8_t>({1, 2, 3}, {129, 129, 129, 255, 255, 255}));
  const Tensor real = test::tensor_of<float>({1, 1, 1, 3}, {10, 200, 77});
  EXPECT_NEAR(convert("rgb2gray", real).data<float>()[0], 129.168f, 1e-4f);
  expect_error([&] { convert("gray2rgb", rgb); }, {"(1, 2, 3)", "gray2rgb needs 1 channel"});
  expect_error([&] { convert("rgb2gray", grey); }, {"(1, 2, 1)", "3 channels"});
  expect_error([&] { convert("rgb2hsv", rgb); }, {"code", "rgb2bgr"});
}

TEST(ImageOps, ConvertColorOfEitherKind) {
  const auto convert = [](const char* code, const Tensor& in) {
    return run("_mxinfer_convert_color", {{"code", code}}, in);
  };
  const Tensor rgb = random_image({2, 4, 5, 3}), grey = random_image({2, 4, 5, 1});
  expect_same(convert("rgb", rgb), rgb);
  expect_same(convert("bgr", rgb), convert("rgb2bgr", rgb));
  expect_same(convert("gray", rgb), convert("rgb2gray", rgb));
  expect_same(convert("rgb", grey), convert("gray2rgb", grey));
  expect_same(convert("bgr", grey), convert("gray2rgb", grey));
  expect_same(convert("gray", grey), grey);
  expect_error([&] { convert("gray", random_image({2, 4, 5, 2})); }, {"(2, 4, 5, 2)", "1 or 3 channels"});
}

TEST(ImageOps, GreyImagesHaveNoColours) {
  const Tensor grey = random_image({2, 5, 7, 1});
  expect_same(run("_image_adjust_lighting", {{"alpha", "(1, 2, 3)"}}, grey), grey);
  expect_same(run("_image_random_hue", {{"min_factor", "0.3"}, {"max_factor", "0.3"}}, grey), grey);
  expect_same(run("_image_random_lighting", {{"alpha_std", "3"}}, grey), grey);
}

TEST(ImageOps, EffectsTakeBatches) {
  const Tensor batch = random_image({3, 90, 70, 3});
  const AttrMap factor = {{"min_factor", "0.6"}, {"max_factor", "0.6"}};
  const std::pair<const char*, AttrMap> ops[] = {{"_image_random_brightness", factor},
                                                 {"_image_random_contrast", factor},
                                                 {"_image_random_saturation", factor},
                                                 {"_image_random_hue", factor},
                                                 {"_image_adjust_lighting", {{"alpha", "(1, 2, 3)"}}}};
  for (const auto& [op, attrs] : ops) {
    SCOPED_TRACE(op);
    const Tensor all = run(op, attrs, batch);
    expect_same(run(op, attrs, batch, 2), all);
    Tensor last(DType::uint8, {90, 70, 3});
    std::memcpy(last.raw(), batch.data<std::uint8_t>() + 2 * last.bytes(), last.bytes());
    const Tensor alone = run(op, attrs, last);
    EXPECT_EQ(std::memcmp(alone.raw(), all.data<std::uint8_t>() + 2 * last.bytes(), last.bytes()), 0);
  }
}

TEST(ImageOps, ColorJitterStaysInRange) {
  const Tensor batch = random_image({40, 3, 2, 3});
  const AttrMap none = {{"brightness", "0"}, {"contrast", "0"}, {"saturation", "0"}, {"hue", "0"}};
  expect_same(run("_image_random_color_jitter", none, batch), batch);
  AttrMap brightness = none;
  brightness["brightness"] = "0.25";
  Tensor white(DType::float32, {40, 3, 2, 3});
  std::fill_n(white.data<float>(), white.elements(), 100.0f);
  const Tensor out = run("_image_random_color_jitter", brightness, white);
  const auto values = out.span<float>();
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 75.0f);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 125.0f);
  EXPECT_NE(values[0], values[18]);  // another image, another draw
}

// Each image is flipped or not; about half of many are.
TEST(ImageOps, RandomFlipsAreFlipsOrNot) {
  constexpr int kImages = 64;
  const Tensor batch = random_image({kImages, 5, 3, 3});
  for (const std::string direction : {"left_right", "top_bottom"}) {
    const Tensor out = run("_image_random_flip_" + direction, {}, batch, 2);
    const Tensor all = run("_image_flip_" + direction, {}, batch);
    int flipped = 0;
    for (int n = 0; n < kImages; ++n) {
      const auto same_as = [&](const Tensor& other) {
        return std::memcmp(out.data<std::uint8_t>() + 45 * n, other.data<std::uint8_t>() + 45 * n, 45) == 0;
      };
      flipped += same_as(all);
      EXPECT_TRUE(same_as(all) || same_as(batch));
    }
    EXPECT_GT(flipped, kImages / 4);
    EXPECT_LT(flipped, kImages * 3 / 4);
  }
}

TEST(ImageOps, RandomCropsAreParts) {
  // Pixels that say where they were.
  constexpr int kImages = 32, kWidth = 20, kHeight = 10;
  Tensor batch(DType::uint8, {kImages, kHeight, kWidth, 3});
  for (int i = 0; i < kImages * kHeight * kWidth; ++i) {
    batch.data<std::uint8_t>()[3 * i] = static_cast<std::uint8_t>(i % kWidth);
    batch.data<std::uint8_t>()[3 * i + 1] = static_cast<std::uint8_t>(i / kWidth % kHeight);
    batch.data<std::uint8_t>()[3 * i + 2] = static_cast<std::uint8_t>(i / (kWidth * kHeight));
  }
  const AttrMap attrs = {{"width", "6"}, {"height", "4"}, {"xrange", "(0, 1)"}, {"yrange", "(0.5, 0.5)"}};
  const Tensor out = run("_image_random_crop", attrs, batch, 2);
  ASSERT_EQ(out.shape(), (Shape{kImages, 4, 6, 3}));
  std::set<int> corners;
  for (int n = 0; n < kImages; ++n) {
    const std::uint8_t* part = out.data<std::uint8_t>() + n * 4 * 6 * 3;
    corners.insert(part[0]);
    for (int i = 0; i < 4 * 6; ++i) {
      ASSERT_EQ(part[3 * i], part[0] + i % 6);
      ASSERT_EQ(part[3 * i + 1], 3 + i / 6);
      ASSERT_EQ(part[3 * i + 2], n);
    }
  }
  EXPECT_GT(corners.size(), 5u);
  // The whole area of one aspect can only be the whole image.
  const Tensor images = random_image({2, 12, 16, 3});
  expect_same(
      run("_image_random_resized_crop",
          {{"width", "8"}, {"height", "6"}, {"area", "(1, 1)"}, {"ratio", "(1.3333334, 1.3333334)"}}, images),
      image::resize(images, 8, 6, Interpolation::linear));
  expect_error(
      [&] {
        run("_image_random_crop", {{"width", "2"}, {"height", "2"}, {"xrange", "(0, 2)"}}, images);
      },
      {"xrange"});
  expect_error(
      [&] {
        run("_image_random_resized_crop", {{"width", "2"}, {"height", "2"}, {"ratio", "(0, 1)"}}, images);
      },
      {"ratio"});
}

TEST(ImageOps, DecodersSayWhereTheyMayStand) {
  const Tensor bytes = random_image({100});
  expect_error([&] { run("_cvimdecode", {}, bytes); }, {"can only be the first node of an input"});
  expect_error([&] { run("_mxinfer_read_image", {}, bytes); }, {"can only be the first node of an input"});
  expect_error([] { test::run_op("_cvimread", {{"filename", "a.jpg"}}, {}); }, {"fixed file", "_cvimdecode"});
}

}  // namespace
}  // namespace mxinfer
