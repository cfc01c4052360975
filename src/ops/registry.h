// The operators this library knows, by name.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// The operator of that name or alias, nullptr if there is none. Thread-safe; the table is made at the
/// first call.
const OpDef* find_op(std::string_view name);

/// A node of that operator, not yet in a graph; its attributes are given as a file gives them. Throws
/// Error(internal) if there is no such operator.
graph::Node make_node(std::string name, std::string op, std::map<std::string, std::string> attrs,
                      std::vector<graph::Value> inputs);

/// Every operator, sorted by name.
const std::vector<const OpDef*>& all_ops();

}  // namespace mxinfer::ops
