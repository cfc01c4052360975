// What a tile of a GEMM does between its products: `count()` steps, of which operator()(i) is the i-th. They
// use other units of the CPU than products, and would take as long again if they came after.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// Nothing.
struct NoSteps {
  static constexpr std::int64_t count() { return 0; }
  void operator()(std::int64_t /*step*/) const {}
};

}  // namespace mxinfer::kernels
