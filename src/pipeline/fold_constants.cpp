#include "pipeline/fold_constants.h"

#include <mxinfer/error.h>

#include <algorithm>

#include "base/threads/thread_arena.h"
#include "graph/node_of.h"
#include "graph/redirects.h"
#include "plan/plan.h"
#include "plan/run_plan.h"
#include "shapes/infer.h"

namespace mxinfer::pipeline {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

// A result may have this size, or twice the size of its inputs.
constexpr std::size_t kSmall = std::size_t{1} << 20;

bool reads_constants_only(const Graph& graph, const Node& node) {
  return node.op != nullptr && has_implementation(*node.op) && node.op->bounded_form == nullptr &&
         node.subgraphs.empty() && std::all_of(node.inputs.begin(), node.inputs.end(), [&](Value input) {
           return node_of(graph, input).constant != nullptr;
         });
}

// The node and its inputs as a separate graph.
Graph alone(const Graph& graph, const Node& node) {
  Graph single;
  Node copy = node;
  copy.inputs.clear();
  for (Value input : node.inputs) {
    copy.inputs.push_back({static_cast<std::int32_t>(single.nodes.size()), 0});
    single.nodes.push_back(node_of(graph, input));
  }
  const std::int32_t id = graph::append(single, std::move(copy));
  for (std::int32_t o = 0; o < node.num_outputs; ++o) single.heads.push_back({id, o});
  return single;
}

bool is_worth_keeping(const Graph& single) {
  std::size_t read = 0, made = 0;
  for (const Node& node : single.nodes) {
    if (node.constant) read += node.constant->bytes();
  }
  for (const auto& type : shapes::head_types(single, {})) made += ops::bytes_of(type);
  return made <= std::max(kSmall, 2 * read);
}

// The outputs of the node; empty if they are not worth keeping, or cannot be computed.
std::vector<Tensor> evaluate(const Graph& single, kernels::Target target) {
  std::vector<Tensor> outputs;
  try {
    // Checked first, because a node without inputs is computed when its plan is made.
    if (!is_worth_keeping(single)) return outputs;
    plan::WeightStore weights;
    const auto single_plan = plan::make_plan(single, {}, {target, 1}, weights);
    std::vector<void*> to;
    for (const auto& type : single_plan->outputs) {
      outputs.push_back(Tensor::uninitialized(type.dtype, type.shape));
      to.push_back(outputs.back().raw());
    }
    AlignedBuffer memory(plan::workspace_bytes(*single_plan)), scratch(single_plan->thread_scratch_bytes);
    ThreadArena arena(1);
    arena.execute([&] {
      plan::run_plan(*single_plan, nullptr, to.data(),
                     {memory.data(), scratch.data(), single_plan->thread_scratch_bytes});
    });
  } catch (const Error&) {
    outputs.clear();
  }
  return outputs;
}

}  // namespace

void fold_constants(Graph& graph, kernels::Target target) {
  const std::size_t count = graph.nodes.size();
  bool folded = false;
  graph::Redirects redirects;
  for (std::size_t id = 0; id < count; ++id) {
    // Readers follow their inputs, so they see the folded constants.
    for (Value& input : graph.nodes[id].inputs) input = redirects(input);
    if (!reads_constants_only(graph, graph.nodes[id])) continue;
    std::vector<Tensor> outputs = evaluate(alone(graph, graph.nodes[id]), target);
    if (outputs.empty()) continue;
    folded = true;
    // The node becomes its first output, so that later nodes see a constant; the other outputs follow.
    const std::string name = graph.nodes[id].name;
    for (std::size_t o = 1; o < outputs.size(); ++o) {
      Node other;
      other.name = name + "_output" + std::to_string(o);
      other.constant = make_parameter(std::move(outputs[o]));
      const Value made{graph::append(graph, std::move(other)), 0};
      redirects.add({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)}, made);
    }
    Node constant;
    constant.name = name;
    constant.constant = make_parameter(std::move(outputs[0]));
    graph.nodes[id] = std::move(constant);
  }
  if (!folded) return;
  redirects.apply(graph);
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::pipeline
