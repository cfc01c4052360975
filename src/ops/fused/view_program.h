// View programs: what a graph of element-wise operators and of operators that only move elements (slices,
// transposes, concatenations, broadcasting, tiling) computes, without any value between them. Its output is
// cut into segments: all elements of a segment are one element-wise program of elements of the inputs, which
// lie at distances that do not change.
//
//   const ViewProgramOrObstacle made = view_program(graph, {{DType::float32, {1, 75, 13, 13}}});
//   for (const ViewSegment& segment : made.program) ...
#pragma once

#include "ops/elementwise/element_function.h"

namespace mxinfer::ops {

/// Elements of an input, along the sizes of a segment.
struct ViewLoad {
  std::size_t input = 0;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
};

/// dst[dst_offset + sum(i_d * dst_strides[d])] = program(loads at i), for all i_d < sizes[d]. Inputs of the
/// program are loads; its last instruction gives the value. "select" chooses its first operand where the
/// value of the instruction before is not 0, else its second.
struct ViewSegment {
  std::vector<std::int64_t> sizes, dst_strides;
  std::int64_t dst_offset = 0;
  std::vector<ViewLoad> loads;
  ElementProgram program;

  std::int64_t elements() const;
};

struct ViewProgramOrObstacle {
  std::vector<ViewSegment> program;  ///< every element of the output is in one of them
  /// If there is none: the node whose value would have to be in memory.
  std::int32_t obstacle = -1;
};

/// More would take longer to find than they save.
inline constexpr std::size_t kMostViewSegments = 256;

/// Whether the operator of a node only moves elements of its inputs, by lower() of the CPU.
bool only_moves(const graph::Node& node);
/// Whether a node may be in such a graph.
bool has_view_program(const graph::Node& node);

/// Of a graph with one output, all of whose values are float32. Precondition: inference accepts `inputs`.
ViewProgramOrObstacle view_program(const graph::Graph& graph, const std::vector<TensorType>& inputs);

}  // namespace mxinfer::ops
