// Which operator a node is of.
#pragma once

#include <string_view>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// `name` is the operator's own, not an alias.
inline bool is_op(const graph::Node& node, std::string_view name) {
  return node.op != nullptr && node.op->name == name;
}

}  // namespace mxinfer::ops
