// Small networks that take ids, and words for them: an Embedding, its sum over the text, a dense layer.
//
//   Model model = test::bag_network({.words = 12, .classes = 3});
//   model.save ...                        // or, as files: test::write_bag_network(dir / "net", {...});
//
// The row of the padding, id 0, is zero, so that a text has the same scores in each bucket. With segments a
// second Embedding is added, whose row 0 is zero too.
#pragma once

#include <mxinfer/model.h>

#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "support/files/params_writer.h"

namespace mxinfer::test {

struct BagNetwork {
  std::int64_t words = 12;
  std::int64_t classes = 3;
  bool segments = false;  ///< an input "token_types"
  std::vector<std::string> labels{};
};

inline const std::vector<std::string>& bag_words() {
  static const auto& words = *new std::vector<std::string>{"<pad>", "<unk>", "[CLS]", "[SEP]", "the",  "film",
                                                           "was",   "good",  "bad",   "and",   "long", "!"};
  return words;
}

inline std::string bag_network_json(const BagNetwork& network) {
  const std::string words = std::to_string(network.words), classes = std::to_string(network.classes);
  const std::string shape = R"json("attrs": {"__shape__": "(0, 0)"})json";
  const std::string segments = !network.segments ? "" : R"json(,
    {"op": "null", "name": "token_types", )json" + shape + R"json(, "inputs": []},
    {"op": "null", "name": "segment_weight", "inputs": []},
    {"op": "Embedding", "name": "segment", "attrs": {"input_dim": "2", "output_dim": "4"},
     "inputs": [[5, 0, 0], [6, 0, 0]]},
    {"op": "elemwise_add", "name": "both", "inputs": [[2, 0, 0], [7, 0, 0]]})json";
  const int first = network.segments ? 9 : 5, summed = network.segments ? 8 : 2;
  return R"json({"nodes": [
    {"op": "null", "name": "data", )json" +
         shape + R"json(, "inputs": []},
    {"op": "null", "name": "embed_weight", "inputs": []},
    {"op": "Embedding", "name": "embed", "attrs": {"input_dim": ")json" +
         words + R"json(", "output_dim": "4"},
     "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "null", "name": "fc_weight", "inputs": []},
    {"op": "null", "name": "fc_bias", "inputs": []})json" +
         segments + R"json(,
    {"op": "sum", "name": "sum", "attrs": {"axis": "1"}, "inputs": [[)json" +
         std::to_string(summed) + R"json(, 0, 0]]},
    {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": ")json" +
         classes + R"json("},
     "inputs": [[)json" +
         std::to_string(first) + R"json(, 0, 0], [3, 0, 0], [4, 0, 0]]}],
    "arg_nodes": [0, 1, 3, 4], "heads": [[)json" +
         std::to_string(first + 1) + R"json(, 0, 0]],
    "attrs": {"mxnet_version": ["int", 10901]}})json";
}

inline std::vector<std::byte> bag_network_params(const BagNetwork& network) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto values = [&](std::int64_t rows, std::int64_t columns, bool zero_first) {
    std::vector<float> all(static_cast<std::size_t>(rows * columns));
    for (float& value : all) value = uniform(random);
    for (std::int64_t i = 0; zero_first && i < columns; ++i) all[static_cast<std::size_t>(i)] = 0;
    return dense_v2(DType::float32, {rows, columns}, floats(all));
  };
  ParamsWriter file;
  file.add("arg:embed_weight", values(network.words, 4, true));
  file.add("arg:fc_weight", values(network.classes, 4, false));
  file.add("arg:fc_bias",
           dense_v2(DType::float32, {network.classes},
                    floats(std::vector<float>(static_cast<std::size_t>(network.classes), 0.1f))));
  if (network.segments) file.add("arg:segment_weight", values(2, 4, true));
  return file.finish();
}

inline Model bag_network(const BagNetwork& network = {}) {
  LoadOptions options;
  options.labels = network.labels;
  const std::vector<std::byte> params = bag_network_params(network);
  const std::string json = bag_network_json(network);
  return Model::load_memory(Span<const char>(json), params, options);
}

/// <prefix>-symbol.json and <prefix>-0000.params.
inline void write_bag_network(const std::string& prefix, const BagNetwork& network = {}) {
  std::ofstream(prefix + "-symbol.json") << bag_network_json(network);
  const std::vector<std::byte> params = bag_network_params(network);
  std::ofstream(prefix + "-0000.params", std::ios::binary)
      .write(reinterpret_cast<const char*>(params.data()), static_cast<std::streamsize>(params.size()));
}

}  // namespace mxinfer::test
