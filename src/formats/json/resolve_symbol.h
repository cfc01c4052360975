// The second half of reading a symbol file: operators and attributes of the raw graph are resolved, and what
// old versions wrote differently is brought to today's form. Internal to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "formats/json/symbol_json.h"
#include "graph/graph.h"

namespace mxinfer::formats {

/// A graph as its file has it: ids checked, nothing resolved.
struct RawSymbol {
  graph::Graph graph;
  /// Attributes that users attached to nodes of files before 0.9, by node.
  std::map<std::int32_t, std::set<std::string>> attached;
  std::map<std::int32_t, std::vector<std::unique_ptr<RawSymbol>>> subgraphs;
};

/// The graph, resolved; `problems` as parse_symbol has them.
graph::Graph resolve_symbol(RawSymbol raw, const SymbolLimits& limits,
                            std::vector<NodeProblem>* problems = nullptr);

}  // namespace mxinfer::formats
