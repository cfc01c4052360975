// Pooling on a GPU.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/support.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

Attributes with(Attributes attrs, const Attributes& more) {
  for (const auto& [name, value] : more) attrs[name] = value;
  return attrs;
}

// Every kind over the same windows.
void expect_pooled(const Shape& shape, const Attributes& attrs) {
  SCOPED_TRACE(to_string(shape));
  const Tensor data = test::random_tensor(shape, 3);
  for (const char* type : {"max", "avg", "sum"}) {
    SCOPED_TRACE(type);
    test::expect_as_on_cpu("Pooling", with(attrs, {{"pool_type", type}}), {&data});
  }
}

TEST(PoolingOnCuda, SmallWindowsChannelsFirst) {
  for (std::int64_t width : {1, 2, 31, 32, 33}) {
    expect_pooled(
        {2, 3, 5, width},
        {{"kernel", "(3, 2)"}, {"stride", "(2, 1)"}, {"pad", "(1, 1)"}, {"pooling_convention", "full"}});
  }
  // More outputs than a block has threads.
  expect_pooled({1, 5, 17, 29}, {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}});
  expect_pooled({1, 3, 9}, {{"kernel", "(3,)"}, {"stride", "(2,)"}, {"pad", "(1,)"}});
  expect_pooled({1, 2, 4, 5, 6}, {{"kernel", "(2, 3, 2)"}, {"stride", "(2, 1, 1)"}, {"pad", "(1, 1, 0)"}});
  expect_pooled({2, 3, 8}, {{"kernel", "(3,)"}, {"stride", "(3,)"}, {"pooling_convention", "same"}});
}

TEST(PoolingOnCuda, SmallWindowsChannelsLast) {
  for (std::int64_t channels : {1, 3, 4, 5, 8, 63, 64}) {
    expect_pooled({2, 7, 6, channels},
                  {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"layout", "NHWC"}});
  }
  expect_pooled({2, 9, 4}, {{"kernel", "(2,)"}, {"layout", "NWC"}});
  expect_pooled({1, 4, 5, 6, 4}, {{"kernel", "(2, 2, 3)"}, {"pad", "(1, 0, 1)"}, {"layout", "NDHWC"}});
}

// Tiles of 8 x 4 outputs and 8 vectors of channels, and windows that are partly or all outside.
TEST(PoolingOnCuda, TilesChannelsLast) {
  for (const char* kernel : {"(2, 2)", "(3, 3)"}) {
    for (const char* stride : {"(1, 1)", "(2, 2)", "(3, 2)"}) {
      for (const char* pad : {"(0, 0)", "(1, 1)"}) {
        for (const char* convention : {"valid", "full"}) {
          const Attributes attrs{{"kernel", kernel},
                                 {"stride", stride},
                                 {"pad", pad},
                                 {"layout", "NHWC"},
                                 {"pooling_convention", convention}};
          expect_pooled({2, 9, 17, 8}, attrs);
          expect_pooled({1, 10, 4, 72}, attrs);
          const Tensor data = test::random_tensor({1, 5, 4, 8}, 3, -2, 2);
          test::expect_as_on_cpu("Pooling", with(attrs, {{"pool_type", "lp"}, {"p_value", "2"}}), {&data});
          test::expect_as_on_cpu(
              "Pooling", with(attrs, {{"pool_type", "avg"}, {"count_include_pad", "False"}}), {&data});
        }
      }
    }
  }
}

TEST(PoolingOnCuda, LargeWindows) {
  // Blocks of 32, 256 and 1024 threads, and windows that do not fill the last round.
  for (std::int64_t side : {6, 7, 16, 17, 65, 70}) {
    expect_pooled({2, 3, side, side}, {{"global_pool", "True"}, {"kernel", "(1, 1)"}});
    for (std::int64_t channels : {3, 8, 9, 20}) {
      expect_pooled({2, side, side, channels},
                    {{"global_pool", "True"}, {"kernel", "(1, 1)"}, {"layout", "NHWC"}});
    }
  }
  const Attributes large{{"kernel", "(7, 6)"}, {"stride", "(3, 2)"}, {"pad", "(3, 2)"}};
  expect_pooled({1, 3, 13, 12}, large);
  expect_pooled({1, 13, 12, 9}, with(large, {{"layout", "NHWC"}}));
  expect_pooled({1, 5, 6, 7, 3}, {{"kernel", "(4, 4, 4)"}, {"pad", "(1, 2, 1)"}, {"layout", "NDHWC"}});
}

TEST(PoolingOnCuda, LargeWindowsOfMoreOutputsThanBlocks) {
  const Tensor data = test::random_tensor({1, 2055, 17, 16}, 3);
  test::expect_as_on_cpu("Pooling", {{"global_pool", "True"}, {"kernel", "(1, 1)"}, {"pool_type", "avg"}},
                         {&data});
}

TEST(PoolingOnCuda, AveragesOfTheValidPart) {
  const Tensor data = test::random_tensor({1, 3, 9, 10}, 5);
  for (const char* kernel : {"(3, 3)", "(8, 7)"}) {
    test::expect_as_on_cpu("Pooling",
                           {{"kernel", kernel},
                            {"pad", "(2, 2)"},
                            {"stride", "(2, 2)"},
                            {"pool_type", "avg"},
                            {"pooling_convention", "full"},
                            {"count_include_pad", "False"}},
                           {&data});
  }
}

TEST(PoolingOnCuda, Norms) {
  const Tensor data = test::random_tensor({1, 3, 9, 10}, 5, 0.1f, 1.0f);
  for (const char* p : {"1", "2", "3"}) {
    for (const char* kernel : {"(2, 2)", "(8, 7)"}) {
      test::expect_as_on_cpu(
          "Pooling", {{"kernel", kernel}, {"pad", "(1, 1)"}, {"pool_type", "lp"}, {"p_value", p}}, {&data});
    }
  }
}

// NaN loses; a window of nothing else gives the lowest number.
TEST(PoolingOnCuda, MaximaOfNanAndInfinity) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  Tensor data = test::random_tensor({1, 1, 8, 8}, 5);
  float* values = data.data<float>();
  for (int i : {0, 1, 8, 9, 20}) values[i] = nan;
  values[63] = -inf;
  values[36] = inf;
  test::expect_as_on_cpu("Pooling", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}}, {&data}, {.tolerance = 0});
  values[36] = 0;
  test::expect_as_on_cpu("Pooling", {{"global_pool", "True"}, {"kernel", "(1, 1)"}}, {&data},
                         {.tolerance = 0});
}

TEST(PoolingOnCuda, OldPooling) {
  const Tensor data = test::random_tensor({2, 3, 9, 10}, 5, -2.0f, -1.0f);
  for (const char* type : {"max", "avg", "sum"}) {
    for (const char* kernel : {"(3, 3)", "(8, 7)"}) {
      test::expect_as_on_cpu("Pooling_v1",
                             {{"kernel", kernel},
                              {"pad", "(1, 1)"},
                              {"stride", "(2, 3)"},
                              {"pool_type", type},
                              {"pooling_convention", "full"}},
                             {&data});
    }
  }
}

TEST(PoolingOnCuda, AdaptiveAverages) {
  const Tensor data = test::random_tensor({2, 3, 12, 10}, 5);
  for (const char* size : {"(1,)", "(6, 5)", "(5, 7)", "(13, 11)"})
    test::expect_as_on_cpu("_contrib_AdaptiveAvgPooling2D", {{"output_size", size}}, {&data});
}

}  // namespace
}  // namespace mxinfer
