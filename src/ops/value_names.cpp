#include "ops/value_names.h"

#include <algorithm>

#include "base/text/unique_names.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

void add_once(std::vector<Value>& values, Value value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

// "conv0_output" of "conv0_output#7"; empty if there is no index.
std::string without_index(const std::string& name) {
  const std::size_t mark = name.rfind('#');
  if (mark == std::string::npos || mark + 1 == name.size()) return {};
  const bool is_number = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(mark) + 1, name.end(),
                                     [](char letter) { return letter >= '0' && letter <= '9'; });
  return is_number ? name.substr(0, mark) : std::string();
}

}  // namespace

void name_values(Graph& graph) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> variables;
  std::vector<std::size_t> places;  // in names, of each node's first output
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    places.push_back(names.size());
    if (node.is_variable()) {
      const auto [found, is_new] = variables.emplace(node.name, names.size());
      places.back() = found->second;
      if (!is_new) continue;
    }
    for (std::int32_t o = 0; o < node.num_outputs; ++o)
      names.push_back(mxnet_output_name(graph, {static_cast<std::int32_t>(id), o}));
  }
  const std::vector<std::string> unique = unique_names(names);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    const auto first = static_cast<std::ptrdiff_t>(places[id]);
    const auto last = first + node.num_outputs;
    node.value_names.clear();
    if (!std::equal(unique.begin() + first, unique.begin() + last, names.begin() + first))
      node.value_names.assign(unique.begin() + first, unique.begin() + last);
  }
}

std::vector<std::string> head_names(const Graph& graph) {
  std::vector<std::string> names;
  for (Value head : graph.heads) names.push_back(output_name(graph, head));
  return unique_names(std::move(names));
}

ValueIndex::ValueIndex(const Graph& graph) : graph_(graph) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    for (std::int32_t o = 0; o < node.num_outputs; ++o) {
      const Value value{static_cast<std::int32_t>(id), o};
      // Variables of the same name are the same array.
      const bool is_new = unique_.emplace(output_name(graph, value), value).second;
      if (!is_new && node.is_variable()) continue;
      add_once(by_mxnet_name_[mxnet_output_name(graph, value)], value);
      add_once(by_mxnet_name_[graph::value_name(graph, value)], value);
      if (o == 0) by_node_[node.name].push_back(value);
    }
  }
  const std::vector<std::string> heads = head_names(graph);
  for (std::size_t h = 0; h < heads.size(); ++h) unique_.emplace(heads[h], graph.heads[h]);
}

Value ValueIndex::find(const std::string& name) const {
  if (const auto found = unique_.find(name); found != unique_.end()) return found->second;
  const Values* const values = values_called(name);
  if (values == nullptr) fail_missing(name);
  if (values->size() > 1) fail_ambiguous(name, *values);
  return values->front();
}

const ValueIndex::Values* ValueIndex::values_called(const std::string& name) const {
  if (const auto found = by_mxnet_name_.find(name); found != by_mxnet_name_.end()) return &found->second;
  const auto found = by_node_.find(name);
  return found == by_node_.end() ? nullptr : &found->second;
}

void ValueIndex::fail_ambiguous(const std::string& name, const Values& values) const {
  constexpr std::size_t kShown = 10;
  std::string list;
  for (std::size_t i = 0; i < values.size() && i < kShown; ++i) {
    const Node& node = graph_.nodes[static_cast<std::size_t>(values[i].node)];
    list += concat(i > 0 ? ", '" : "'", printable(output_name(graph_, values[i])), "' of ",
                   graph::describe(node));
  }
  if (values.size() > kShown) list += concat(" and ", values.size() - kShown, " more");
  fail(ErrorCode::invalid_argument, "'", printable(name), "' is the name of ", values.size(),
       " values of the network; ask for one of them by its index: ", list);
}

void ValueIndex::fail_missing(const std::string& name) const {
  const std::string base = without_index(name);
  const Values* const values = base.empty() ? nullptr : values_called(base);
  if (values != nullptr && values->size() > 1) fail_ambiguous(base, *values);
  if (values != nullptr) {
    fail(ErrorCode::not_found, "the network has only one value '", printable(base), "'; ask for it as '",
         printable(base), "', not '", printable(name), "'");
  }
  fail(ErrorCode::not_found, "the network has no value '", printable(name),
       "' to give as an output; `mxinfer inspect --nodes` lists the names");
}

}  // namespace mxinfer::ops
