#include "plain_gemm.h"

#include <algorithm>
#include <chrono>

#include "conv_cases.h"
#include "kernels/gemm/gemm_packed.h"

namespace mxinfer::bench {

double plain_gemm_gflops(kernels::Target target) {
  constexpr std::int64_t kRows = 256, kColumns = 256, kDepth = 1024;
  constexpr int kCalls = 10;
  const kernels::GemmPackedKernel& kernel = kernels::select_gemm_packed(target);
  AlignedBuffer a = floats(kRows * kDepth), b = floats(kDepth * kColumns), dst = floats(kRows * kColumns);
  AlignedBuffer panels = floats(kernel.panel_elements(kColumns, kDepth));
  kernels::PackPanelsArgs pack;
  pack.columns = pack.stride = kColumns;
  pack.depth = kDepth;
  pack.b = pointer(b);
  pack.dst = pointer(panels);
  kernel.pack(pack, 0, kernel.panels(kColumns));
  kernels::GemmPackedArgs args;
  args.rows = kRows;
  args.columns = args.dst_stride = kColumns;
  args.depth = args.a_stride = kDepth;
  args.a = pointer(a);
  args.panels = pointer(panels);
  args.dst = pointer(dst);

  double best = 0;
  for (int call = 0; call < kCalls; ++call) {
    const auto start = std::chrono::steady_clock::now();
    kernel.run(args, 0, kernel.tasks(args));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, 2.0 * kRows * kColumns * kDepth / seconds.count() / 1e9);
  }
  return best;
}

}  // namespace mxinfer::bench
