// Infers sizes that a model leaves free, such as the batch of an RNN's initial state, _zeros(shape=(1, 0,
// 64)), from the operators around it. An operator that relates the sizes of its inputs and outputs does so in
// OpDef::unify.
//
//   op.unify = unify_equal;                      // all inputs and outputs have one shape
//   op.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) { ... };
#pragma once

#include <mxinfer/shape.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "graph/attrs.h"
#include "graph/graph.h"

namespace mxinfer::ops {

/// An unknown size.
inline constexpr std::int64_t kUnknown = -1;

/// A shape whose sizes may be kUnknown; nullopt if even its rank is unknown.
using PartialShape = std::optional<Shape>;
using PartialShapes = std::vector<PartialShape>;

/// Completes each side from the other. Leaves contradictions, which inference will report.
using UnifyFn = std::function<void(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs)>;

/// Completes the known sizes of a subgraph's inputs and heads from each other.
using CompleteSubgraph =
    FunctionRef<void(const graph::Graph& subgraph, PartialShapes& inputs, PartialShapes& heads)>;
/// The UnifyFn of a node with subgraphs, which `complete` completes.
using UnifySubgraphsFn = void (*)(const graph::Node& node, PartialShapes& inputs, PartialShapes& outputs,
                                  CompleteSubgraph complete);

bool is_known(const PartialShape& shape);

/// Completes both from each other.
void unify(PartialShape& a, PartialShape& b);
void unify(std::int64_t& a, std::int64_t& b);
/// Completes `shape` from `stated`.
void learn(PartialShape& shape, Shape stated);

/// UnifyFn: all inputs and outputs have one shape.
void unify_equal(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
/// All are equal except along `axis` (negative: from the end).
void unify_except(std::int64_t axis, PartialShapes& inputs, PartialShapes& outputs);

/// A flag that all nodes have if the file has the attribute of that name: in the shapes of their attributes 0
/// is no element and () a scalar, as in NumPy, and only -1 is open. Otherwise 0 is open, and () altogether.
inline constexpr const char* kNumpyShape = "is_np_shape";

/// Of that rank, with no size known.
PartialShape open_shape(std::size_t rank);

/// UnifyFn: output 0 has the rank of input 0, and as many samples (their first sizes).
void unify_batch(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// UnifyFn: output 0 has the shape of input 0; what other inputs and outputs there are has shapes of its own.
void unify_first(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// UnifyFn of a fully connected layer (attributes num_hidden and flatten, inputs data and weight): each row
/// of data gives one of the output.
void unify_rows(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// Traits::input_shape as a part of a UnifyFn: input 0 has what the weight, input 1, says of it.
void unify_with_weight(std::optional<Shape> (*input_shape)(const graph::Attrs& attrs, const Shape& weight),
                       const graph::Attrs& attrs, PartialShapes& inputs);

/// The size of a dimension is that of `parameter`, which has a single one. Does nothing if the rank of
/// `shape` is not known, or it has no such axis (negative: from the end).
void unify_axis(PartialShape& shape, std::int64_t axis, const PartialShape& parameter);

/// UnifyFn of two inputs that broadcast: sizes are equal or 1, aligned at the last dimension. An unknown
/// size beside a known one above 1 is taken to be the same, and an unknown rank beside a known shape to be
/// that of the output, or else of the shape.
void unify_broadcast(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// Both have as many elements: fills in the only size that is not known. `same` dimensions in front, which
/// are not above either rank, are those of both.
void unify_elements(Shape& a, Shape& b, std::size_t same = 0);

/// Dimension d of `output` is dimension order[d] of `input`. Does nothing if their ranks are not
/// order.size().
void unify_permuted(const std::vector<std::size_t>& order, PartialShape& input, PartialShape& output);

}  // namespace mxinfer::ops
