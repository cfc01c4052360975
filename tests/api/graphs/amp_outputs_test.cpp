// The dtypes of the outputs of models that were converted for mixed precision.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <string>

#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

/// data -> relu -> a cast to float32 and one to float16; both are outputs, and what lies behind the second
/// one.
const char* const kNetwork = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "relu", "name": "act", "inputs": [[0, 0, 0]]},
    {"op": "amp_cast", "name": "wide", "inputs": [[1, 0, 0]], "attrs": {"dtype": "float32"}},
    {"op": "amp_cast", "name": "narrow", "inputs": [[1, 0, 0]], "attrs": {"dtype": "float16"}},
    {"op": "negative", "name": "minus", "inputs": [[3, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0], [3, 0, 0], [4, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

std::vector<DType> output_dtypes(DType input) {
  LoadOptions load;
  load.inputs = {{"data", Shape{2, 3}, input}};
  const Tensor data(input, Shape{2, 3});
  std::vector<DType> dtypes;
  for (const char* precision : {"float32", "bfloat16"}) {
    Options options;
    options.precision = parse_precision(precision);
    const auto model = test::load_json(kNetwork, load);
    const auto outputs = Predictor(model, options).predict({data.view()});
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      EXPECT_EQ(outputs[o].dtype(), model.signature().outputs[o].dtype) << o << ' ' << to_string(input);
      dtypes.push_back(outputs[o].dtype());
    }
  }
  EXPECT_EQ(dtypes.size(), 6u);
  for (std::size_t o = 0; o + 3 < dtypes.size(); ++o) EXPECT_EQ(dtypes[o], dtypes[o + 3]);
  dtypes.resize(3);
  return dtypes;
}

using DTypes = std::vector<DType>;

TEST(AmpOutputs, HaveTheDtypesOfMxnet) {
  const DType f32 = DType::float32, f16 = DType::float16, i32 = DType::int32;
  EXPECT_EQ(output_dtypes(f32), (DTypes{f32, f16, f16}));
  EXPECT_EQ(output_dtypes(f16), (DTypes{f32, f16, f16}));
  EXPECT_EQ(output_dtypes(i32), (DTypes{i32, i32, i32}));
}

}  // namespace
}  // namespace mxinfer
