#include "dense_layers.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "support/files/params_writer.h"

namespace mxinfer::bench::dense_layers {
namespace {

constexpr int kLayers = 3;

/// A node of a symbol file.
std::string node(const std::string& op, const std::string& name, const std::string& attrs = "",
                 const std::vector<int>& inputs = {}) {
  std::string from;
  for (const int input : inputs) from += (from.empty() ? "[" : ", [") + std::to_string(input) + ", 0, 0]";
  return R"json({"op": ")json" + op + R"json(", "name": ")json" + name + R"json(", "attrs": {)json" + attrs +
         R"json(}, "inputs": [)json" + from + "]}";
}

}  // namespace

Model model() {
  std::string nodes = node("null", "data", R"json("__shape__": "(0, 256)")json"), arguments = "0";
  test::ParamsWriter params;
  int last = 0;
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string name = "dense" + std::to_string(layer);
    const int weight = 4 * layer + 1, bias = weight + 1, dense = weight + 2;
    for (const std::string& one :
         {node("null", name + "_weight"), node("null", name + "_bias"),
          node("FullyConnected", name, R"json("num_hidden": "256")json", {last, weight, bias}),
          node("Activation", name + "_relu", R"json("act_type": "relu")json", {dense})})
      nodes += ", " + one;
    arguments += ", " + std::to_string(weight) + ", " + std::to_string(bias);
    last = weight + 3;
    std::vector<float> weights(static_cast<std::size_t>(kWidth * kWidth));
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.1f * std::sin(static_cast<float>(i));
    const std::vector<float> biases(static_cast<std::size_t>(kWidth), 0.01f);
    params.add("arg:" + name + "_weight",
               test::dense_v2(DType::float32, {kWidth, kWidth}, test::floats(weights)));
    params.add("arg:" + name + "_bias", test::dense_v2(DType::float32, {kWidth}, test::floats(biases)));
  }
  const std::string json = R"json({"nodes": [)json" + nodes + R"json(], "arg_nodes": [)json" + arguments +
                           R"json(], "heads": [[)json" + std::to_string(last) +
                           R"json(, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const std::vector<std::byte> bytes = params.finish();
  return Model::load_memory(json, bytes);
}

}  // namespace mxinfer::bench::dense_layers
