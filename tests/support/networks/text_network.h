// A small network of texts: the sum of the vectors of its ids, how many of them are of the second text, and
// the length that it is given.
//
//   builder = ModelBuilder::from_memory(Span<const char>(text_network_json()), text_network_params());
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/files/params_writer.h"

namespace mxinfer::test {

/// Ids data0 (N, T), segments data1 (N, T) and lengths data2 (N,), all float32, to (N, 4).
inline std::string text_network_json() {
  return R"json({"nodes": [
    {"op": "null", "name": "data0", "inputs": []}, {"op": "null", "name": "words", "inputs": []},
    {"op": "Embedding", "name": "vectors", "attrs": {"input_dim": "8", "output_dim": "2"}, "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "sum", "name": "total", "attrs": {"axis": "1"}, "inputs": [[2, 0, 0]]},
    {"op": "null", "name": "data1", "inputs": []},
    {"op": "sum", "name": "seconds", "attrs": {"axis": "1", "keepdims": "True"}, "inputs": [[4, 0, 0]]},
    {"op": "null", "name": "data2", "inputs": []},
    {"op": "expand_dims", "name": "lengths", "attrs": {"axis": "1"}, "inputs": [[6, 0, 0]]},
    {"op": "Concat", "name": "all", "attrs": {"dim": "1", "num_args": "3"}, "inputs": [[3, 0, 0], [5, 0, 0], [7, 0, 0]]}],
    "arg_nodes": [0, 1, 4, 6], "heads": [[8, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

/// Word i has the vector (i, 10 i).
inline std::vector<std::byte> text_network_params() {
  std::vector<float> words;
  for (int i = 0; i < 8; ++i) words.insert(words.end(), {static_cast<float>(i), static_cast<float>(10 * i)});
  return ParamsWriter().add("arg:words", dense_v2(DType::float32, {8, 2}, floats(words))).finish();
}

}  // namespace mxinfer::test
