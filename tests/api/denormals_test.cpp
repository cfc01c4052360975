// Networks whose weights, inputs or states are denormal numbers: these count as zero, and the caller's own
// arithmetic stays as it was.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/threads/flush_denormals.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

constexpr float kDenormal = 1e-40f;

Tensor filled(const Shape& shape, float value) {
  Tensor tensor(DType::float32, shape);
  std::fill_n(tensor.data<float>(), tensor.elements(), value);
  return tensor;
}

// Twice the data, which a kernel must not keep.
const char* const kTwice = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": [], "attrs": {"__shape__": "(0, 64)"}},
    {"op": "_mul_scalar", "name": "twice", "inputs": [[0, 0, 0]], "attrs": {"scalar": "2"}}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

TEST(Denormals, CountAsZeroInACall) {
  for (const int threads : {1, 2}) {
    Options options;
    options.threads = threads;
    const Predictor predictor(test::load_json(kTwice), options);
    const Tensor data = filled({512, 64}, kDenormal);
    const Tensor out = std::move(predictor.predict({data.view()})[0]);
    EXPECT_EQ(*std::max_element(out.data<float>(), out.data<float>() + out.elements()), 0);
    EXPECT_FALSE(flushes_denormals());
    const float smallest = std::numeric_limits<float>::min();
    EXPECT_EQ(predictor.predict({filled({1, 64}, smallest).view()})[0].data<float>()[0], 2 * smallest);
  }
}

TEST(Denormals, NaNAndInfinityStay) {
  const Predictor predictor(test::load_json(kTwice));
  Tensor data = filled({1, 64}, std::numeric_limits<float>::infinity());
  data.data<float>()[1] = std::numeric_limits<float>::quiet_NaN();
  const Tensor out = std::move(predictor.predict({data.view()})[0]);
  EXPECT_EQ(out.data<float>()[0], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(out.data<float>()[1]));
}

TEST(Denormals, CopiesKeepThem) {
  const Tensor data = filled({3, 5}, kDenormal);
  const auto out = test::run_op("transpose", {}, {&data});
  EXPECT_EQ(out[0].data<float>()[7], kDenormal);
}

}  // namespace
}  // namespace mxinfer
