// Windows of one element: copies pixels, a stride apart.
#include <cstring>

#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer::kernels {
namespace {

/// A task is a row of outputs.
template <std::int64_t kBytes>
void copy_rows(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  const auto bytes = static_cast<std::size_t>(args.inner * kBytes);
  const std::int64_t from_step = args.stride[2] * args.src_step() * kBytes;
  const std::int64_t to_step = args.dst_step() * kBytes;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t y = task % args.out[1] * args.stride[1];
    const std::int64_t z = task / args.out[1] % args.out[0] * args.stride[0];
    const std::int64_t plane = task / args.out[1] / args.out[0];
    const std::int64_t row = ((plane * args.in[0] + z) * args.in[1] + y) * args.in[2];
    const char* from = static_cast<const char*>(src) + row * args.src_step() * kBytes;
    char* to = static_cast<char*>(dst) + task * args.out[2] * to_step;
    for (std::int64_t x = 0; x < args.out[2]; ++x) std::memcpy(to + x * to_step, from + x * from_step, bytes);
  }
}

}  // namespace

bool is_pool_copy(const PoolArgs& args) {
  if (args.inner == 1 || (args.kind != PoolKind::avg && args.kind != PoolKind::sum)) return false;
  for (int d = 0; d < 3; ++d) {
    const bool inside = (args.out[d] - 1) * args.stride[d] < args.in[d];
    if (args.kernel[d] != 1 || args.pad[d] != 0 || !inside) return false;
  }
  return true;
}

PoolFn pool_copy(std::size_t element_bytes) {
  if (element_bytes == 2) return copy_rows<2>;
  return element_bytes == 4 ? copy_rows<4> : copy_rows<8>;
}

}  // namespace mxinfer::kernels
