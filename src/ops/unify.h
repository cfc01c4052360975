// Sizes that a model leaves open, such as the batch of an RNN's initial state, _zeros(shape=(1, 0, 64)): they
// follow from the operators around it. An operator whose inputs and outputs tell of each other's sizes says
// so in OpDef::unify.
//
//   op.unify = unify_equal;                      // all inputs and outputs have one shape
//   op.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) { ... };
#pragma once

#include <mxinfer/shape.h>

#include <functional>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "graph/attrs.h"
#include "graph/graph.h"

namespace mxinfer::ops {

/// A size that is not known.
inline constexpr std::int64_t kUnknown = -1;

/// A shape with sizes that may be kUnknown; nothing if not even its rank is known.
using PartialShape = std::optional<Shape>;
using PartialShapes = std::vector<PartialShape>;

/// Fills in what one side knows and the other does not. What contradicts stays; inference will say so.
using UnifyFn = std::function<void(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs)>;

/// Completes what is known of a subgraph's inputs and heads, each from the other.
using CompleteSubgraph =
    FunctionRef<void(const graph::Graph& subgraph, PartialShapes& inputs, PartialShapes& heads)>;
/// UnifyFn of a node with subgraphs, which `complete` speaks for.
using UnifySubgraphsFn = void (*)(const graph::Node& node, PartialShapes& inputs, PartialShapes& outputs,
                                  CompleteSubgraph complete);

bool is_known(const PartialShape& shape);

/// Both learn from each other.
void unify(PartialShape& a, PartialShape& b);
void unify(std::int64_t& a, std::int64_t& b);
/// `shape` is `stated`, if it did not know it.
void learn(PartialShape& shape, Shape stated);

/// UnifyFn: all inputs and outputs have one shape.
void unify_equal(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
/// All are equal but for their size along `axis` (negative: from the end).
void unify_except(std::int64_t axis, PartialShapes& inputs, PartialShapes& outputs);

}  // namespace mxinfer::ops
