#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/common/bfloat16.h"
#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer::kernels {
namespace {

double raise(double x, int p) {
  switch (p) {
    case 1:
      return x;
    case 2:
      return x * x;
    default:
      return x * x * x;
  }
}

double root(double x, int p) {
  switch (p) {
    case 1:
      return x;
    case 2:
      return std::sqrt(x);
    default:
      return std::cbrt(x);
  }
}

/// The type in which elements of T are compared.
template <typename T>
using Value = std::conditional_t<std::is_same_v<T, BFloat16>, float, T>;

// Calls visit(element) for every element of the window that is inside the input.
template <typename T, typename Visit>
void for_window(const PoolArgs& args, const T* plane, const PoolWindow& z, const PoolWindow& y,
                const PoolWindow& x, Visit visit) {
  for (std::int64_t iz = z.first; iz < z.last; ++iz) {
    for (std::int64_t iy = y.first; iy < y.last; ++iy) {
      const T* row = plane + (iz * args.in[1] + iy) * args.in[2] * args.src_step();
      for (std::int64_t ix = x.first; ix < x.last; ++ix)
        visit(static_cast<Value<T>>(row[ix * args.src_step()]));
    }
  }
}

template <typename T>
T pool_one(const PoolArgs& args, const T* plane, const PoolWindow& z, const PoolWindow& y,
           const PoolWindow& x) {
  if (args.kind == PoolKind::max) {
    const std::int64_t inside = (z.last - z.first) * (y.last - y.first) * (x.last - x.first);
    const bool zero = args.old_max && inside < z.padded * y.padded * x.padded;
    using Limits = std::numeric_limits<Value<T>>;
    Value<T> largest = zero ? 0 : args.old_max ? -Limits::infinity() : Limits::lowest();
    for_window(args, plane, z, y, x, [&](Value<T> value) {
      if (value > largest) largest = value;
    });
    return T(largest);
  }
  const int p = args.kind == PoolKind::lp ? args.p : 1;
  double sum = 0;
  for_window(args, plane, z, y, x, [&](Value<T> value) { sum += raise(static_cast<double>(value), p); });
  if (args.kind == PoolKind::avg) {
    const std::int64_t divisor = pool_divisor(args, z, y, x);
    sum = divisor > 0 ? sum / static_cast<double>(divisor) : 0;
  }
  return T(static_cast<Value<T>>(root(sum, p)));
}

// A task is one row of outputs.
template <typename T>
void pool_rows_ref(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t oy = task % args.out[1], oz = task / args.out[1] % args.out[0];
    const std::int64_t plane = task / args.out[1] / args.out[0];
    const T* in = static_cast<const T*>(src) + plane * args.plane_stride();
    T* out = static_cast<T*>(dst) + task * args.out[2] * args.dst_step();
    const PoolWindow z = pool_window(args, 0, oz), y = pool_window(args, 1, oy);
    for (std::int64_t ox = 0; ox < args.out[2]; ++ox) {
      const PoolWindow x = pool_window(args, 2, ox);
      for (std::int64_t c = 0; c < args.inner; ++c)
        out[ox * args.dst_step() + c] = pool_one(args, in + c, z, y, x);
    }
  }
}

std::int64_t row_tasks(const PoolArgs& args) {
  return args.planes * args.out[0] * args.out[1];
}
std::int64_t channel_tasks(const PoolArgs& args) {
  return row_tasks(args) * pool_channel_blocks(args);
}
std::int64_t plane_tasks(const PoolArgs& args) {
  return args.planes;
}

bool covers_all(const PoolArgs& args) {
  for (int d = 0; d < 3; ++d) {
    if (args.out[d] != 1 || args.pad[d] != 0 || args.kernel[d] < args.in[d]) return false;
  }
  return true;
}

}  // namespace

PoolFn pool_ref(std::size_t element_bytes) {
  return element_bytes == 8   ? pool_rows_ref<double>
         : element_bytes == 2 ? pool_rows_ref<BFloat16>
                              : pool_rows_ref<float>;
}

PoolKernel select_pool(const PoolArgs& args, std::size_t element_bytes, Target target) {
  const auto ref = [&](const char* reason) {
    return PoolKernel{element_bytes == 8   ? "pool_nd_ref_f64"
                      : element_bytes == 2 ? "pool_nd_ref_bf16"
                                           : "pool_nd_ref_f32",
                      reason, pool_ref(element_bytes), row_tasks};
  };
  if (target != Target::ref && is_pool_copy(args))
    return {"pool_nd_copy", "windows of one element: pixels are copied", pool_copy(element_bytes), row_tasks};
  if (target == Target::ref) return ref("the reference kernel was requested");
  if (element_bytes == 2) {
    return {"pool_nd_channels_bf16", "vectors along the channels, converted to float32", pool_bf16(target),
            channel_tasks, target};
  }
  if (element_bytes == 8) return ref("float64 has the reference kernel only");
  if (args.kind == PoolKind::lp) return ref("lp has the reference kernel only");
  if (args.old_max) return ref("the maximum of Pooling_v1 has the reference kernel only");
  if (args.inner > 1) {
    return {"pool_nd_channels_f32", "vectors along the channels", pool_channels_f32(args, target),
            channel_tasks, target};
  }
  if (covers_all(args)) {
    return {"pool_nd_global_f32", "one window over the whole plane", pool_global_f32(args, target),
            plane_tasks, target};
  }
  if (args.stride[2] <= 2) {
    return {"pool_nd_rows_f32", "vectors along the width", pool_rows_f32(args, target), row_tasks, target};
  }
  return ref("strides above 2 along the width have the reference kernel only");
}

}  // namespace mxinfer::kernels
