// Graphs with 8-bit arithmetic that MXNet fused, quantized and ran (tests/oracle/record_quantized_graphs.py).
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>

#include "support/files/golden_npz.h"
#include "support/networks/golden_graphs.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

class QuantizedGraph : public ::testing::TestWithParam<std::string> {};

bool is_float(DType dtype) {
  return dtype == DType::float16 || dtype == DType::float32 || dtype == DType::float64;
}

// Integers are MXNet's to the bit.
void expect_same_integers(const Tensor& actual, const Tensor& expected, const std::string& name) {
  ASSERT_STREQ(to_string(actual.dtype()), to_string(expected.dtype())) << name;
  ASSERT_EQ(to_string(actual.shape()), to_string(expected.shape())) << name;
  if (is_float(expected.dtype())) return;
  EXPECT_EQ(std::memcmp(actual.raw(), expected.raw(), expected.bytes()), 0) << name;
}

TEST_P(QuantizedGraph, GivesMxnetsNumbers) {
  const auto folder = test::quantized_graphs_folder();
  const auto model = Model::load((folder / GetParam()).string());
  const test::Golden golden = test::read_golden(folder / (GetParam() + ".npz"));
  for (const int threads : {1, 2}) {
    Options options;
    options.threads = threads;
    const Predictor predictor(model, options);
    test::expect_golden(predictor, golden, 1e-5);
    std::vector<TensorView> inputs;
    for (const DataDesc& desc : model.signature().inputs)
      inputs.push_back(golden.inputs.at(desc.name).view());
    const auto outputs = predictor.predict(Span<const TensorView>(inputs));
    for (std::size_t i = 0; i < outputs.size(); ++i)
      expect_same_integers(outputs[i], golden.outputs[i], model.signature().outputs[i].name);
  }
}

std::string graph_name(const ::testing::TestParamInfo<std::string>& graph) {
  return graph.param;
}

INSTANTIATE_TEST_SUITE_P(Recorded, QuantizedGraph,
                         ::testing::ValuesIn(test::graphs_in(test::quantized_graphs_folder())), graph_name);

}  // namespace
}  // namespace mxinfer
