// Networks of a few operators with weights, written down node by node.
//
//   SmallNetwork net;
//   const int data = net.variable("data");
//   const int weight = net.parameter("w", {513, 1});
//   net.op("dot", "product", {}, {data, weight});
//   Model model = net.load();                                // of the last node's output
#pragma once

#include <mxinfer/model.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/files/params_writer.h"

namespace mxinfer::test {

class SmallNetwork {
 public:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  /// Returns the node's number, as the others do. `shape` is the __shape__ hint, none where empty.
  int variable(const std::string& name, const std::string& shape = "") {
    nlohmann::json node = {{"op", "null"}, {"name", name}, {"inputs", nlohmann::json::array()}};
    if (!shape.empty()) node["attrs"] = {{"__shape__", shape}};
    arguments_.push_back(static_cast<int>(nodes_.size()));
    return add(std::move(node));
  }
  /// A parameter whose elements are `values`, or 0, 0.5, 1, 0, ...
  int parameter(const std::string& name, const std::vector<std::int64_t>& dims,
                std::vector<float> values = {}) {
    std::size_t count = 1;
    for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
    for (std::size_t i = values.size(); i < count; ++i) values.push_back(0.5f * static_cast<float>(i % 3));
    params_.add("arg:" + name, dense_v2(DType::float32, dims, floats(values)));
    return variable(name);
  }
  /// Reads the first output of each node.
  int op(const std::string& op, const std::string& name, const Attributes& attributes,
         const std::vector<int>& inputs) {
    nlohmann::json attrs = nlohmann::json::object(), from = nlohmann::json::array();
    for (const auto& [key, value] : attributes) attrs[key] = value;
    for (const int input : inputs) from.push_back({input, 0, 0});
    return add({{"op", op}, {"name", name}, {"attrs", attrs}, {"inputs", from}});
  }

  /// A 1 x 1 convolution "c" of so many channels, and the mean of each of its 2 filters, "flat". Those of one
  /// channel are 0 and 0.5.
  int means_of_filters(int last, int channels) {
    last = op("Convolution", "c", {{"kernel", "(1, 1)"}, {"num_filter", "2"}, {"no_bias", "True"}},
              {last, parameter("c_weight", {2, channels, 1, 1})});
    last =
        op("Pooling", "pool", {{"kernel", "(1, 1)"}, {"global_pool", "True"}, {"pool_type", "avg"}}, {last});
    return op("Flatten", "flat", {}, {last});
  }

  /// The symbol file, with more keys beside "nodes" if there are some.
  std::string json(const nlohmann::json& more = nlohmann::json::object()) const {
    nlohmann::json graph = {{"nodes", nodes_},
                            {"arg_nodes", arguments_},
                            {"heads", {{nodes_.size() - 1, 0, 0}}},
                            {"attrs", {{"mxnet_version", {"int", 10901}}}}};
    graph.update(more);
    return graph.dump();
  }
  std::vector<std::byte> params() { return params_.finish(); }

  Model load(const LoadOptions& options = {}, const nlohmann::json& more = nlohmann::json::object()) {
    const std::string symbol = json(more);
    const std::vector<std::byte> bytes = params();
    return Model::load_memory(Span<const char>(symbol),
                              {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, options);
  }

 private:
  int add(nlohmann::json node) {
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }

  nlohmann::json nodes_ = nlohmann::json::array();
  std::vector<int> arguments_;
  ParamsWriter params_;
};

}  // namespace mxinfer::test
