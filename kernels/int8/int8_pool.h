// Pooling of 8-bit values: the largest of a window (the least number of the type if it is empty), or its
// mean, rounded to the nearest (kernels/int8/rounding.h). Arrays, windows and divisors are those of
// kernels/pool_nd/pool_nd.h, dense.
#pragma once

#include "kernels/int8/int8_type.h"
#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer::kernels {

/// A task is a row of outputs of a plane, planes * out[0] * out[1] of them. args.kind: max or avg; type: s8
/// or u8.
PoolKernel int8_pool_ref(Int8Type type);
PoolKernel select_int8_pool(const PoolArgs& args, Int8Type type, Target target);

/// The rows of windows behind a task.
struct Int8PoolRow {
  Int8PoolRow(const PoolArgs& args, std::int64_t task)
      : plane(task / args.out[1] / args.out[0]),
        z(pool_window(args, 0, task / args.out[1] % args.out[0])),
        y(pool_window(args, 1, task % args.out[1])) {}

  /// The divisor of the mean of a window.
  float divisor(const PoolArgs& args, const PoolWindow& x) const {
    const std::int64_t count = pool_divisor(args, z, y, x);
    return static_cast<float>(count > 1 ? count : 1);
  }

  std::int64_t plane;
  PoolWindow z, y;
};

}  // namespace mxinfer::kernels
