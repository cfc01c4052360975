#include <algorithm>
#include <limits>

#include "kernels/int8/int8_pool.h"
#include "kernels/int8/rounding.h"

namespace mxinfer::kernels {
namespace {

/// Of one channel, the first of `plane`.
template <typename T>
T pooled_bytes(const PoolArgs& args, const T* plane, const Int8PoolRow& row, const PoolWindow& x) {
  std::int32_t largest = 0 + std::numeric_limits<T>::min();
  std::int64_t sum = 0;
  for (std::int64_t iz = row.z.first; iz < row.z.last; ++iz) {
    for (std::int64_t iy = row.y.first; iy < row.y.last; ++iy) {
      const T* from = plane + (iz * args.in[1] + iy) * args.in[2] * args.inner;
      for (std::int64_t ix = x.first; ix < x.last; ++ix) {
        const std::int32_t value = 0 + from[ix * args.inner];  // the sum is an int
        largest = std::max(largest, value);
        sum += value;
      }
    }
  }
  if (args.kind == PoolKind::max) return static_cast<T>(largest);
  return saturate<T>(static_cast<float>(sum) / row.divisor(args, x));
}

template <typename T>
void pool_bytes(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  for (std::int64_t task = begin; task < end; ++task) {
    const Int8PoolRow row(args, task);
    const T* plane = static_cast<const T*>(src) + row.plane * args.in_plane();
    T* to = static_cast<T*>(dst) + task * args.out[2] * args.inner;
    for (std::int64_t ox = 0; ox < args.out[2]; ++ox) {
      const PoolWindow x = pool_window(args, 2, ox);
      for (std::int64_t c = 0; c < args.inner; ++c) *to++ = pooled_bytes(args, plane + c, row, x);
    }
  }
}

}  // namespace

PoolKernel int8_pool_ref(Int8Type type) {
  PoolKernel kernel{.name = "int8_pool_ref", .reason = "plain loops", .run = nullptr, .tasks = nullptr};
  kernel.run = type == Int8Type::s8 ? pool_bytes<std::int8_t> : pool_bytes<std::uint8_t>;
  kernel.tasks = [](const PoolArgs& args) { return args.planes * args.out[0] * args.out[1]; };
  return kernel;
}

}  // namespace mxinfer::kernels
