// Resized images against real MXNet's (tests/oracle/record_images.py), to the last bit.
#include "image/resize.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/files/aligned_memory.h"
#include "base/threads/thread_arena.h"
#include "image/golden.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

constexpr const char* kInterpolations[] = {"nearest", "linear", "cubic", "area", "lanczos4"};

Interpolation interpolation_named(const std::string& name) {
  for (int i = 0; i < 5; ++i) {
    if (name == kInterpolations[i]) return static_cast<Interpolation>(i);
  }
  ADD_FAILURE() << name;
  return Interpolation::nearest;
}

bool equal(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

/// With one target, in pieces of `rows` rows.
Tensor resize_in_pieces(const Tensor& src, std::int64_t height, std::int64_t width,
                        Interpolation interpolation, kernels::Target target, std::int64_t rows) {
  const Shape& shape = src.shape();
  const image::ResizePlan plan({shape[0], shape[1], height, width, shape[2]}, src.dtype(), interpolation,
                               target);
  Tensor dst(src.dtype(), {height, width, shape[2]});
  AlignedBuffer scratch(plan.scratch_bytes());
  for (std::int64_t row = 0; row < height; row += rows) {
    plan.run(src.raw(), dst.raw(), row, std::min(row + rows, height), scratch.data());
  }
  return dst;
}

TEST(Resize, EqualsMxnet) {
  const auto arrays = test::golden_arrays("resize.npz");
  int cases = 0;
  for (const auto& [name, expected] : arrays) {
    const std::size_t to = name.find("_to_");
    if (to == std::string::npos) continue;
    const Tensor& src = arrays.at(name.substr(0, to));
    const Interpolation interpolation = interpolation_named(name.substr(name.rfind('_') + 1));
    const std::int64_t height = expected.shape()[0];
    const std::int64_t width = expected.shape()[1];
    EXPECT_TRUE(equal(image::resize(src, width, height, interpolation), expected)) << name;
    for (const kernels::Target target : test::targets()) {
      for (const std::int64_t rows : {height, std::int64_t{1}, std::int64_t{3}}) {
        EXPECT_TRUE(equal(resize_in_pieces(src, height, width, interpolation, target, rows), expected))
            << name << ' ' << to_string(target) << ", " << rows << " rows at a time";
      }
    }
    ++cases;
  }
  EXPECT_GE(cases, 200);
}

/// A window of the result, read from a part of a wider image, must have the bits that both have when they
/// are cut out by themselves.
TEST(Resize, AWindowHasTheBitsOfTheWhole) {
  std::uint32_t state = 7;
  const auto below = [&](std::int64_t n) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::int64_t>((state >> 8) % static_cast<std::uint32_t>(n));
  };
  for (int i = 0; i < 400; ++i) {
    const DType dtype = i % 3 == 0 ? DType::float32 : i % 3 == 1 ? DType::uint8 : DType::float64;
    const auto interpolation = static_cast<Interpolation>(i % 5);
    const std::int64_t channels = 1 + below(4);
    const std::int64_t factor = i % 4 == 0 ? 2 : 1;  // whole ratios have forms of their own
    const std::int64_t height = 1 + below(20), width = 1 + below(40);
    const std::int64_t src_height = factor == 2 ? 2 * height : 1 + below(30);
    const std::int64_t src_width = factor == 2 ? 2 * width : 1 + below(50);
    const std::int64_t left = below(5), right = below(5), top = below(3);
    const std::int64_t stride = (left + src_width + right) * channels;
    const kernels::ResizeShape shape{src_height, src_width, height, width, channels};

    Tensor wide(dtype, {top + src_height, left + src_width + right, channels});
    for (std::int64_t k = 0; k < wide.elements(); ++k) {
      if (dtype == DType::uint8) wide.data<std::uint8_t>()[k] = static_cast<std::uint8_t>(below(256));
      if (dtype == DType::float32) wide.data<float>()[k] = static_cast<float>(below(1 << 20)) * 0.001f;
      if (dtype == DType::float64) wide.data<double>()[k] = static_cast<double>(below(1 << 20)) * 0.001;
    }
    const auto element = static_cast<std::int64_t>(size_of(dtype));
    const std::byte* corner =
        static_cast<const std::byte*>(wide.raw()) + (top * stride + left * channels) * element;
    Tensor dense(dtype, {src_height, src_width, channels});
    for (std::int64_t y = 0; y < src_height; ++y) {
      std::memcpy(static_cast<std::byte*>(dense.raw()) + y * src_width * channels * element,
                  corner + y * stride * element, static_cast<std::size_t>(src_width * channels * element));
    }
    const Tensor whole = image::resize(dense.view(), width, height, interpolation);

    image::ResizePart part;
    part.src_stride = stride;
    part.x = below(width);
    part.y = below(height);
    part.width = 1 + below(width - part.x);
    part.height = 1 + below(height - part.y);
    for (const kernels::Target target : test::targets()) {
      const image::ResizePlan plan(shape, dtype, interpolation, target, part);
      Tensor window(dtype, {part.height, part.width, channels});
      AlignedBuffer scratch(plan.scratch_bytes());
      plan.run(corner, window.raw(), 0, part.height, scratch.data());
      for (std::int64_t y = 0; y < part.height; ++y) {
        const auto bytes = static_cast<std::size_t>(part.width * channels * element);
        ASSERT_EQ(
            std::memcmp(static_cast<const std::byte*>(window.raw()) + y * static_cast<std::int64_t>(bytes),
                        static_cast<const std::byte*>(whole.raw()) +
                            ((part.y + y) * width + part.x) * channels * element,
                        bytes),
            0)
            << "case " << i << ", row " << y << ", " << to_string(target);
      }
    }
  }
}

