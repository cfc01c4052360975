// Deformable convolutions on a GPU.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "cuda/halves.h"

namespace mxinfer {
namespace {

struct Sizes {
  std::int64_t batch = 1, channels = 1, filters = 1, height = 5, width = 6;
  std::int64_t kernel = 3, stride = 1, pad = 1, dilate = 1, groups = 1, offset_groups = 1;
  bool bias = true;

  std::int64_t out(std::int64_t size) const {
    return (size + 2 * pad - dilate * (kernel - 1) - 1) / stride + 1;
  }
  Shape field(std::int64_t planes) const {
    return {batch, planes * offset_groups * kernel * kernel, out(height), out(width)};
  }
  std::map<std::string, std::string> attrs() const {
    const auto twice = [](std::int64_t n) {
      return "(" + std::to_string(n) + ", " + std::to_string(n) + ")";
    };
    return {{"kernel", twice(kernel)},
            {"stride", twice(stride)},
            {"pad", twice(pad)},
            {"dilate", twice(dilate)},
            {"num_filter", std::to_string(filters)},
            {"num_group", std::to_string(groups)},
            {"num_deformable_group", std::to_string(offset_groups)},
            {"no_bias", bias ? "False" : "True"}};
  }
};

/// The inputs of both forms. Offsets reach beyond the image on all sides.
struct Inputs {
  explicit Inputs(const Sizes& s, const Tensor* given_offset = nullptr)
      : data(test::random_tensor({s.batch, s.channels, s.height, s.width}, 1)),
        offset(given_offset != nullptr ? given_offset->clone()
                                       : test::random_tensor(s.field(2), 2, -4.0f, 4.0f)),
        mask(test::random_tensor(s.field(1), 3)),
        weight(test::random_tensor({s.filters, s.channels / s.groups, s.kernel, s.kernel}, 4)),
        bias(test::random_tensor({s.filters}, 5)),
        plain{&data, &offset, &weight},
        modulated{&data, &offset, &mask, &weight} {
    if (s.bias) plain.push_back(&bias);
    if (s.bias) modulated.push_back(&bias);
  }

  Tensor data, offset, mask, weight, bias;
  std::vector<const Tensor*> plain, modulated;
};

void expect_as_on_cpu(const Sizes& s, const Tensor* given_offset = nullptr) {
  const Inputs inputs(s, given_offset);
  test::expect_as_on_cpu("_contrib_DeformableConvolution", s.attrs(), inputs.plain, {.parameters = {2}});
  test::expect_as_on_cpu("_contrib_ModulatedDeformableConvolution", s.attrs(), inputs.modulated,
                         {.parameters = {3}});
}

/// The image, its patches, the weights and the results in 16 bits.
void expect_deformable_in_halves(const Sizes& s, const Tensor* given_offset = nullptr) {
  const Inputs inputs(s, given_offset);
  test::InHalvesOptions plain{.parameters = {2}, .roundings = 4},
      modulated{.parameters = {3}, .roundings = 4};
  if (s.bias) plain.parameters.push_back(3);
  if (s.bias) modulated.parameters.push_back(4);
  test::expect_in_halves("_contrib_DeformableConvolution", s.attrs(), inputs.plain, plain);
  test::expect_in_halves("_contrib_ModulatedDeformableConvolution", s.attrs(), inputs.modulated, modulated);
}

TEST(DeformableOnCuda, ChannelsAndFilters) {
  for (const std::int64_t channels : {1, 7, 8, 9, 20}) {
    for (const std::int64_t filters : {1, 5, 65})
      expect_as_on_cpu({.channels = channels, .filters = filters});
  }
  expect_as_on_cpu({.channels = 3, .filters = 4, .bias = false});
}

TEST(DeformableOnCuda, StridesDilationsAndKernels) {
  expect_as_on_cpu({.channels = 2, .filters = 3, .height = 11, .width = 8, .stride = 2});
  expect_as_on_cpu({.channels = 2, .filters = 3, .height = 9, .width = 12, .pad = 0, .dilate = 3});
  expect_as_on_cpu({.channels = 2, .filters = 3, .kernel = 1, .pad = 0});
  expect_as_on_cpu({.channels = 2, .filters = 3, .height = 20, .width = 23, .kernel = 5, .pad = 2});
  expect_as_on_cpu({.channels = 2, .filters = 3, .height = 1, .width = 1});
}

TEST(DeformableOnCuda, GroupsOfWeightsAndOfOffsets) {
  expect_as_on_cpu({.batch = 2, .channels = 12, .filters = 6, .groups = 3});
  expect_as_on_cpu({.batch = 2, .channels = 12, .filters = 5, .offset_groups = 4});
  expect_as_on_cpu({.batch = 3, .channels = 20, .filters = 8, .groups = 4, .offset_groups = 2});
}

// The patches of 7 of 8 images would fit: 4 are computed at a time.
TEST(DeformableOnCuda, MoreImagesThanAreComputedAtATime) {
  expect_as_on_cpu(
      {.batch = 8, .channels = 4, .filters = 2, .height = 108, .width = 109, .kernel = 7, .pad = 3});
}

TEST(DeformableOnCuda, PlacesOnTheEdge) {
  const Sizes s{.channels = 2, .filters = 2, .height = 4, .width = 4, .kernel = 1, .pad = 0};
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const float moves[16] = {0.0f, -1.0f, -0.5f, 0.5f,  -0.001f, 3.0f,  3.5f,  4.0f,
                           nan,  inf,   -inf,  1e30f, 2.0f,    -4.0f, -1.5f, 0.999f};
  Tensor offset(DType::float32, s.field(2));
  for (int i = 0; i < 16; ++i) {
    offset.data<float>()[i] = moves[i];
    offset.data<float>()[16 + i] = moves[15 - i];
  }
  expect_as_on_cpu(s, &offset);
}

TEST(DeformableOnCuda, InHalves) {
  for (const std::int64_t channels : {1, 8, 20}) {
    for (const std::int64_t filters : {3, 24, 65})
      expect_deformable_in_halves({.channels = channels, .filters = filters});
  }
  expect_deformable_in_halves({.channels = 8, .filters = 16, .height = 7, .width = 8, .bias = false});
  expect_deformable_in_halves(
      {.channels = 2, .filters = 3, .height = 20, .width = 23, .kernel = 5, .pad = 2});
  expect_deformable_in_halves({.batch = 3, .channels = 20, .filters = 24, .groups = 4, .offset_groups = 2});
}

// A weight that is computed is stored in 16 bits too; the mask and offsets are not.
TEST(DeformableOnCuda, ComputedWeightsInHalves) {
  const Sizes s{.batch = 2, .channels = 9, .filters = 12};
  const Inputs inputs(s);
  test::expect_in_halves("_contrib_DeformableConvolution", s.attrs(), inputs.plain,
                         {.data = {0, 2}, .roundings = 4});
  test::expect_in_halves("_contrib_ModulatedDeformableConvolution", s.attrs(), inputs.modulated,
                         {.data = {0, 3}, .roundings = 4});
}

}  // namespace
}  // namespace mxinfer
