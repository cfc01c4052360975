// A convolution whose readers are all pointwise with stride s computes values of which only every s-th row
// and column is read. The stride moves onto it, and from there onto what it alone reads:
//
//   conv 3x3 -> conv 1x1 + shortcut -> relu -> { conv 1x1 /2, conv 1x1 /2 }
//   conv 3x3 /2 -> conv 1x1 + shortcut[every second] -> relu -> { conv 1x1, conv 1x1 }
//
// Both give (((in + 2p - k) / t + 1) - 1) / s + 1 = (in + 2p - k) / (t s) + 1 rows, of the same windows.
#include <algorithm>
#include <optional>

#include "graph/redirects.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;
using Sizes = std::vector<std::int64_t>;

struct Reader {
  std::size_t node;
  std::size_t input;
};

bool all_are(const Sizes& sizes, std::int64_t value) {
  return std::all_of(sizes.begin(), sizes.end(), [value](std::int64_t size) { return size == value; });
}

bool is_convolution(const Node& node) {
  return node.op != nullptr && (node.op->name == "Convolution" || node.op->name == "Convolution_v1");
}

// Takes one element of every window: the largest, or the only one.
bool is_subsampling(const Node& node) {
  if (node.op == nullptr || node.op->name != "Pooling") return false;
  const std::string& type = node.attrs.choice("pool_type");
  return !node.attrs.flag("global_pool") &&
         (type == "max" || (type == "avg" && all_are(node.attrs.tuple("kernel"), 1))) &&
         node.attrs.choice("pooling_convention") == "valid" && !node.attrs.has("layout");
}

// Of a convolution or pooling; empty if the attributes do not fit each other, which lowering reports.
Sizes strides_of(const Node& node) {
  const std::size_t rank = node.attrs.tuple("kernel").size();
  const Sizes strides = node.attrs.tuple("stride");
  if (strides.empty()) return Sizes(rank, 1);
  return strides.size() == rank ? strides : Sizes{};
}

bool is_pointwise(const Node& node) {
  if (!is_convolution(node) && !is_subsampling(node)) return false;
  return all_are(node.attrs.tuple("kernel"), 1) && all_are(node.attrs.tuple("pad"), 0);
}

void set_strides(Node& node, const Sizes& strides) {
  node.attrs.set("stride", graph::IntTuple(strides.begin(), strides.end()));
  std::string text;
  for (std::int64_t stride : strides) text += (text.empty() ? "(" : ", ") + std::to_string(stride);
  node.raw_attrs["stride"] = text + ")";
}

class Propagation {
 public:
  explicit Propagation(graph::Graph& graph) : graph_(graph), readers_(graph.nodes.size()) {
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
      const auto& inputs = graph.nodes[id].inputs;
      for (std::size_t i = 0; i < inputs.size(); ++i) readers_of(inputs[i]).push_back({id, i});
    }
    is_head_.resize(graph.nodes.size(), false);
    for (Value head : graph.heads) is_head_[static_cast<std::size_t>(head.node)] = true;
  }

  // Readers come after what they read, so that a stride goes as far as it can in one walk.
  void run() {
    for (std::size_t id = readers_.size(); id-- > 0;) {
      if (!is_convolution(graph_.nodes[id]) || is_head_[id]) continue;
      if (const auto strides = wanted_strides(id)) take(id, *strides);
    }
  }

 private:
  std::vector<Reader>& readers_of(Value value) { return readers_[static_cast<std::size_t>(value.node)]; }

  // The strides of all readers, if they are pointwise and agree in strides that are worth moving.
  std::optional<Sizes> wanted_strides(std::size_t id) const {
    std::optional<Sizes> wanted;
    for (const Reader& reader : readers_[id]) {
      const Node& node = graph_.nodes[reader.node];
      if (reader.input != 0 || !is_pointwise(node)) return std::nullopt;
      const Sizes strides = strides_of(node);
      if (wanted && strides != *wanted) return std::nullopt;
      wanted = strides;
    }
    const bool fits = wanted && wanted->size() == strides_of(graph_.nodes[id]).size();
    if (!fits || all_are(*wanted, 1)) return std::nullopt;
    return wanted;
  }

  void take(std::size_t id, const Sizes& strides) {
    for (const Reader& reader : readers_[id])
      set_strides(graph_.nodes[reader.node], Sizes(strides.size(), 1));
    Sizes product = strides_of(graph_.nodes[id]);
    for (std::size_t d = 0; d < strides.size(); ++d) product[d] *= strides[d];
    set_strides(graph_.nodes[id], product);
    graph_.nodes[id].notes.push_back("stride of '" + graph_.nodes[readers_[id][0].node].name + "' moved in");
    if (graph_.nodes[id].post_ops.residual) subsample_residual(id, strides);
  }

  void subsample_residual(std::size_t id, const Sizes& strides) {
    const std::size_t last = graph_.nodes[id].inputs.size() - 1;
    const Value residual = graph_.nodes[id].inputs[last];
    Node pooling;
    pooling.op = ops::find_op("Pooling");
    pooling.op_name = pooling.op->name;
    pooling.name = graph_.nodes[id].name + "_residual_subsampled";
    // An average of one: the largest of one would not keep NaN.
    pooling.attrs = graph::parse_attrs(pooling.op->attrs, {{"pool_type", "avg"}});
    pooling.attrs.set("kernel", graph::IntTuple(strides.size(), 1));
    pooling.attrs.set("stride", graph::IntTuple(strides.begin(), strides.end()));
    pooling.inputs = {residual};
    const auto pooling_id = static_cast<std::size_t>(graph::append(graph_, std::move(pooling)));
    graph_.nodes[id].inputs[last] = {static_cast<std::int32_t>(pooling_id), 0};
    for (Reader& reader : readers_of(residual)) {
      if (reader.node == id && reader.input == last) reader = {pooling_id, 0};
    }
  }

  graph::Graph& graph_;
  std::vector<std::vector<Reader>> readers_;  ///< of the nodes that were there; of all outputs of a node
  std::vector<bool> is_head_;
};

// What has handed its stride on takes every element.
void remove_idle_subsampling(graph::Graph& graph) {
  graph::Redirects redirects;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (is_subsampling(node) && is_pointwise(node) && !node.attrs.tuple("kernel").empty() &&
        all_are(strides_of(node), 1))
      redirects.add({static_cast<std::int32_t>(id), 0}, node.inputs[0]);
  }
  redirects.apply(graph);
}

}  // namespace

// A stride that all readers of a convolution ask for, being pointwise convolutions, moves onto it and back
// through what it alone reads. A residual that it adds is subsampled by a Pooling of windows of one element.
void propagate_stride(graph::Graph& graph, const Goal& /*goal*/) {
  Propagation(graph).run();
  remove_idle_subsampling(graph);
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
