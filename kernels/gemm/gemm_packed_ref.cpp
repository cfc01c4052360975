#include <algorithm>

#include "kernels/gemm/gemm_packed.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kColumns = 8;  ///< of a panel, and of a task

std::int64_t panels(std::int64_t columns) {
  return (columns + kColumns - 1) / kColumns;
}

std::int64_t panel_elements(std::int64_t columns, std::int64_t depth) {
  return columns * depth;
}

void pack(const PackPanelsArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t panel = begin; panel < end; ++panel) {
    const std::int64_t first = panel * kColumns, width = std::min(kColumns, args.columns - first);
    float* dst = args.dst + first * args.depth;
    for (std::int64_t k = 0; k < args.depth; ++k) {
      for (std::int64_t j = 0; j < width; ++j) {
        const std::int64_t at = args.transposed ? (first + j) * args.stride + k : k * args.stride + first + j;
        dst[k * width + j] = args.scale * args.b[at];
      }
    }
  }
}

std::int64_t tasks(const GemmPackedArgs& args) {
  return panels(args.columns);
}

void run(const GemmPackedArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t j = begin * kColumns; j < std::min(args.columns, end * kColumns); ++j) {
    const std::int64_t first = j / kColumns * kColumns, width = std::min(kColumns, args.columns - first);
    const float* b = args.panels + first * args.depth + (j - first);
    for (std::int64_t i = 0; i < args.rows; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < args.depth; ++k)
        sum += static_cast<double>(args.a[i * args.a_stride + k]) * b[k * width];
      if (args.bias != nullptr) sum += args.bias[j];
      if (args.row_bias != nullptr) sum += args.row_bias[i];
      if (args.residual != nullptr) sum += args.residual[i * args.residual_stride + j];
      args.dst[i * args.dst_stride + j] = activate(args.post_ops, static_cast<float>(sum));
    }
  }
}

}  // namespace

const GemmPackedKernel& gemm_packed_ref() {
  static constexpr GemmPackedKernel kernel{"gemm_packed_ref_f32", "panels of 8", 1,     panels,
                                           panel_elements,        pack,          tasks, run};
  return kernel;
}

}  // namespace mxinfer::kernels
