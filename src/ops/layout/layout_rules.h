// Layout rules that several operators share: how an operator goes on in another order of dimensions.
//
//   op.traits.channels_last = [](LayoutRewriter& rewriter, std::size_t id) {
//     return along_axis(rewriter, id, "dim");
//   };
//
// A rule knows only attributes and which inputs are in the new order: no pass of that stage knows shapes.
#pragma once

#include <cstdint>
#include <optional>

#include "ops/layout/layout_rewriter.h"

namespace mxinfer::ops {

/// LayoutRule: one output element from the elements at the same place of inputs of one shape.
bool elementwise_layout(LayoutRewriter& rewriter, std::size_t id);

/// LayoutRule: the same of inputs that are broadcast. What is not in the new order yet must have a known
/// rank.
bool broadcast_layout(LayoutRewriter& rewriter, std::size_t id);

/// Of an operator along one dimension, which the integer attribute `attr` names.
bool along_axis(LayoutRewriter& rewriter, std::size_t id, const char* attr);

/// Where dimension `axis` of the model is in the new order; nothing if it is out of range, which lowering
/// reports.
std::optional<std::int64_t> moved_axis(const LayoutRewriter& rewriter, std::int64_t axis, std::int64_t rank);

/// One entry of `count` numbers for each dimension, moved to where the dimension is; `missing` fills up what
/// is left out at the end.
graph::IntTuple moved_entries(const LayoutRewriter& rewriter, graph::IntTuple entries, std::int64_t rank,
                              std::int64_t count, graph::OptionalInt missing);

}  // namespace mxinfer::ops
