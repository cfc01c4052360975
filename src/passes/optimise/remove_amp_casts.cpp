#include <algorithm>
#include <optional>

#include "graph/hints.h"
#include "graph/redirects.h"
#include "ops/is_op.h"
#include "ops/op_def.h"
#include "passes/as_float32.h"
#include "passes/cast_head.h"
#include "passes/passes.h"
#include "passes/value_dtypes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;
using ops::is_op;

bool is_amp(const Node& node) {
  return is_op(node, "amp_cast") || is_op(node, "amp_multicast");
}

/// Whether the file says that an input has a floating point dtype other than float32.
bool states_other_float(const Node& node) {
  if (!node.is_variable() || node.constant) return false;
  const std::optional<DType> dtype = graph::dtype_hint(node);
  return dtype && is_float(*dtype) && *dtype != DType::float32;
}

void hand_on(const graph::Graph& graph, std::size_t id, graph::Redirects& redirects) {
  const std::vector<Value>& inputs = graph.nodes[id].inputs;
  const auto outputs = static_cast<std::size_t>(graph.nodes[id].num_outputs);
  for (std::size_t o = 0; o < outputs && o < inputs.size(); ++o)
    redirects.add({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)}, inputs[o]);
}

/// Casts the outputs that were `dtypes` of a half to it again.
void restore_outputs(graph::Graph& graph, const std::vector<std::optional<DType>>& dtypes) {
  const ValueDTypes now(graph);
  for (std::size_t h = 0; h < graph.heads.size(); ++h) {
    if (!is_half(dtypes[h]) || now.of(graph.heads[h]).dtype == dtypes[h]) continue;
    cast_head(graph, h, *dtypes[h]);
  }
}

}  // namespace

// A model that was converted for mixed precision (amp) runs in float32 throughout: its casts to float16 and
// back go, and the parameters that were stored as float16 become float32. Its outputs keep their dtypes: one
// that was float16, as far as dtypes alone tell, is cast to it at the end. A model with inputs of another
// floating point dtype keeps its casts.
void remove_amp_casts(graph::Graph& graph, const Goal& /*goal*/) {
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_amp) ||
      std::any_of(graph.nodes.begin(), graph.nodes.end(), states_other_float)) {
    return;
  }
  const ValueDTypes before(graph);
  std::vector<std::optional<DType>> outputs;
  for (Value head : graph.heads) outputs.push_back(before.of(head).dtype);
  graph::Redirects redirects;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (is_amp(node)) hand_on(graph, id, redirects);
    if (node.constant && is_half(node.constant->dtype())) node.constant = as_float32(node.constant);
  }
  redirects.apply(graph);
  restore_outputs(graph, outputs);
}

}  // namespace mxinfer::passes
