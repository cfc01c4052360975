// GEMM with the right side packed into panels of some columns, depth outermost, so that each step of a sum
// loads whole vectors:
//
//   dst[i][j] = activation(bias[j] + row_bias[i] + residual[i][j] + sum over k of a[i][k] * scale * b[k][j]),
//   i < rows, j < columns, k < depth
//
// It is faster than gemm_nt for right sides that are used often (weights, packed once) or by many rows
// (packed at run time, into scratch memory). The order of each sum depends on depth only, so results do not
// depend on the number of rows or tasks.
//
//   const GemmPackedKernel& kernel = select_gemm_packed(target);
//   kernel.pack(pack_args, 0, kernel.panels(columns));    // into panel_elements(columns, depth) floats
//   kernel.run(args, 0, kernel.tasks(args));
#pragma once

#include <cstdint>

#include "kernels/common/post_ops.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// The right side as stored, and the panels to write: [panel][depth][width], the last one narrower.
struct PackPanelsArgs {
  std::int64_t columns = 0, depth = 0;
  /// Whether b is stored as columns x depth (as weights of a fully connected layer are), not depth x columns.
  bool transposed = false;
  std::int64_t stride = 0;  ///< elements from a stored row to the next
  float scale = 1.0f;       ///< of every element
  const float* b = nullptr;
  float* dst = nullptr;
};

/// Preconditions: rows, columns, depth >= 0; a stride is at least the length of a row.
struct GemmPackedArgs {
  std::int64_t rows = 0, columns = 0, depth = 0;
  /// Elements from a row to the next.
  std::int64_t a_stride = 0, dst_stride = 0, residual_stride = 0;
  PostOps post_ops;
  const float* a = nullptr;
  const float* panels = nullptr;
  const float* bias = nullptr;      ///< (columns), or null
  const float* row_bias = nullptr;  ///< (rows), or null
  const float* residual = nullptr;  ///< like dst, or null; does not overlap dst
  float* dst = nullptr;
  /// Panels of the same depth that the caller multiplies by next, to be prefetched; or null.
  const float* next_panels = nullptr;
  /// Roughly how many tasks to cut the work into, some for each thread; small work makes fewer. A hint, which
  /// changes no result.
  std::int64_t task_hint = 32;
};

struct GemmPackedKernel {
  const char* name;
  /// Names the layout of the panels: packings of one name are interchangeable.
  const char* packing;
  std::int64_t lanes;  ///< floats of a vector
  std::int64_t (*panels)(std::int64_t columns);
  std::int64_t (*panel_elements)(std::int64_t columns, std::int64_t depth);
  /// Packs panels [begin, end).
  void (*pack)(const PackPanelsArgs&, std::int64_t begin, std::int64_t end);
  /// Reads only the sizes of the arguments.
  std::int64_t (*tasks)(const GemmPackedArgs&);
  void (*run)(const GemmPackedArgs&, std::int64_t begin, std::int64_t end);
};

/// The kernel for a target; Target::ref gets the reference.
const GemmPackedKernel& select_gemm_packed(Target target);

/// Plain loops that sum in double.
const GemmPackedKernel& gemm_packed_ref();

}  // namespace mxinfer::kernels