Tensor noise(const Shape& shape, unsigned seed) {
  Tensor tensor = Tensor::uninitialized(DType::uint8, shape);
  std::uint8_t* out = tensor.data<std::uint8_t>();
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525U + 1013904223U;
    out[i] = static_cast<std::uint8_t>(state >> 24);
  }
  return tensor;
}

TEST(Resize, ABatchIsItsImagesOneByOne) {
  const Tensor batch = noise({3, 50, 61, 3}, 1);
  const Tensor out = image::resize(batch, 37, 90, Interpolation::linear);
  ASSERT_EQ(to_string(out.shape()), "(3, 90, 37, 3)");
  for (std::int64_t n = 0; n < 3; ++n) {
    const TensorView one(batch.data<std::uint8_t>() + n * 50 * 61 * 3, {50, 61, 3});
    const Tensor expected = image::resize(one, 37, 90, Interpolation::linear);
    EXPECT_EQ(std::memcmp(out.data<std::uint8_t>() + n * 90 * 37 * 3, expected.raw(), expected.bytes()), 0);
  }
}

TEST(Resize, ThreadsDoNotMatter) {
  const Tensor src = noise({211, 190, 3}, 2);
  for (int i = 0; i < 5; ++i) {
    Tensor one, four;
    ThreadArena(1).execute([&] { one = image::resize(src, 333, 250, static_cast<Interpolation>(i)); });
    ThreadArena(4).execute([&] { four = image::resize(src, 333, 250, static_cast<Interpolation>(i)); });
    EXPECT_TRUE(equal(one, four)) << kInterpolations[i];
  }
}

TEST(Resize, OfAnImage) {
  const Image image(noise({20, 30, 3}, 3));
  const Image small = resize_image(image, 11, 7, Interpolation::cubic);
  EXPECT_EQ(small.size(), (Size{11, 7}));
  const Tensor expected = image::resize(image.view(), 11, 7, Interpolation::cubic);
  EXPECT_EQ(std::memcmp(small.pixels().data(), expected.raw(), expected.bytes()), 0);
  EXPECT_EQ(resize_image(image, 30, 20).pixels().data(), image.pixels().data());
}

void expect_error(const std::function<void()>& call, ErrorCode code, const std::string& fact) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; expected: " << fact;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(std::string(e.what()).find(fact), std::string::npos) << e.what();
  }
}

TEST(ResizeErrors, SayWhatWasGiven) {
  const Tensor src = noise({4, 5, 3}, 4);
  const auto linear = Interpolation::linear;
  const auto invalid = ErrorCode::invalid_argument;
  expect_error([&] { image::resize(src, 0, 4, linear); }, invalid, "5 x 4 pixels of 3 channels to 0 x 4");
  expect_error([&] { image::resize(src, 4, -1, linear); }, invalid, "to 4 x -1");
  expect_error([&] { image::resize(src, std::int64_t{1} << 40, 4, linear); }, invalid,
               "to 1099511627776 x 4");
  expect_error([&] { image::resize(src, 4, 4, static_cast<Interpolation>(9)); }, invalid,
               "interpolation is 9");
  expect_error([&] { image::resize(Tensor(DType::uint8, {4, 5}), 4, 4, linear); }, invalid, "(4, 5)");
  expect_error(
      [&] {
        image::resize(Tensor(DType::uint8, {0, 5, 3}), 4, 4, linear);
      },
      invalid, "5 x 0 pixels");
  expect_error(
      [&] {
        image::resize(Tensor(DType::int8, {4, 5, 3}), 4, 4, linear);
      },
      ErrorCode::unsupported, "int8");
  expect_error(
      [&] {
        image::resize(Tensor(DType::uint8, {9, 9, 5}), 4, 4, Interpolation::area);
      },
      ErrorCode::unsupported, "5 were given");
  expect_error([] { resize_image(Image(), 4, 4); }, invalid, "empty");
}

}  // namespace
}  // namespace mxinfer
