#include <algorithm>

#include "kernels/gemm/gemm.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kColumns = 64;  ///< of one task

template <typename T>
std::int64_t tasks(const GemmNtArgs<T>& args) {
  return (args.columns + kColumns - 1) / kColumns;
}

template <typename T>
void run(const GemmNtArgs<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t last = std::min(args.columns, end * kColumns);
  for (std::int64_t i = 0; i < args.rows; ++i) {
    for (std::int64_t j = begin * kColumns; j < last; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < args.depth; ++k) {
        sum += static_cast<double>(args.a[i * args.a_step() + k]) * args.b[j * args.b_step() + k];
      }
      sum *= args.scale;
      const std::int64_t at = i * args.dst_step() + j;
      if (args.bias != nullptr) sum += args.bias[j];
      if (args.residual != nullptr) sum += args.residual[at];
      args.dst[at] = activate(args.post_ops, static_cast<T>(sum));
    }
  }
}

}  // namespace

template <>
const GemmNtKernel<float>& gemm_nt_ref<float>() {
  static constexpr GemmNtKernel<float> kernel{"gemm_nt_ref_f32", tasks<float>, run<float>};
  return kernel;
}

template <>
const GemmNtKernel<double>& gemm_nt_ref<double>() {
  static constexpr GemmNtKernel<double> kernel{"gemm_nt_ref_f64", tasks<double>, run<double>};
  return kernel;
}

}  // namespace mxinfer::kernels
