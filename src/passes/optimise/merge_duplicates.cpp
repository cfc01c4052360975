#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Attrs;
using graph::AttrSpec;
using graph::Graph;
using graph::Node;
using graph::Value;

// Operators that draw numbers give others each time.
bool is_random(const ops::OpDef& op) {
  if (op.traits.draws_random_numbers) return true;
  const std::string& name = op.name;
  for (const char* part : {"random", "sample", "shuffle"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

bool is_mergeable(const Node& node) {
  return node.op != nullptr && has_implementation(*node.op) && node.subgraphs.empty() &&
         node.control_deps.empty() && node.post_ops.empty() && node.inner_post_ops.empty() &&
         !is_random(*node.op);
}

bool same_value(const AttrSpec& spec, const Attrs& a, const Attrs& b) {
  if (a.has(spec.name) != b.has(spec.name)) return false;
  if (!a.has(spec.name)) return true;
  switch (spec.kind) {
    case graph::AttrKind::integer:
      return a.integer(spec.name) == b.integer(spec.name);
    case graph::AttrKind::number:
      return a.number(spec.name) == b.number(spec.name);
    case graph::AttrKind::flag:
      return a.flag(spec.name) == b.flag(spec.name);
    case graph::AttrKind::text:
    case graph::AttrKind::choice:
      return a.text(spec.name) == b.text(spec.name);
    case graph::AttrKind::int_tuple:
      return a.optional_tuple(spec.name) == b.optional_tuple(spec.name);
    case graph::AttrKind::number_tuple:
      return a.number_tuple(spec.name) == b.number_tuple(spec.name);
  }
  return false;
}

bool same_attrs(const Node& a, const Node& b) {
  for (const AttrSpec& spec : a.op->attrs) {
    if (!same_value(spec, a.attrs, b.attrs)) return false;
  }
  return true;
}

/// Nodes of one hash that are compared with those behind them: more than chance brings together, and NaN,
/// which is never the same, could bring any number.
constexpr std::size_t kMostCompared = 8;

template <typename T>
void add_to(std::size_t& hash, const T& value) {
  hash ^= std::hash<T>()(value) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
}

void add_value(std::size_t& hash, const AttrSpec& spec, const Attrs& attrs) {
  add_to(hash, attrs.has(spec.name));
  if (!attrs.has(spec.name)) return;
  switch (spec.kind) {
    case graph::AttrKind::integer:
      return add_to(hash, attrs.integer(spec.name));
    case graph::AttrKind::number:
      return add_to(hash, attrs.number(spec.name));
    case graph::AttrKind::flag:
      return add_to(hash, attrs.flag(spec.name));
    case graph::AttrKind::text:
    case graph::AttrKind::choice:
      return add_to(hash, attrs.text(spec.name));
    case graph::AttrKind::int_tuple:
      for (const auto& number : attrs.optional_tuple(spec.name)) add_to(hash, number);
      return;
    case graph::AttrKind::number_tuple:
      for (const double number : attrs.number_tuple(spec.name)) add_to(hash, number);
      return;
  }
}

// Of nodes with the same attributes the same: of many that read one value few are compared with each other.
std::size_t attrs_hash(const Node& node) {
  std::size_t hash = 0;
  for (const AttrSpec& spec : node.op->attrs) add_value(hash, spec, node.attrs);
  return hash;
}

}  // namespace

// Nodes of one operator with the same attributes and inputs become the first of them.
void merge_duplicates(Graph& graph, const Goal& /*goal*/) {
  // Outputs of the model keep the names of their nodes.
  std::set<std::int32_t> heads;
  for (Value head : graph.heads) heads.insert(head.node);
  std::map<std::tuple<const ops::OpDef*, std::vector<Value>, std::size_t>, std::vector<std::int32_t>> seen;
  std::vector<std::int32_t> first(graph.nodes.size());
  std::iota(first.begin(), first.end(), 0);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    for (Value& input : node.inputs) input.node = first[static_cast<std::size_t>(input.node)];
    if (!is_mergeable(node)) continue;
    auto& others = seen[{node.op, node.inputs, attrs_hash(node)}];
    const auto self = static_cast<std::int32_t>(id);
    if (heads.count(self) == 0) {
      const auto same = std::find_if(others.begin(), others.end(), [&](std::int32_t other) {
        return same_attrs(graph.nodes[static_cast<std::size_t>(other)], node);
      });
      if (same != others.end()) first[id] = *same;
    }
    if (first[id] == self && others.size() < kMostCompared) others.push_back(self);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
