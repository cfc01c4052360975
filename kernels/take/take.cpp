#include "kernels/take/take.h"

#include <algorithm>
#include <cstring>

namespace mxinfer::kernels {
namespace {

// A single element is copied by one load and store; a call of memcpy would cost more.
void copy_row(std::byte* dst, const std::byte* src, std::size_t bytes) {
  if (bytes == 4) {
    std::memcpy(dst, src, 4);
  } else if (bytes == 8) {
    std::memcpy(dst, src, 8);
  } else {
    std::memcpy(dst, src, bytes);
  }
}

template <typename T>
void one_hot(const OneHotArgs& args, const std::int64_t* indices, std::byte* dst_bytes, std::int64_t begin,
             std::int64_t end) {
  T on, off;
  std::memcpy(&on, args.on, sizeof(T));
  std::memcpy(&off, args.off, sizeof(T));
  for (std::int64_t k = begin; k < end; ++k) {
    T* row = reinterpret_cast<T*>(dst_bytes) + k * args.depth;
    std::fill_n(row, args.depth, off);
    if (indices[k] >= 0 && indices[k] < args.depth) row[indices[k]] = on;
  }
}

}  // namespace

void take_rows(const TakeArgs& args, const std::int64_t* indices, const std::byte* src, std::byte* dst,
               std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t outer = row / args.count;
    const std::int64_t index = resolve_index(indices[row % args.count], args.size, args.mode);
    copy_row(dst + static_cast<std::size_t>(row) * args.row_bytes,
             src + static_cast<std::size_t>(outer * args.size + index) * args.row_bytes, args.row_bytes);
  }
}

void pick_rows(const PickArgs& args, const std::int64_t* indices, const std::byte* src, std::byte* dst,
               std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t outer = row / args.mid, m = row % args.mid;
    const std::int64_t index = resolve_index(indices[row], args.size, args.mode);
    copy_row(dst + static_cast<std::size_t>(row) * args.row_bytes,
             src + static_cast<std::size_t>((outer * args.size + index) * args.mid + m) * args.row_bytes,
             args.row_bytes);
  }
}

bool gather_fits(const GatherArgs& args, const std::int64_t* indices, std::int64_t* bad) {
  for (int d = 0; d < args.rank; ++d) {
    for (std::int64_t k = 0; k < args.count; ++k) {
      const std::int64_t index = indices[d * args.count + k];
      if (index >= -args.size[d] && index < args.size[d]) continue;
      *bad = d * args.count + k;
      return false;
    }
  }
  return true;
}

void gather_rows(const GatherArgs& args, const std::int64_t* indices, const std::byte* src, std::byte* dst,
                 std::int64_t begin, std::int64_t end) {
  for (std::int64_t k = begin; k < end; ++k) {
    std::int64_t row = 0;
    for (int d = 0; d < args.rank; ++d) {
      const std::int64_t index = indices[d * args.count + k];
      row += (index < 0 ? index + args.size[d] : index) * args.stride[d];
    }
    copy_row(dst + static_cast<std::size_t>(k) * args.row_bytes,
             src + static_cast<std::size_t>(row) * args.row_bytes, args.row_bytes);
  }
}

void one_hot_rows(const OneHotArgs& args, const std::int64_t* indices, std::byte* dst, std::int64_t begin,
                  std::int64_t end) {
  switch (args.element_bytes) {
    case 1:
      return one_hot<std::uint8_t>(args, indices, dst, begin, end);
    case 2:
      return one_hot<std::uint16_t>(args, indices, dst, begin, end);
    case 4:
      return one_hot<std::uint32_t>(args, indices, dst, begin, end);
    default:
      return one_hot<std::uint64_t>(args, indices, dst, begin, end);
  }
}

}  // namespace mxinfer::kernels
