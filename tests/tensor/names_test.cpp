#include "tensor/names.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mxinfer {
namespace {

TEST(Names, DtypesHaveTheirOwn) {
  std::string listed;
  for (int number = 0; number <= static_cast<int>(DType::bfloat16); ++number) {
    const auto dtype = static_cast<DType>(number);
    EXPECT_EQ(dtype_named(to_string(dtype)), dtype);
    const bool last = dtype == DType::bfloat16;
    listed += std::string(number == 0 ? "" : last ? " or " : ", ") + to_string(dtype);
  }
  EXPECT_EQ(listed, kDtypeNames);
}

TEST(Names, DtypesHaveOtherSpellings) {
  const std::vector<std::pair<const char*, DType>> spellings = {
      {"fp32", DType::float32},  {"float", DType::float32},  {"f32", DType::float32},
      {"FP32", DType::float32},  {"single", DType::float32}, {"double", DType::float64},
      {"fp64", DType::float64},  {"f64", DType::float64},    {"half", DType::float16},
      {"fp16", DType::float16},  {"f16", DType::float16},    {"Half", DType::float16},
      {"bf16", DType::bfloat16}, {"BF16", DType::bfloat16},  {"boolean", DType::boolean},
      {"UINT8", DType::uint8}};
  for (const auto& [name, dtype] : spellings) EXPECT_EQ(dtype_named(name), dtype) << name;
  for (const char* name : {"", "float8", "fp", "int", "unknown", "fp32 ", "tf32"})
    EXPECT_FALSE(dtype_named(name)) << name;
}

TEST(Names, DevicesHaveSeveral) {
  for (const char* name : {"", "cpu", "CPU", "cpu:0", "cpu(0)"})
    EXPECT_EQ(device_named(name), Device()) << name;
  for (const char* name : {"cuda", "gpu", "cuda:0", "gpu:0", "GPU(0)", "Cuda(0)"})
    EXPECT_EQ(device_named(name), (Device{DeviceType::cuda, 0})) << name;
  for (const char* name : {"cuda:12", "gpu:12", "gpu(12)"})
    EXPECT_EQ(device_named(name), (Device{DeviceType::cuda, 12})) << name;
}

TEST(Names, OtherDevicesAreNone) {
  for (const char* name : {"cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda0", "cuda(", "cuda()", "cuda(1",
                           "cuda:1)", "cpu:1", "tpu", ":0", "(0)", "0", " cuda", "cuda:99999999999"})
    EXPECT_FALSE(device_named(name)) << name;
}

TEST(Names, LayoutsMayHaveSmallLetters) {
  EXPECT_EQ(layout_named("nchw"), "NCHW");
  EXPECT_EQ(layout_named("NHWC"), "NHWC");
  EXPECT_EQ(layout_named(""), "");
  EXPECT_EQ(layout_named("n,c"), "n,c") << "for its reader to refuse";
}

}  // namespace
}  // namespace mxinfer
