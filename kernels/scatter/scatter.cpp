#include "kernels/scatter/scatter.h"

#include <cstring>

namespace mxinfer::kernels {

bool scatter_fits(const ScatterArgs& args, const std::int64_t* indices, std::int64_t* bad) {
  for (int d = 0; d < args.rank; ++d) {
    for (std::int64_t k = 0; k < args.count; ++k) {
      const std::int64_t index = indices[d * args.count + k];
      if (index >= 0 && index < args.size[d]) continue;
      *bad = d * args.count + k;
      return false;
    }
  }
  return true;
}

void scatter_rows(const ScatterArgs& args, const std::int64_t* indices, const std::byte* src,
                  std::byte* dst) {
  for (std::int64_t k = 0; k < args.count; ++k) {
    std::int64_t row = 0;
    for (int d = 0; d < args.rank; ++d) row += indices[d * args.count + k] * args.stride[d];
    std::memcpy(dst + static_cast<std::size_t>(row) * args.row_bytes,
                src + static_cast<std::size_t>(k) * args.row_bytes, args.row_bytes);
  }
}

}  // namespace mxinfer::kernels
