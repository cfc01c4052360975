// Writes PREFIX-symbol.json and PREFIX-0000.params for signed_models.py to load in MXNet: a dense layer,
// whose arrays are counted up from -8 in steps of 0.25, and PREFIX-arrays.params with an array of every dtype
// whose bytes count up from 0.
#include "formats/arrays/write_params.h"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/files/atomic_file.h"

namespace mxinfer {
namespace {

constexpr const char* kSymbol = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []}, {"op": "null", "name": "fc_weight", "inputs": []},
    {"op": "null", "name": "fc_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "4"},
     "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
    {"op": "null", "name": "bn_gamma", "inputs": []}, {"op": "null", "name": "bn_beta", "inputs": []},
    {"op": "null", "name": "bn_moving_mean", "inputs": []}, {"op": "null", "name": "bn_moving_var", "inputs": []},
    {"op": "BatchNorm", "name": "bn", "attrs": {"fix_gamma": "False", "eps": "0.001"},
     "inputs": [[3, 0, 0], [4, 0, 0], [5, 0, 0], [6, 0, 0], [7, 0, 0]]}],
  "arg_nodes": [0, 1, 2, 4, 5, 6, 7], "heads": [[8, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

Tensor counted(const Shape& shape, float start) {
  Tensor tensor(DType::float32, shape);
  for (std::int64_t i = 0; i < tensor.elements(); ++i)
    tensor.data<float>()[i] = start + 0.25f * static_cast<float>(i);
  return tensor;
}

// MXNet must give the same bytes back.
Tensor counted_bytes(DType dtype) {
  Tensor tensor(dtype, {2, 3});
  auto* bytes = static_cast<unsigned char*>(tensor.raw());
  for (std::size_t i = 0; i < tensor.bytes(); ++i) bytes[i] = static_cast<unsigned char>(i);
  if (dtype == DType::boolean) {
    for (std::size_t i = 0; i < tensor.bytes(); ++i) bytes[i] &= 1;
  }
  return tensor;
}

void write(const std::string& prefix) {
  const Tensor weight = counted({4, 3}, -8), bias = counted({4}, -8);
  const Tensor gamma = counted({4}, 1), beta = counted({4}, 0), mean = counted({4}, 0), var = counted({4}, 1);
  write_file_atomically(prefix + "-symbol.json", kSymbol);
  formats::write_params(prefix + "-0000.params", {{"arg:fc_weight", weight},
                                                  {"arg:fc_bias", bias},
                                                  {"arg:bn_gamma", gamma},
                                                  {"arg:bn_beta", beta},
                                                  {"aux:bn_moving_mean", mean},
                                                  {"aux:bn_moving_var", var}});
  std::vector<Tensor> tensors;
  std::vector<formats::ArrayToWrite> arrays;
  for (DType dtype : {DType::float32, DType::float64, DType::float16, DType::uint8, DType::int32, DType::int8,
                      DType::int64, DType::boolean}) {
    tensors.push_back(counted_bytes(dtype));
    arrays.push_back({std::string("arg:") + to_string(dtype), tensors.back()});
  }
  formats::write_params(prefix + "-arrays.params", arrays);
}

}  // namespace
}  // namespace mxinfer

int main(int argc, char** argv) {
  try {
    if (argc != 2) mxinfer::fail(mxinfer::ErrorCode::invalid_argument, "give a prefix");
    mxinfer::write(argv[1]);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
