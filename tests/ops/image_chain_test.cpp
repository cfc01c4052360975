// The fused chain of image operators against image::resize and plain arithmetic, one after another: the
// same bits for every target, at any thread count.
#include <gtest/gtest.h>

#include <cstring>

#include "image/resize.h"
#include "mxinfer/error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

struct ChainCase {
  DType dtype = DType::uint8;
  std::int64_t images = 0;  ///< 0: no batch dimension
  std::int64_t height = 1, width = 1, channels = 3;
  bool has_region = false, resizes = false, has_crop = false;
  Region region, crop;
  Size size;
  int interp = 1;
  bool mirror = false, flip = false, planar = true;
  std::string first = "to_tensor";
  bool normalizes = true;

  std::map<std::string, std::string> attrs() const {
    const auto numbers = [](std::initializer_list<int> list) {
      std::string text;
      for (int n : list) text += (text.empty() ? "(" : ", ") + std::to_string(n);
      return text + ")";
    };
    std::map<std::string, std::string> result{{"first", first}, {"interp", std::to_string(interp)}};
    if (has_region) result["region"] = numbers({region.x, region.y, region.width, region.height});
    if (resizes) result["size"] = numbers({size.width, size.height});
    if (has_crop) result["crop"] = numbers({crop.x, crop.y, crop.width, crop.height});
    if (mirror) result["mirror"] = "True";
    if (flip) result["flip"] = "True";
    if (first == "none") return result;
    if (planar) result["planar"] = "True";
    if (normalizes) {
      result["steps"] = "mean std mul";
      result["counts"] = "(" + std::to_string(channels) + ", 1, 1)";
      std::string list = "(";
      for (std::int64_t c = 0; c < channels; ++c)
        list += std::to_string(0.4 + 0.03 * static_cast<double>(c)) + ", ";
      result["numbers"] = list + "0.229, 1.5)";
    }
    return result;
  }
};

template <typename T>
Tensor image_of(const Shape& shape, unsigned seed) {
  Tensor tensor(DTypeOf<T>::value, shape);
  std::uint32_t state = seed;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525U + 1013904223U;
    tensor.data<T>()[i] =
        static_cast<T>(static_cast<double>(state >> 24) * (std::is_same_v<T, std::uint8_t> ? 1 : 0.7));
  }
  return tensor;
}

Tensor image_of(const ChainCase& c, unsigned seed) {
  Shape shape{c.height, c.width, c.channels};
  if (c.images > 0) shape.insert(0, c.images);
  if (c.dtype == DType::uint8) return image_of<std::uint8_t>(shape, seed);
  if (c.dtype == DType::float32) return image_of<float>(shape, seed);
  if (c.dtype == DType::float64) return image_of<double>(shape, seed);
  return image_of<std::int32_t>(shape, seed);
}

/// The part of every image, in batch form.
template <typename T>
Tensor cut(const Tensor& in, const Region& part) {
  const Shape& shape = in.shape();
  Tensor out(in.dtype(), {shape[0], part.height, part.width, shape[3]});
  T* to = out.data<T>();
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    for (std::int64_t y = 0; y < part.height; ++y) {
      const T* from = in.data<T>() + ((n * shape[1] + part.y + y) * shape[2] + part.x) * shape[3];
      to = std::copy(from, from + part.width * shape[3], to);
    }
  }
  return out;
}

template <typename T>
Tensor turned(const Tensor& in, bool mirror, bool flip) {
  const Shape& shape = in.shape();
  Tensor out(in.dtype(), shape);
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    for (std::int64_t y = 0; y < shape[1]; ++y) {
      for (std::int64_t x = 0; x < shape[2]; ++x) {
        const std::int64_t from_y = flip ? shape[1] - 1 - y : y, from_x = mirror ? shape[2] - 1 - x : x;
        for (std::int64_t c = 0; c < shape[3]; ++c) {
          out.data<T>()[((n * shape[1] + y) * shape[2] + x) * shape[3] + c] =
              in.data<T>()[((n * shape[1] + from_y) * shape[2] + from_x) * shape[3] + c];
        }
      }
    }
  }
  return out;
}

