#include <map>
#include <memory>
#include <string>
#include <utility>

#include "ops/op_def.h"
#include "passes/as_float32.h"
#include "passes/passes.h"

namespace mxinfer::passes {

using graph::Graph;
using graph::Node;
using graph::Value;

// float16 parameters of operators that compute in float32 (ops::Traits::float16) become float32.
void widen_parameters(Graph& graph, const Goal& /*goal*/) {
  std::map<const Parameter*, Value> wide;
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    if (graph.nodes[id].op == nullptr || graph.nodes[id].op->traits.float16 == ops::Float16::own_kernels)
      continue;
    for (std::size_t i = 0; i < graph.nodes[id].inputs.size(); ++i) {
      const Node& from = graph.nodes[static_cast<std::size_t>(graph.nodes[id].inputs[i].node)];
      if (!from.constant || from.constant->dtype() != DType::float16) continue;
      const auto [found, is_new] = wide.try_emplace(from.constant.get());
      if (is_new) {
        Node variable;
        variable.name = from.name + "_float32";
        variable.constant = as_float32(from.constant);
        found->second = {graph::append(graph, std::move(variable)), 0};
      }
      graph.nodes[id].inputs[i] = found->second;
    }
  }
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
