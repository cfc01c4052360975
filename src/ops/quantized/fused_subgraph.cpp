#include "ops/quantized/fused_subgraph.h"

#include "graph/node_of.h"
#include "ops/is_op.h"
#include "ops/quantized/int8_product.h"

namespace mxinfer::ops {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

[[noreturn]] void reject(const std::string& reason) {
  fail(ErrorCode::malformed, "its subgraph ", reason,
       "; expected what MXNet fuses: a product, then perhaps a batch norm, an activation, an addition and an "
       "activation. Fuse the network again (get_backend_symbol), or save it without fusion");
}

bool is_activation(const Node& node) {
  return node.op_name == "Activation" || node.op_name == "LeakyReLU" || node.op_name == "clip" ||
         node.op_name == "abs" || node.op_name == "square" || node.op_name == "sqrt" || node.op_name == "exp";
}

/// Walks the chain from its end to the product.
class ChainReader {
 public:
  ChainReader(const Graph& graph, const std::string& product) : graph_(graph), product_(product) {
    if (graph.heads.size() != 1) reject(concat("has ", graph.heads.size(), " outputs"));
  }

  FusedChain read() {
    std::vector<Value> variables;  // from the last to the first
    const Node* activation = nullptr;
    for (const Node* node = &node_of(graph_, graph_.heads[0]);;) {
      ++steps_;
      if (node->op == nullptr) reject(concat("has ", graph::describe(*node), " in its chain"));
      if (node->op_name == product_) {
        chain_.product = node;
        chain_.before = activation;
        take_variables(*node, 0, variables);
        break;
      }
      node = &node_of(graph_, previous(*node, activation, variables));
    }
    check_variables(variables);
    return chain_;
  }

 private:
  /// What a node of the chain reads; notes the node, and its variables.
  Value previous(const Node& node, const Node*& activation, std::vector<Value>& variables) {
    if (is_activation(node) && activation == nullptr) {
      activation = &node;
      return node.inputs[0];
    }
    if (node.op_name == "elemwise_add" && chain_.sum == nullptr && chain_.batch_norm == nullptr) {
      chain_.sum = &node;
      chain_.after = activation;
      activation = nullptr;
      const std::size_t summand = node_of(graph_, node.inputs[0]).is_variable() ? 0 : 1;
      variables.push_back(node.inputs[summand]);
      return node.inputs[1 - summand];
    }
    if (node.op_name == "BatchNorm" && chain_.batch_norm == nullptr) {
      chain_.batch_norm = &node;
      take_variables(node, 1, variables);
      return node.inputs[0];
    }
    reject(concat("has ", graph::describe(node), " where it does not belong"));
  }

  static void take_variables(const Node& node, std::size_t first, std::vector<Value>& variables) {
    for (std::size_t i = node.inputs.size(); i-- > first;) variables.push_back(node.inputs[i]);
  }

  void check_variables(const std::vector<Value>& variables) const {
    std::int32_t expected = 0;
    for (auto value = variables.rbegin(); value != variables.rend(); ++value, ++expected) {
      const Node& node = node_of(graph_, *value);
      if (!node.is_variable()) reject(concat("has ", graph::describe(node), " where an input is expected"));
      if (node.input_index == expected) continue;
      reject(concat("reads ", graph::describe(node), ", input ", node.input_index, ", as input ", expected));
    }
    if (graph_.nodes.size() != variables.size() + steps_)
      reject(concat("has ", graph_.nodes.size(), " nodes, of which its output needs ",
                    variables.size() + steps_));
  }

  const Graph& graph_;
  const std::string& product_;
  FusedChain chain_;
  std::size_t steps_ = 0;
};

}  // namespace

bool is_fused_for_onednn(const Node& node) {
  return is_op(node, "_sg_mkldnn_conv") || is_op(node, "_sg_mkldnn_fully_connected");
}

void read_fused_subgraph(Node& node) {
  if (is_op(node, "_sg_mkldnn_conv")) read_fused_convolution(node);
  if (is_op(node, "_sg_mkldnn_fully_connected")) read_fused_rows(node);
}

FusedChain fused_chain(const Node& node, const std::string& product) {
  return ChainReader(*node.subgraphs.at(0), product).read();
}

void set_activation(Attrs& attrs, const std::string& prefix, const Node* activation) {
  kernels::PostOps function;
  if (activation != nullptr) {
    const auto found = fused_activation(*activation);
    if (!found) {
      fail(ErrorCode::unsupported, graph::describe(*activation),
           " is fused into 8-bit arithmetic, which MXNet does not do: expected Activation (relu, sigmoid, "
           "tanh, "
           "softrelu), LeakyReLU (leaky, elu, gelu), clip or abs; quantize the network again");
    }
    function = *found;
  }
  set_activation(attrs, prefix, function);
}

void set_activation(Attrs& attrs, const std::string& prefix, const kernels::PostOps& function) {
  attrs.set(prefix + "_function", static_cast<std::int64_t>(function.activation));
  attrs.set(prefix + "_alpha", static_cast<double>(function.alpha));
  attrs.set(prefix + "_beta", static_cast<double>(function.beta));
}

kernels::PostOps activation_of(const Attrs& attrs, const std::string& prefix) {
  kernels::PostOps function;
  function.activation = static_cast<kernels::Activation>(attrs.integer(prefix + "_function"));
  function.alpha = attrs.number32(prefix + "_alpha");
  function.beta = attrs.number32(prefix + "_beta");
  return function;
}

}  // namespace mxinfer::ops
