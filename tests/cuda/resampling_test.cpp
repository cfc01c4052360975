// Feature maps brought to another size on a GPU.
#include <gtest/gtest.h>

#include "cuda/support.h"

namespace mxinfer {
namespace {

TEST(ResamplingOnCuda, Upsampling) {
  for (const char* scale : {"1", "2", "3"}) {
    for (std::int64_t width : {1, 5, 33}) {
      const Tensor data = test::random_tensor({2, 3, 4, width}, 3);
      test::expect_as_on_cpu("UpSampling", {{"scale", scale}, {"sample_type", "nearest"}, {"num_args", "1"}},
                             {&data}, {.tolerance = 0});
    }
  }
}

TEST(ResamplingOnCuda, UpsamplingOfSeveral) {
  const Tensor small = test::random_tensor({2, 3, 2, 3}, 3), large = test::random_tensor({2, 3, 4, 6}, 4);
  for (const char* mode : {"concat", "sum"}) {
    test::expect_as_on_cpu(
        "UpSampling",
        {{"scale", "4"}, {"sample_type", "nearest"}, {"num_args", "2"}, {"multi_input_mode", mode}},
        {&small, &large}, {.tolerance = 0});
  }
}

TEST(ResamplingOnCuda, UpsamplingChannelsLast) {
  for (std::int64_t channels : {1, 2, 3, 4, 64}) {
    const Tensor data = test::random_tensor({2, 3, 5, channels}, 3);
    test::expect_as_on_cpu("_mxinfer_upsampling_nhwc", {{"scale", "2"}}, {&data}, {.tolerance = 0});
  }
}

TEST(ResamplingOnCuda, BilinearWithTheBitsOfTheCpu) {
  const Tensor data = test::random_tensor({2, 3, 7, 9}, 3);
  for (const char* corners : {"True", "False"}) {
    for (const auto& [height, width] : {std::pair("14", "18"), {"5", "4"}, {"1", "1"}, {"20", "9"}}) {
      test::expect_as_on_cpu("_contrib_BilinearResize2D",
                             {{"height", height}, {"width", width}, {"align_corners", corners}}, {&data},
                             {.tolerance = 0});
    }
  }
  const Tensor like = test::random_tensor({2, 1, 11, 13}, 4);
  test::expect_as_on_cpu("_contrib_BilinearResize2D", {{"mode", "like"}}, {&data, &like}, {.tolerance = 0});
}

}  // namespace
}  // namespace mxinfer
