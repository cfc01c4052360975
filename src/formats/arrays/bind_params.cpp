#include "formats/arrays/bind_params.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "formats/arrays/params.h"
#include "ops/op_def.h"

namespace mxinfer::formats {
namespace {

using graph::Graph;
using graph::Node;

// Variables that operators use as auxiliary states.
std::vector<bool> auxiliary_variables(const Graph& graph) {
  std::vector<bool> auxiliary(graph.nodes.size(), false);
  for (const Node& node : graph.nodes) {
    if (node.op == nullptr || node.op->auxiliary.empty()) continue;
    const auto ports = ops::input_ports(*node.op, node.attrs).names;
    for (std::size_t i = 0; i < node.inputs.size() && i < ports.size(); ++i) {
      const auto& names = node.op->auxiliary;
      if (std::find(names.begin(), names.end(), ports[i]) == names.end()) continue;
      auxiliary[static_cast<std::size_t>(node.inputs[i].node)] = true;
    }
  }
  return auxiliary;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i)
    list += (i > 0 ? ", '" : "'") + printable(names[i]) + "'";
  if (names.size() > kShown) list += concat(" and ", names.size() - kShown, " more");
  return list;
}

void warn(std::vector<std::string>& warnings, const std::vector<std::string>& names, const char* one,
          const char* many) {
  if (names.empty()) return;
  warnings.push_back(concat(names.size(), names.size() == 1 ? one : many, ": ", listed(names)));
}

// No array belongs to this network: reports what the file looks like.
[[noreturn]] void fail_foreign(const std::vector<std::string>& names) {
  const bool none = std::all_of(names.begin(), names.end(), [](const auto& name) { return name.empty(); });
  if (none) {
    fail(ErrorCode::malformed, "the .params file is a list of ", names.size(),
         " arrays without names, so they cannot be assigned to parameters");
  }
  const bool dotted = std::all_of(names.begin(), names.end(), [](const auto& name) {
    return name.find('.') != std::string::npos && !has_role(split_name(name).prefix);
  });
  if (dotted) {
    fail(ErrorCode::malformed, "the .params file was written by Gluon's save_parameters (its names are ",
         listed(names),
         "): it belongs to Python code, not to a symbol file. Load it there, call hybridize(), run the "
         "network once, and export() it");
  }
  fail(ErrorCode::malformed, "none of the ", names.size(), " arrays of the .params file (", listed(names),
       ") is a parameter of this network; give the file that belongs to the symbol");
}

}  // namespace

std::vector<std::string> bind_params(Graph& graph, std::vector<NamedParameter> parameters,
                                     std::vector<NamedParameter>* left_over) {
  std::map<std::string, std::vector<std::size_t>, std::less<>> variables;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].is_variable()) variables[graph.nodes[id].name].push_back(id);
  }
  const std::vector<bool> auxiliary = auxiliary_variables(graph);
  const bool all_known = std::all_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    return node.is_variable() || node.op != nullptr;
  });

  std::vector<std::string> unused, misplaced, empty, shared, all;
  std::set<std::string> taken;
  for (NamedParameter& array : parameters) {
    all.push_back(array.name);
    const std::string_view role = split_name(array.name).prefix;
    const std::string name = bare_name(array.name);
    const auto found = variables.find(name);
    if (found == variables.end()) {
      unused.push_back(array.name);
      if (left_over != nullptr) left_over->push_back(std::move(array));
      continue;
    }
    if (!taken.insert(name).second) {
      fail(ErrorCode::malformed, "the .params file has two values for '", printable(name), "'");
    }
    if (array.value->shape() == Shape{0}) {
      empty.push_back(array.name);
      continue;
    }
    const bool is_auxiliary = auxiliary[found->second.front()];
    if (has_role(role) && all_known && is_auxiliary != (role == "aux")) misplaced.push_back(array.name);
    if (found->second.size() > 1) shared.push_back(name);
    // Only the graph holds it from here on, so passes may change it in place.
    const std::shared_ptr<const Parameter> value = std::move(array.value);
    for (std::size_t id : found->second) graph.nodes[id].constant = value;
  }
  if (taken.empty() && !parameters.empty()) fail_foreign(all);

  std::vector<std::string> warnings;
  warn(warnings, unused, " array of the .params file is not used by the network",
       " arrays of the .params file are not used by the network");
  warn(warnings, misplaced,
       " array is an argument where the file says auxiliary state, or the other way round",
       " arrays are arguments where the file says auxiliary states, or the other way round");
  warn(warnings, empty, " array of the .params file has no elements and is skipped",
       " arrays of the .params file have no elements and are skipped");
  warn(warnings, shared, " name belongs to several variables, which share one value",
       " names belong to several variables, which share one value");
  return warnings;
}

}  // namespace mxinfer::formats
