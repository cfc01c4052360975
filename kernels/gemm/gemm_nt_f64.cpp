// float64 GEMM by OpenBLAS.
#include <algorithm>
#include <limits>

#include "kernels/common/openblas.h"
#include "kernels/gemm/gemm.h"

namespace mxinfer::kernels {
namespace {

using Args = GemmNtArgs<double>;

constexpr std::int64_t kRows = 128, kColumns = 256;  ///< of one task: enough for OpenBLAS's blocks

/// BLAS counts in 32 bits.
bool fits(const Args& args) {
  return std::max({args.depth, args.a_step(), args.b_step(), args.dst_step()}) <=
         std::numeric_limits<int>::max();
}

std::int64_t column_blocks(const Args& args) {
  return (args.columns + kColumns - 1) / kColumns;
}

std::int64_t tasks(const Args& args) {
  if (!fits(args)) return gemm_nt_ref<double>().tasks(args);
  return (args.rows + kRows - 1) / kRows * column_blocks(args);
}

/// The part that task t computes.
Args block(const Args& args, std::int64_t t) {
  const std::int64_t row = t / column_blocks(args) * kRows, column = t % column_blocks(args) * kColumns;
  Args part = args;
  part.rows = std::min(kRows, args.rows - row);
  part.columns = std::min(kColumns, args.columns - column);
  part.a_stride = args.a_step();
  part.b_stride = args.b_step();
  part.dst_stride = args.dst_step();
  part.a += row * args.a_step();
  part.b += column * args.b_step();
  part.dst += row * args.dst_step() + column;
  if (args.bias != nullptr) part.bias += column;
  if (args.residual != nullptr) part.residual += row * args.dst_step() + column;
  return part;
}

/// To BLAS, which reads columns, b is its transpose, and so are a and dst: transpose(dst) = b transpose(a).
void multiply(const Args& args) {
  const auto step = [](std::int64_t elements) {
    return static_cast<int>(std::max<std::int64_t>(1, elements));
  };
  const int m = static_cast<int>(args.columns), n = static_cast<int>(args.rows),
            k = static_cast<int>(args.depth);
  const int a_step = step(args.a_step()), b_step = step(args.b_step()), dst_step = step(args.dst_step());
  const double none = 0;
  const OpenBlasCall call;
  openblas().dgemm("T", "N", &m, &n, &k, &args.scale, args.b, &b_step, args.a, &a_step, &none, args.dst,
                   &dst_step, 1, 1);
}

void apply_post_ops(const Args& args) {
  if (args.bias == nullptr && args.residual == nullptr && args.post_ops.activation == Activation::none)
    return;
  for (std::int64_t i = 0; i < args.rows; ++i) {
    double* dst = args.dst + i * args.dst_step();
    for (std::int64_t j = 0; j < args.columns; ++j) {
      if (args.bias != nullptr) dst[j] += args.bias[j];
      if (args.residual != nullptr) dst[j] += args.residual[i * args.dst_step() + j];
      dst[j] = activate(args.post_ops, dst[j]);
    }
  }
}

void run(const Args& args, std::int64_t begin, std::int64_t end) {
  if (!fits(args)) {
    gemm_nt_ref<double>().run(args, begin, end);
    return;
  }
  for (std::int64_t t = begin; t < end; ++t) {
    const Args part = block(args, t);
    multiply(part);
    apply_post_ops(part);
  }
}

}  // namespace

const GemmNtKernel<double>& gemm_nt_f64() {
  static constexpr GemmNtKernel<double> kernel{"gemm_nt_openblas_f64", tasks, run};
  return kernel;
}

}  // namespace mxinfer::kernels
