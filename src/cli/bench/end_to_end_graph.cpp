#include "cli/bench/end_to_end_graph.h"

#include <mxinfer/error.h>
#include <mxinfer/tensor.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <system_error>
#include <utility>

namespace mxinfer::cli {
namespace {

using nlohmann::json;

/// Writes a symbol file node by node. A node is identified by its index.
class SymbolWriter {
 public:
  int input(const std::string& name) { return node("null", name, json::object(), {}); }
  int node(const std::string& op, const std::string& name, const json& attrs,
           const std::vector<int>& inputs) {
    json from = json::array();
    for (int i : inputs) from.push_back({i, 0, 0});
    nodes_.push_back({{"op", op}, {"name", name}, {"attrs", attrs}, {"inputs", from}});
    return static_cast<int>(nodes_.size()) - 1;
  }
  json finish(int head) const { return symbol(nodes_, json::array({{head, 0, 0}})); }

  static json symbol(const json& nodes, const json& heads) {
    json arguments = json::array();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].at("op") == "null") arguments.push_back(i);
    }
    return {{"nodes", nodes},
            {"arg_nodes", arguments},
            {"heads", heads},
            {"attrs", {{"mxnet_version", {"int", 10901}}}}};
  }

 private:
  json nodes_ = json::array();
};

struct Weights {
  std::vector<std::pair<std::string, Tensor>> arrays{};
  std::mt19937 generator{1};

  void uniform(const std::string& name, const Shape& shape, float bound) {
    Tensor tensor(DType::float32, shape);
    for (std::int64_t i = 0; i < tensor.elements(); ++i)
      tensor.data<float>()[i] = bound * (static_cast<float>(generator() >> 8) * 0x1p-23f - 1.0f);
    arrays.emplace_back("arg:" + name, std::move(tensor));
  }
  void constant(const std::string& name, std::int64_t count, float value) {
    Tensor tensor(DType::float32, {count});
    std::fill_n(tensor.data<float>(), count, value);
    arrays.emplace_back(name, std::move(tensor));
  }
  /// A .params file: a header, the record of each array, the names.
  std::vector<char> file() const {
    std::vector<char> bytes;
    const auto put = [&](auto value) {
      const auto* from = reinterpret_cast<const char*>(&value);
      bytes.insert(bytes.end(), from, from + sizeof value);
    };
    put(std::uint64_t{0x112});
    put(std::uint64_t{0});
    put(std::uint64_t{arrays.size()});
    for (const auto& [name, tensor] : arrays) {
      put(std::uint32_t{0xF993FAC9});
      put(std::int32_t{0});  // dense
      put(static_cast<std::int32_t>(tensor.shape().rank()));
      for (const std::int64_t size : tensor.shape()) put(size);
      for (const std::int32_t value : {1, 0, 0}) put(value);  // on the CPU, float32
      const auto* from = static_cast<const char*>(tensor.raw());
      bytes.insert(bytes.end(), from, from + tensor.bytes());
    }
    put(std::uint64_t{arrays.size()});
    for (const auto& [name, tensor] : arrays) {
      put(std::uint64_t{name.size()});
      bytes.insert(bytes.end(), name.begin(), name.end());
    }
    return bytes;
  }
};

class ResNet18 {
 public:
  NetworkFiles make() {
    int x = graph_.input("data");
    x = relu(convolution(x, 3, 64, 7, 2, 3));
    x = graph_.node("Pooling", name("pool"),
                    {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"pool_type", "max"}},
                    {x});
    int channels = 64;
    for (int stage = 0; stage < 4; ++stage) {
      for (int block = 0; block < 2; ++block) {
        const int outputs = 64 << stage;
        x = basic_block(x, channels, outputs, stage > 0 && block == 0 ? 2 : 1);
        channels = outputs;
      }
    }
    x = graph_.node("Pooling", name("pool"),
                    {{"kernel", "(1, 1)"}, {"global_pool", "True"}, {"pool_type", "avg"}}, {x});
    weights_.uniform("dense_weight", {1000, channels}, 0.05f);
    weights_.constant("arg:dense_bias", 1000, 0.0f);
    const int weight = graph_.input("dense_weight"), bias = graph_.input("dense_bias");
    x = graph_.node("FullyConnected", "dense", {{"num_hidden", "1000"}}, {x, weight, bias});
    return {graph_.finish(x), weights_.file()};
  }

 private:
  std::string name(const std::string& kind) { return kind + std::to_string(count_++); }

  int relu(int x) { return graph_.node("Activation", name("relu"), {{"act_type", "relu"}}, {x}); }

  /// A convolution and its batch norm.
  int convolution(int x, int inputs, int outputs, int kernel, int stride, int pad) {
    const auto square = [](int n) { return "(" + std::to_string(n) + ", " + std::to_string(n) + ")"; };
    const std::string conv = name("conv"), norm = name("batchnorm");
    const int weight = graph_.input(conv + "_weight");
    const auto fan_in = static_cast<float>(inputs * kernel * kernel);
    weights_.uniform(conv + "_weight", {outputs, inputs, kernel, kernel}, std::sqrt(3.0f / fan_in));
    x = graph_.node("Convolution", conv,
                    {{"kernel", square(kernel)},
                     {"stride", square(stride)},
                     {"pad", square(pad)},
                     {"num_filter", std::to_string(outputs)},
                     {"no_bias", "True"}},
                    {x, weight});
    std::vector<int> inputs_of_norm{x};
    const std::pair<const char*, float> kVectors[] = {
        {"gamma", 1.0f}, {"beta", 0.1f}, {"running_mean", 0.1f}, {"running_var", 1.0f}};
    for (const auto& [vector, value] : kVectors) {
      const bool auxiliary = inputs_of_norm.size() > 2;
      inputs_of_norm.push_back(graph_.input(norm + "_" + vector));
      weights_.constant(std::string(auxiliary ? "aux:" : "arg:") + norm + "_" + vector, outputs, value);
    }
    return graph_.node("BatchNorm", norm, {{"eps", "1e-05"}, {"fix_gamma", "False"}}, inputs_of_norm);
  }

  int basic_block(int x, int inputs, int outputs, int stride) {
    int body = relu(convolution(x, inputs, outputs, 3, stride, 1));
    body = convolution(body, outputs, outputs, 3, 1, 1);
    if (inputs != outputs) x = convolution(x, inputs, outputs, 1, stride, 0);
    return relu(graph_.node("elemwise_add", name("plus"), json::object(), {x, body}));
  }

  SymbolWriter graph_;
  Weights weights_;
  int count_ = 0;
};

