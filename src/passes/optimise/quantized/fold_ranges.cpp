#include <map>
#include <optional>

#include "base/fail.h"
#include "graph/node_of.h"
#include "graph/redirects.h"
#include "ops/is_op.h"
#include "ops/op_def.h"
#include "ops/quantized/ranges.h"
#include "passes/passes.h"
#include "tensor/parameter.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::ValueRange;

class RangeFolder {
 public:
  explicit RangeFolder(Graph& graph) : graph_(graph) {}

  void fold() {
    const std::size_t count = graph_.nodes.size();
    for (std::size_t id = 0; id < count; ++id) fold_node(id);
    redirects_.apply(graph_);
    graph::sort_topologically(graph_);
    graph::remove_dead_nodes(graph_);
  }

 private:
  void fold_node(std::size_t id) {
    const Node& node = graph_.nodes[id];
    if (node.op == nullptr || node.num_outputs != 3) return;
    const auto at = static_cast<std::int32_t>(id);
    // A range that is handed on is read where it comes from, computed or not.
    if (hands_range_on(node)) {
      redirects_.add({at, 1}, redirects_(node.inputs[1]));
      redirects_.add({at, 2}, redirects_(node.inputs[2]));
      return;
    }
    const auto range = in_context([&] { return graph::describe(node); }, [&] { return range_of(node); });
    if (range) {
      const std::string name = node.name;
      redirects_.add({at, 1}, number(name + "_min", range->min));
      redirects_.add({at, 2}, number(name + "_max", range->max));
    }
  }

  static bool hands_range_on(const Node& node) {
    return ops::is_op(node, "_contrib_quantized_pooling") || ops::is_op(node, "_contrib_quantized_act") ||
           ops::is_op(node, "_contrib_quantized_flatten");
  }

  std::optional<ValueRange> range_of(const Node& node) {
    if (ops::is_op(node, "_contrib_quantized_concat")) return range_of_concat(node);
    if (ops::is_op(node, "_contrib_quantize_v2")) return ops::quantize_v2_range(node.attrs);
    if (ops::is_op(node, "_contrib_requantize")) return ops::requantize_range(node.attrs);
    const bool states_its_own = ops::is_op(node, "_sg_mkldnn_conv") ||
                                ops::is_op(node, "_sg_mkldnn_fully_connected") ||
                                ops::is_op(node, "_contrib_quantized_elemwise_add") ||
                                ops::is_op(node, "_contrib_quantized_elemwise_mul") ||
                                ops::is_op(node, "_contrib_quantized_batch_norm");
    return states_its_own ? ops::calibrated_range(node.attrs) : std::nullopt;
  }

  std::optional<ValueRange> range_of_concat(const Node& node) {
    const auto count = static_cast<std::size_t>(node.attrs.integer("num_args"));
    ValueRange joined;
    for (std::size_t i = 0; i < count; ++i) {
      const auto min = known(node.inputs.at(count + 2 * i)), max = known(node.inputs.at(count + 2 * i + 1));
      if (!min || !max) return std::nullopt;
      joined = ops::joined_range(joined, {*min, *max});
    }
    return joined;
  }

  std::optional<float> known(Value value) {
    const Node& node = graph::node_of(graph_, redirects_(value));
    const bool is_number = node.constant != nullptr && node.constant->dtype() == DType::float32 &&
                           node.constant->shape().elements() == 1;
    if (!is_number) return std::nullopt;
    return *node.constant->value()->data<float>();
  }

  Value number(std::string name, float value) {
    Tensor tensor = Tensor::uninitialized(DType::float32, Shape{1});
    *tensor.data<float>() = value;
    Node node;
    node.name = std::move(name);
    node.constant = make_parameter(std::move(tensor));
    return {graph::append(graph_, std::move(node)), 0};
  }

  Graph& graph_;
  graph::Redirects redirects_;
};

}  // namespace

// The ranges of calibrated 8-bit values become parameters, so that what follows from them, such as the
// weights of a product, is known when plans are made.
void fold_ranges(Graph& graph, const Goal& /*goal*/) {
  for (const Node& node : graph.nodes) {
    if (node.op == nullptr || node.num_outputs != 3) continue;
    if (node.op->name.starts_with("_contrib_quantize") || node.op->name.starts_with("_sg_mkldnn_") ||
        ops::is_op(node, "_contrib_requantize")) {
      return RangeFolder(graph).fold();
    }
  }
}

}  // namespace mxinfer::passes