template <typename T>
Tensor converted(const Tensor& in, const ChainCase& c) {
  const Shape& shape = in.shape();
  const std::int64_t plane = shape[1] * shape[2];
  Tensor out(DType::float32, c.planar ? Shape{shape[0], shape[3], shape[1], shape[2]} : shape);
  for (std::int64_t i = 0; i < in.elements(); ++i) {
    const std::int64_t k = i % shape[3], pixel = i / shape[3] % plane, n = i / shape[3] / plane;
    volatile float value = static_cast<float>(in.data<T>()[i]);
    if (c.first == "to_tensor")
      value = static_cast<float>(
          static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(in.data<T>()[i]) /
          255.0f);
    if (c.normalizes) {
      value = value - static_cast<float>(std::stod(std::to_string(0.4 + 0.03 * static_cast<double>(k))));
      value = value / static_cast<float>(0.229);
      value = value * 1.5f;
    }
    out.data<float>()[c.planar ? (n * shape[3] + k) * plane + pixel : i] = value;
  }
  return out;
}

template <typename T>
Tensor expected_of(const Tensor& input, const ChainCase& c) {
  Tensor value = input.clone();
  if (c.images == 0) value.reshape({1, c.height, c.width, c.channels});
  if (c.has_region) value = cut<T>(value, c.region);
  if (c.resizes)
    value = image::resize(value.view(), c.size.width, c.size.height, static_cast<Interpolation>(c.interp));
  if (c.has_crop) value = cut<T>(value, c.crop);
  value = turned<T>(value, c.mirror, c.flip);
  if (c.first != "none") value = converted<T>(value, c);
  if (c.images == 0) {
    Shape shape = value.shape();
    shape.erase(0);
    value.reshape(shape);
  }
  return value;
}

Tensor expected_of(const Tensor& input, const ChainCase& c) {
  if (c.dtype == DType::uint8) return expected_of<std::uint8_t>(input, c);
  if (c.dtype == DType::float32) return expected_of<float>(input, c);
  if (c.dtype == DType::float64) return expected_of<double>(input, c);
  return expected_of<std::int32_t>(input, c);
}

ChainCase random_case(std::uint32_t seed) {
  std::uint32_t state = seed * 2654435761U + 1;
  const auto below = [&](std::int64_t n) {
    state = state * 1664525U + 1013904223U;
    return static_cast<int>((state >> 8) % static_cast<std::uint32_t>(n));
  };
  const auto part_of = [&](Size size) {
    Region part;
    part.x = below(size.width);
    part.y = below(size.height);
    part.width = 1 + below(size.width - part.x);
    part.height = 1 + below(size.height - part.y);
    return part;
  };
  ChainCase c;
  constexpr DType kTypes[] = {DType::uint8, DType::uint8, DType::float32, DType::float64, DType::int32};
  c.dtype = kTypes[below(5)];
  c.images = below(4);
  c.channels = below(2) == 0 ? 3 : 1 + below(4);
  c.height = 1 + below(80);
  c.width = 1 + below(90);
  Size size{static_cast<int>(c.width), static_cast<int>(c.height)};
  c.has_region = below(3) == 0;
  if (c.has_region) {
    c.region = part_of(size);
    size = {c.region.width, c.region.height};
  }
  c.resizes = c.dtype != DType::int32 && below(3) != 0;
  if (c.resizes) {
    c.interp = below(2) == 0 ? 1 : below(5);
    size = below(6) == 0 ? Size{(size.width + 1) / 2, (size.height + 1) / 2}
                         : Size{1 + below(70), 1 + below(70)};
    c.size = size;
  }
  c.has_crop = below(2) == 0;
  if (c.has_crop) c.crop = part_of(size);
  c.mirror = below(3) == 0;
  c.flip = below(3) == 0;
  c.planar = below(4) != 0;
  const char* const kFirst[] = {"to_tensor", "to_tensor", "cast", "none"};
  c.first = kFirst[below(4)];
  c.normalizes = below(4) != 0;
  return c;
}

bool equal(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

TEST(ImageChain, EqualsTheOperatorsOneByOne) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    const ChainCase c = random_case(seed);
    const Tensor input = image_of(c, seed);
    const Tensor expected = expected_of(input, c);
    for (const kernels::Target target : test::targets()) {
      for (const int threads : {1, 2}) {
        test::RunOpOptions options;
        options.target = target;
        options.threads = threads;
        const Tensor result =
            std::move(test::run_op("_mxinfer_image_chain", c.attrs(), {&input}, options)[0]);
        ASSERT_TRUE(equal(result, expected))
            << "case " << seed << ", " << to_string(target) << ", " << threads
            << " threads: " << to_string(c.dtype) << ' ' << to_string(input.shape()) << " to "
            << to_string(result.shape()) << ", " << to_string(expected.shape()) << " expected, interp "
            << c.interp << ", first " << c.first;
      }
    }
  }
}

