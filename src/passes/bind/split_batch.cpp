#include "passes/bind/split_batch.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/node_of.h"
#include "ops/registry.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::TensorType;
using shapes::ValueTypes;

// With fewer samples kernels can share weights between them at little cost in cache.
constexpr std::int64_t kLeastBatch = 4;
// If all values of an operator fit a core's own cache, batched or not, nothing is to be gained.
constexpr std::size_t kOwnCache = std::size_t{1} << 20;
// A step costs some tens of nanoseconds to begin. If a sample has fewer bytes than are read from memory in
// that time, as rows of a table have, the cache saves less.
constexpr double kLeastBytesOfStep = 1024;

class Splitter {
 public:
  Splitter(const Graph& graph, const std::vector<TensorType>& inputs, const ValueTypes& types)
      : graph_(graph), types_(types), batch_(common_batch(inputs)) {}

  std::optional<Graph> split() {
    if (batch_ < kLeastBatch) return std::nullopt;
    choose();
    if (chosen_.size() < 2 || largest_ < kOwnCache) return std::nullopt;
    if (best_ < kLeastBytesOfStep * static_cast<double>(chosen_.size())) return std::nullopt;
    return rewritten();
  }

 private:
  static std::int64_t common_batch(const std::vector<TensorType>& inputs) {
    std::int64_t batch = 0;
    for (const TensorType& type : inputs) {
      if (type.shape.rank() == 0 || (batch != 0 && type.shape[0] != batch)) return 0;
      batch = type.shape[0];
    }
    return batch;
  }

  const TensorType& type(Value value) const {
    return types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  bool is_batched(const TensorType& type) const { return type.shape.rank() > 0 && type.shape[0] == batch_; }

  // Dimensions are aligned at the last one: samples stay apart if whatever holds some has the rank of the
  // output, and parameters have one row for all.
  bool broadcast_keeps_samples(std::size_t id) const {
    const Shape& out = types_[id][0].shape;
    const std::vector<Value>& inputs = graph_.nodes[id].inputs;
    return std::all_of(inputs.begin(), inputs.end(), [&](Value input) {
      const Shape& shape = type(input).shape;
      if (!graph::node_of(graph_, input).constant)
        return shape.rank() == out.rank() && is_batched(type(input));
      return shape.rank() < out.rank() || (!shape.empty() && shape[0] == 1);
    });
  }

  // Whether input i has a row for each sample: what is added, or what all inputs have.
  static bool is_batched_input(const Node& node, std::size_t i) {
    return (node.post_ops.residual && i + 1 == node.inputs.size()) ||
           ops::has_batched_inputs(node.op->traits);
  }

  bool runs_by_sample(std::size_t id) const {
    const Node& node = graph_.nodes[id];
    if (node.is_variable()) return false;
    const ops::Traits& traits = node.op->traits;
    const bool broadcasts = traits.elementwise == ops::Elementwise::broadcast;
    if (broadcasts ? !broadcast_keeps_samples(id) : !node.subgraphs.empty()) return false;
    bool reads_sample = false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Value input = node.inputs[i];
      const Node& from = graph::node_of(graph_, input);
      // A subgraph reads a parameter whole: one that has rows for each sample would not fit one of them.
      if (from.constant && is_batched_input(node, i)) return false;
      if (from.constant) continue;
      if (!from.is_variable() && !by_sample_[static_cast<std::size_t>(input.node)]) return false;
      reads_sample = true;
    }
    const std::vector<TensorType>& outputs = types_[id];
    return reads_sample && (broadcasts || ops::is_per_sample(traits, node.attrs, outputs[0].shape.rank())) &&
           std::all_of(outputs.begin(), outputs.end(), [&](const TensorType& t) { return is_batched(t); });
  }

  // As they are packed, in the type of the data.
  std::size_t weight_bytes(const Node& node) const {
    const std::size_t element_bytes = size_of(type(node.inputs[0]).dtype);
    std::size_t bytes = 0;
    for (Value input : node.inputs) {
      if (!graph::node_of(graph_, input).constant) continue;
      bytes += static_cast<std::size_t>(type(input).shape.elements()) * element_bytes;
    }
    return bytes;
  }

