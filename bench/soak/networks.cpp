#include "soak/networks.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "support/files/params_writer.h"

namespace mxinfer::soak {
namespace {

constexpr std::string_view kAnySize = R"json({"nodes": [
  {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 0, 0)"}, "inputs": []},
  {"op": "null", "name": "conv0_weight", "inputs": []},
  {"op": "null", "name": "conv0_bias", "inputs": []},
  {"op": "Convolution", "name": "conv0", "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
   "attrs": {"kernel": "(3, 3)", "pad": "(1, 1)", "num_filter": "16"}},
  {"op": "Activation", "name": "relu0", "inputs": [[3, 0, 0]], "attrs": {"act_type": "relu"}},
  {"op": "null", "name": "conv1_weight", "inputs": []},
  {"op": "null", "name": "conv1_bias", "inputs": []},
  {"op": "Convolution", "name": "conv1", "inputs": [[4, 0, 0], [5, 0, 0], [6, 0, 0]],
   "attrs": {"kernel": "(3, 3)", "pad": "(1, 1)", "stride": "(2, 2)", "num_filter": "32"}},
  {"op": "Activation", "name": "relu1", "inputs": [[7, 0, 0]], "attrs": {"act_type": "relu"}},
  {"op": "Pooling", "name": "pool", "inputs": [[8, 0, 0]],
   "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}},
  {"op": "null", "name": "dense_weight", "inputs": []},
  {"op": "null", "name": "dense_bias", "inputs": []},
  {"op": "FullyConnected", "name": "dense", "inputs": [[9, 0, 0], [10, 0, 0], [11, 0, 0]],
   "attrs": {"num_hidden": "10"}},
  {"op": "softmax", "name": "prob", "inputs": [[12, 0, 0]]}],
  "arg_nodes": [0, 1, 2, 5, 6, 10, 11], "heads": [[13, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

/// Some numbers from -0.1 to 0.1, the same ones at each call.
test::Record weights(const test::Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 37 % 101 - 50) / 500.0f);
  return test::dense_v2(DType::float32, dims, test::floats(values));
}

std::vector<std::byte> any_size_params() {
  return test::ParamsWriter()
      .add("arg:conv0_weight", weights({16, 3, 3, 3}))
      .add("arg:conv0_bias", weights({16}))
      .add("arg:conv1_weight", weights({32, 16, 3, 3}))
      .add("arg:conv1_bias", weights({32}))
      .add("arg:dense_weight", weights({10, 32}))
      .add("arg:dense_bias", weights({10}))
      .finish();
}

}  // namespace

Model load_digits() {
  return Model::load(MXINFER_SOURCE_DIR "/models/digits");
}

Model load_any_size() {
  return Model::load_memory(kAnySize, any_size_params());
}

std::vector<std::byte> read_digit() {
  const std::string path = MXINFER_SOURCE_DIR "/examples/images/seven.jpg";
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) throw std::runtime_error("cannot read " + path);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace mxinfer::soak
