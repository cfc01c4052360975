// Models small enough to check by hand, without parameters, as JSON text.
#pragma once

#include <mxinfer/model.h>

#include <memory>
#include <string>

namespace mxinfer::test {

/// Takes (N, 3, H, W) and gives (N, 3): the mean of each channel. `shape` is the __shape__ hint, none where
/// empty.
inline std::string channel_means_json(const std::string& shape = "(0, 3, 4, 6)") {
  const std::string hint =
      shape.empty() ? "" : R"json("attrs": {"__shape__": ")json" + shape + R"json("},)json";
  return R"json({"nodes": [
    {"op": "null", "name": "data", )json" +
         hint + R"json( "inputs": []},
    {"op": "Pooling", "name": "pool", "inputs": [[0, 0, 0]],
     "attrs": {"global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg"}},
    {"op": "Flatten", "name": "flat", "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

/// A node that takes the first output of the node before it, `input`, and a comma.
inline std::string next_node(const std::string& op, const std::string& attrs, int input) {
  return R"json({"op": ")json" + op + R"json(", "name": "n)json" + std::to_string(input + 1) +
         R"json(", "attrs": {)json" + attrs + R"json(}, "inputs": [[)json" + std::to_string(input) +
         R"json(, 0, 0]]},)json";
}

/// As Gluon exports HybridSequential(transform, ToTensor(), network): images of any size go through the
/// operator `transform`, become a tensor, and give (N, 3), the mean of each channel. Nothing marks where the
/// network begins. With `decode` the input is the bytes of an image's file.
inline std::string image_means_json(const std::string& transform, const std::string& attrs,
                                    bool decode = false) {
  std::string nodes;
  int last = 0;
  const auto add = [&](const std::string& op, const std::string& of) { nodes += next_node(op, of, last++); };
  if (decode) add("_cvimdecode", "");
  add(transform, attrs);
  add("_image_to_tensor", "");
  add("Pooling", R"json("global_pool": "True", "kernel": "(1, 1)", "pool_type": "avg")json");
  add("Flatten", "");
  nodes.pop_back();
  return R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},)json" + nodes +
         R"json(], "arg_nodes": [0], "heads": [[)json" + std::to_string(last) +
         R"json(, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

/// Two inputs of any one shape, "a" and "b": gives a + b ("sum_output") and a * 2 ("double_output").
inline std::string two_inputs_json() {
  return R"json({"nodes": [
    {"op": "null", "name": "a", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "null", "name": "b", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "elemwise_add", "name": "sum", "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "_mul_scalar", "name": "double", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0], [3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

inline Model load_json(const std::string& json, const LoadOptions& options = {}) {
  return Model::load_memory(Span<const char>(json), {}, options);
}

}  // namespace mxinfer::test