  // The first operators up to the one where the sum of what they read and write for a sample, less their
  // weights, is largest.
  void choose() {
    by_sample_.assign(graph_.nodes.size(), false);
    double gain = 0;
    std::vector<std::size_t> candidates;
    std::size_t largest = 0;
    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      by_sample_[id] = runs_by_sample(id);
      if (!by_sample_[id]) continue;
      candidates.push_back(id);
      std::size_t values = 0;
      for (const TensorType& output : types_[id]) values += bytes_of(output);
      for (Value input : graph_.nodes[id].inputs) {
        if (!graph::node_of(graph_, input).constant) values += bytes_of(type(input));
      }
      const std::size_t weights = weight_bytes(graph_.nodes[id]);
      largest = std::max(largest, values);
      gain += static_cast<double>(values) / static_cast<double>(batch_) - static_cast<double>(weights);
      if (gain <= best_) continue;
      best_ = gain;
      chosen_ = candidates;
      largest_ = largest;
    }
    by_sample_.assign(graph_.nodes.size(), false);
    for (std::size_t id : chosen_) by_sample_[id] = true;
  }

  // Copies a node whose inputs have been copied.
  static void copy(const Node& node, std::size_t id, Graph& to, std::map<Value, Value>& renamed) {
    Node copied = node;
    copied.control_deps.clear();
    for (Value& input : copied.inputs) input = renamed.at(input);
    const std::int32_t at = graph::append(to, std::move(copied));
    for (std::int32_t o = 0; o < node.num_outputs; ++o) renamed[{static_cast<std::int32_t>(id), o}] = {at, o};
  }

  // The chosen operators; `read` is set to the network's inputs that they read, in the order of its own.
  Graph subgraph(std::vector<Value>& read, std::map<Value, Value>& renamed) const {
    Graph sub;
    for (std::size_t id : chosen_) {
      for (Value input : graph_.nodes[id].inputs) {
        const Node& from = graph::node_of(graph_, input);
        if (!from.is_variable() || renamed.count(input) != 0) continue;
        copy(from, static_cast<std::size_t>(input.node), sub, renamed);
        if (from.constant) continue;
        sub.nodes.back().input_index = static_cast<std::int32_t>(read.size());
        read.push_back(input);
      }
      copy(graph_.nodes[id], id, sub, renamed);
    }
    return sub;
  }

  // The values of the chosen operators that others read.
  std::vector<Value> crossing() const {
    std::set<Value> values;
    const auto note = [&](Value value) {
      if (by_sample_[static_cast<std::size_t>(value.node)]) values.insert(value);
    };
    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (by_sample_[id]) continue;
      for (Value input : graph_.nodes[id].inputs) note(input);
    }
    for (Value head : graph_.heads) note(head);
    return {values.begin(), values.end()};
  }

  Graph rewritten() const {
    Graph result = graph_;
    result.nodes.clear();
    std::map<Value, Value> in_sub, in_result;
    std::vector<Value> read;
    auto sub = std::make_shared<Graph>(subgraph(read, in_sub));

    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (graph_.nodes[id].is_variable()) copy(graph_.nodes[id], id, result, in_result);
    }
    Node node;
    node.name = "each_sample";
    node.op = ops::find_op("_mxinfer_by_sample");
    node.op_name = node.op->name;
    for (Value input : read) node.inputs.push_back(in_result.at(input));
    const std::vector<Value> values = crossing();
    node.num_outputs = static_cast<std::int32_t>(values.size());
    for (Value value : values) sub->heads.push_back(in_sub.at(value));
    node.subgraphs = {std::move(sub)};
    const std::int32_t at = graph::append(result, std::move(node));
    for (std::size_t o = 0; o < values.size(); ++o) in_result[values[o]] = {at, static_cast<std::int32_t>(o)};

    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (!graph_.nodes[id].is_variable() && !by_sample_[id]) copy(graph_.nodes[id], id, result, in_result);
    }
    for (Value& head : result.heads) head = in_result.at(head);
    return result;
  }

  const Graph& graph_;
  const ValueTypes& types_;
  std::int64_t batch_;
  std::vector<bool> by_sample_;      ///< by node
  std::vector<std::size_t> chosen_;  ///< in order
  std::size_t largest_ = 0;          ///< the most that one of them reads and writes
  double best_ = 0;                  ///< bytes of a sample that then stay in the cache, less their weights
};

}  // namespace

std::optional<Graph> split_batch(const Graph& graph, const std::vector<TensorType>& inputs,
                                 const ValueTypes& types) {
  return Splitter(graph, inputs, types).split();
}

}  // namespace mxinfer::passes