TEST(ImageChain, NamesWhatItDoes) {
  const auto kernel_of = [](const ChainCase& c) {
    test::RunOpOptions options;
    std::string kernel;
    options.kernel = &kernel;
    const Tensor input = image_of(c, 1);
    test::run_op("_mxinfer_image_chain", c.attrs(), {&input}, options);
    return kernel.substr(0, kernel.find(' '));
  };
  ChainCase c;
  c.height = c.width = 30;
  EXPECT_EQ(kernel_of(c), "CropMirrorNormalize_uint8");
  c.resizes = true;
  c.size = {20, 10};
  EXPECT_EQ(kernel_of(c), "ResizeCropNormalize_uint8");
  c.first = "none";
  EXPECT_EQ(kernel_of(c), "FastResizeCropMirror_uint8");
  c.dtype = DType::float32;
  c.resizes = false;
  EXPECT_EQ(kernel_of(c), "CropMirror_float32");
}

/// The sizes that depend on the image's: the shorter side, and centres, before and after a resize.
TEST(ImageChain, WorksSizesOutOfTheImage) {
  const auto shape_of = [](const Shape& image, const std::map<std::string, std::string>& attrs) {
    Tensor input(DType::uint8, image);
    return test::run_op("_mxinfer_image_chain", attrs, {&input})[0].shape();
  };
  EXPECT_EQ(shape_of({40, 60, 3}, {{"size", "(20)"}, {"keep_ratio", "True"}}), (Shape{20, 30, 3}));
  EXPECT_EQ(shape_of({61, 40, 3}, {{"size", "20"}, {"keep_ratio", "True"}, {"center_crop", "(16, 18)"}}),
            (Shape{18, 16, 3}));
  EXPECT_EQ(shape_of({2, 40, 60, 3}, {{"center", "(32, 24)"}}), (Shape{2, 24, 32, 3}));
  // A centre that is larger than the image is enlarged.
  EXPECT_EQ(shape_of({10, 10, 3}, {{"center", "(32, 24)"}}), (Shape{24, 32, 3}));
  EXPECT_EQ(shape_of({10, 10, 1}, {{"first", "cast"},
                                   {"planar", "True"},
                                   {"steps", "sub"},
                                   {"counts", "(3)"},
                                   {"numbers", "(1, 2, 3)"}}),
            (Shape{3, 10, 10}));
}

TEST(ImageChain, RefusesWhatDoesNotFit) {
  const auto expect_error = [](const Shape& image, const std::map<std::string, std::string>& attrs) {
    Tensor input(DType::uint8, image);
    EXPECT_THROW(test::run_op("_mxinfer_image_chain", attrs, {&input}), Error) << to_string(image);
  };
  expect_error({10, 10}, {});
  expect_error({10, 10, 3}, {{"rank", "4"}});
  expect_error({10, 10, 3}, {{"crop", "(5, 5, 6, 2)"}});
  expect_error({10, 10, 3}, {{"crop", "(-1, 5, 2, 2)"}});
  expect_error({10, 10, 3}, {{"region", "(0, 0, 0, 2)"}});
  expect_error({10, 10, 3}, {{"region", "(0, 0, 2)"}});
  expect_error({10, 10, 3}, {{"size", "(0, 5)"}});
  expect_error({10, 10, 3}, {{"size", "(5, 5)"}, {"interp", "7"}});
  expect_error({10, 10, 3}, {{"size", "(5, 5)"}, {"center_crop", "(6, 6)"}});
  expect_error({10, 10, 3}, {{"steps", "mean"}, {"counts", "(1)"}, {"numbers", "(1)"}});
  expect_error({10, 10, 3}, {{"first", "float32"}});
  expect_error({10, 10, 3}, {{"channels", "rgb"}});
  expect_error({10, 10, 2}, {{"channels", "rgb"}, {"first", "cast"}});
  const std::map<std::string, std::string> two{
      {"first", "cast"}, {"steps", "mean"}, {"counts", "(2)"}, {"numbers", "(1, 2)"}};
  expect_error({10, 10, 3}, two);
  expect_error({10, 10, 1}, two);
  expect_error({10, 10, 3}, {{"first", "cast"}, {"steps", "mean"}, {"counts", "(3)"}, {"numbers", "(1, 2)"}});
}

}  // namespace
}  // namespace mxinfer
