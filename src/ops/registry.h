// The operators this library knows, by name; and those of MXNet that it knows and does not run: what they
// are, and what to do about a network that has one.
//
//   if (const RefusedOps* kind = find_refused("sgd_update")) ... kind->what, kind->remedy
//
// They are kinds rather than operators: names with a '*' stand for every name of that form. Nodes with such
// operators may stay in a graph as long as no output needs them.
#pragma once

#include <map>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// The operator with that name or alias; nullptr if there is none. Thread-safe; the first call creates the
/// table.
const OpDef* find_op(std::string_view name);

/// Creates a node of that operator, not yet in a graph, from attributes in the form of a file. Throws
/// Error(internal) if the operator does not exist.
graph::Node make_node(std::string name, std::string op, std::map<std::string, std::string> attrs,
                      std::vector<graph::Value> inputs);

/// Every operator, sorted by name.
const std::vector<const OpDef*>& all_ops();

struct RefusedOps {
  /// Names, or patterns in which one '*' stands for any text.
  std::vector<std::string> names;
  std::string what;    ///< "an optimizer's update": follows "is" in a message
  std::string remedy;  ///< what to do instead
};

/// Every kind, in the order in which names are looked up.
const std::vector<RefusedOps>& refused_ops();

/// The first kind that has the name, nullptr if none has.
const RefusedOps* find_refused(std::string_view name);

/// "an optimizer's update, which only training needs: ..."; for a name that is not known either it says that.
std::string why_refused(std::string_view name);

/// Why an operator that runs otherwise does not with these attributes, whatever its inputs are: "drops values
/// ...". Empty if it may run. Asked when a model is loaded, before a pass may take the node away, and by
/// infer().
std::string why_refused(const OpDef& op, const graph::Attrs& attrs);

}  // namespace mxinfer::ops
