// Steps that only move elements: an operator states its walks, this file picks kernels and cuts the work.
//
//   Walk walk(output.shape);                      // dst row-major over the output, src too
//   walk.src_strides = {1, 3};                    // ... read transposed
//   return copy_step(context, {{0, 0, walk}});    // from input 0 to output 0
#pragma once

#include <array>

#include "kernels/copy/copy.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// A walk as kernels/copy/copy.h has it, with vectors while it is being made.
struct Walk {
  Walk() = default;
  /// Both sides row-major over `shape`.
  explicit Walk(const Shape& shape);
  void add(std::int64_t dim, std::int64_t src_stride, std::int64_t dst_stride);

  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> src_strides;
  std::vector<std::int64_t> dst_strides;
  std::int64_t src_offset = 0;
  std::int64_t dst_offset = 0;
};

struct CopyJob {
  std::size_t input;
  std::size_t output;
  Walk walk;
  /// The bytes of one element that is written to every place, instead of an input's elements; the walk's
  /// source strides and offset are 0.
  std::optional<std::array<std::byte, 8>> element{};
};

CopyJob zeros_job(std::size_t output, const Shape& shape);

/// The step that does all jobs, one after another. What one job alone makes of consecutive elements of its
/// input becomes an alias; if jobs only put whole inputs side by side, the inputs may be made in their
/// places. Nothing runs for either.
Step copy_step(LowerContext& context, const std::vector<CopyJob>& jobs);

/// The step of an operator whose output 0 is its input 0 under another shape.
Step alias_step(LowerContext& context);

}  // namespace mxinfer::ops
