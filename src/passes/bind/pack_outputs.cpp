#include "passes/bind/pack_outputs.h"

#include <string>
#include <utility>
#include <vector>

#include "graph/node_of.h"
#include "ops/fused/view_program.h"
#include "ops/registry.h"

namespace mxinfer::passes {

using graph::Graph;
using graph::Node;
using graph::Value;

bool pack_outputs(Graph& graph, const shapes::ValueTypes& types) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 14;
  const auto uses = graph::count_uses(graph);
  std::vector<std::size_t> packed;
  std::int64_t elements = 0;
  for (std::size_t h = 0; h < graph.heads.size(); ++h) {
    const Value head = graph.heads[h];
    const ops::TensorType& type =
        types[static_cast<std::size_t>(head.node)][static_cast<std::size_t>(head.index)];
    const auto id = static_cast<std::size_t>(head.node);
    const bool is_packed = type.dtype == DType::float32 && type.shape.elements() > 0 &&
                           type.shape.rank() > 0 && ops::has_view_program(graph.nodes[id]) &&
                           types[id].size() == 1 && uses[id][0] == 1;
    if (!is_packed || elements + type.shape.elements() > kMostElements) continue;
    packed.push_back(h);
    elements += type.shape.elements();
  }
  if (packed.size() < 2) return false;
  std::vector<Value> flat;
  for (const std::size_t h : packed) {
    const Value head = graph.heads[h];
    Node reshape =
        ops::make_node(node_of(graph, head).name + "_flat", "Reshape", {{"shape", "(-1,)"}}, {head});
    flat.push_back({graph::append(graph, std::move(reshape)), 0});
  }
  const std::string count = concat(flat.size());
  Node whole = ops::make_node("outputs", "Concat", {{"dim", "0"}, {"num_args", count}}, std::move(flat));
  const Value all{graph::append(graph, std::move(whole)), 0};
  std::int64_t begin = 0;
  for (const std::size_t h : packed) {
    const Value head = graph.heads[h];
    const Shape& shape =
        types[static_cast<std::size_t>(head.node)][static_cast<std::size_t>(head.index)].shape;
    Node part = ops::make_node(node_of(graph, head).name, "_mxinfer_output_part",
                               {{"begin", concat(begin)}, {"shape", to_string(shape)}}, {all});
    begin += shape.elements();
    graph.heads[h] = {graph::append(graph, std::move(part)), 0};
  }
  return true;
}

}  // namespace mxinfer::passes