const std::map<std::string, std::pair<const char*, json>>& known_steps() {
  static const std::map<std::string, std::pair<const char*, json>> kSteps{
      {"resize", {"_image_resize", {{"size", "(224, 224)"}}}},
      {"to_tensor", {"_image_to_tensor", json::object()}},
      {"normalize",
       {"_image_normalize", {{"mean", "(0.485, 0.456, 0.406)"}, {"std", "(0.229, 0.224, 0.225)"}}}}};
  return kSteps;
}

/// The input, followed by the steps.
SymbolWriter with_steps(const std::string& input, const std::vector<std::string>& steps) {
  SymbolWriter graph;
  int x = graph.input(input);
  for (const std::string& step : steps) {
    const auto& [op, attrs] = known_steps().at(step);
    std::string name = input;
    name.append("_").append(step);
    x = graph.node(op, name, attrs, {x});
  }
  return graph;
}

std::size_t input_index(const NetworkFiles& network) {
  const json& nodes = network.symbol.at("nodes");
  const std::string name = input_name(network);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].at("name") == name) return i;
  }
  return 0;
}

/// The steps, followed by the network's nodes.
json splice(const NetworkFiles& network, const std::vector<std::string>& steps) {
  const std::size_t input = input_index(network), added = steps.size();
  const auto renumber = [&](json references) {
    for (json& reference : references) {
      const auto id = reference.at(0).get<std::size_t>();
      reference[0] = id == input ? added : id < input ? id + 1 + added : id + added;
    }
    return references;
  };
  json nodes = with_steps(input_name(network), steps).finish(0).at("nodes");
  const json& old = network.symbol.at("nodes");
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (i == input) continue;
    json node = old[i];
    node["inputs"] = renumber(node.at("inputs"));
    nodes.push_back(std::move(node));
  }
  return SymbolWriter::symbol(nodes, renumber(network.symbol.at("heads")));
}

Model load(const json& symbol, const std::vector<char>& params, DataDesc input) {
  const std::string text = symbol.dump();
  LoadOptions options;
  options.inputs = {std::move(input)};
  return Model::load_memory({text.data(), text.size()},
                            {reinterpret_cast<const std::uint8_t*>(params.data()), params.size()}, options);
}

std::vector<char> read_whole(const std::string& path) {
  // Opening a pipe would block.
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(path, error);
  std::ifstream file;
  if (regular) file.open(path, std::ios::binary);
  if (!file.is_open())
    throw Error(ErrorCode::not_found, "cannot open '" + path + "': expected a regular file");
  return {std::istreambuf_iterator<char>(file), {}};
}

DataDesc bytes_input(const std::string& name) {
  return {name, {-1, -1, -1, 3}, DType::uint8, "NHWC"};
}

}  // namespace

NetworkFiles random_resnet18() {
  return ResNet18().make();
}

NetworkFiles read_network(const std::string& prefix, const std::string& params_path) {
  const std::string symbol_path = prefix + "-symbol.json";
  NetworkFiles network;
  network.symbol = json::parse(read_whole(symbol_path), nullptr, false);
  if (!network.symbol.is_object() || !network.symbol.contains("nodes") || !network.symbol.contains("heads"))
    throw Error(ErrorCode::malformed,
                symbol_path + " is not a symbol file: expected JSON with nodes and heads");
  network.params = read_whole(params_path.empty() ? prefix + "-0000.params" : params_path);
  return network;
}

std::string input_name(const NetworkFiles& network) {
  const std::string text = network.symbol.dump();
  const auto model = Model::load_memory(
      {text.data(), text.size()},
      {reinterpret_cast<const std::uint8_t*>(network.params.data()), network.params.size()});
  const auto& inputs = model.signature().inputs;
  if (inputs.size() == 1) return inputs[0].name;
  throw Error(ErrorCode::unsupported, "--preset end-to-end requires a network with one input, this one has " +
                                          std::to_string(inputs.size()));
}

Model load_with_steps(const NetworkFiles& network, const std::vector<std::string>& steps) {
  return load(splice(network, steps), network.params, bytes_input(input_name(network)));
}

Model load_bare(const NetworkFiles& network) {
  return load(network.symbol, network.params,
              {input_name(network), {-1, 3, 224, 224}, DType::float32, "NCHW"});
}

Model load_steps(const std::vector<std::string>& steps) {
  DataDesc input = bytes_input("data");
  if (steps.at(0) == "normalize") input = {"data", {-1, 3, -1, -1}, DType::float32, "NCHW"};
  return load(with_steps("data", steps).finish(static_cast<int>(steps.size())), {}, input);
}

}  // namespace mxinfer::cli
