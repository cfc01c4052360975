// Networks in which several nodes have one name, as JSON text: MXNet allows it.
#pragma once

#include <string>

namespace mxinfer::test {

/// "layer" three times: data * 2, relu of that, and that minus 1. `heads` as in a symbol file.
inline std::string equal_names_json(const std::string& heads = "[[3, 0, 0]]") {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 2)"}, "inputs": []},
    {"op": "_mul_scalar", "name": "layer", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
    {"op": "Activation", "name": "layer", "attrs": {"act_type": "relu"}, "inputs": [[1, 0, 0]]},
    {"op": "_minus_scalar", "name": "layer", "attrs": {"scalar": "1"}, "inputs": [[2, 0, 0]]}],
    "arg_nodes": [0], "heads": )json" +
         heads + R"json(, "attrs": {"mxnet_version": ["int", 10901]}})json";
}

}  // namespace mxinfer::test
