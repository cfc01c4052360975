// Recurrent networks that are unrolled take one length, and sometimes one batch: messages say so.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include "support/expect_error.h"

namespace mxinfer::test {
namespace {

/// A step of an unrolled network: relu(data + begin state), whose batch the file fixes.
TEST(UnrolledNetworks, AFixedBeginStateIsNamed) {
  const std::string json = R"json({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "_zeros", "name": "lstm_begin_state_0", "attrs": {"shape": "(1, 2)"}, "inputs": []},
      {"op": "elemwise_add", "name": "sum", "inputs": [[0, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Predictor predictor(Model::load_memory(Span<const char>(json), {}));
  EXPECT_MXINFER_ERROR(predictor.predict({Tensor(DType::float32, {3, 2})}), ErrorCode::invalid_argument,
                       {"node 'sum'", "the file fixes the shape of", "'lstm_begin_state_0' (1, 2)",
                        "accepts only the batch size"});
}

TEST(UnrolledNetworks, AnotherLengthNamesTheSteps) {
  const std::string json = R"json({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "SliceChannel", "name": "steps", "attrs": {"num_outputs": "5", "axis": "1", "squeeze_axis": "1"},
       "inputs": [[0, 0, 0]]},
      {"op": "elemwise_add", "name": "sum", "inputs": [[1, 0, 0], [1, 4, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Predictor predictor(Model::load_memory(Span<const char>(json), {}));
  for (const std::int64_t length : {3, 7, 10}) {
    EXPECT_MXINFER_ERROR(predictor.predict({Tensor(DType::float32, {1, length, 4})}),
                         ErrorCode::invalid_argument,
                         {"'steps'", "axis 1 must have 5 elements, it has " + std::to_string(length),
                          "unrolled for 5 steps", "BucketedModel"});
  }
}

}  // namespace
}  // namespace mxinfer::test
