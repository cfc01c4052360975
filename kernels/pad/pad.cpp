#include "kernels/pad/pad.h"

#include <algorithm>
#include <cstring>

namespace mxinfer::kernels {
namespace {

// There and back again: `period` positions, the ends once each or twice.
std::int64_t mirrored(std::int64_t i, std::int64_t size, bool ends_twice) {
  if (size == 1) return 0;
  const std::int64_t period = ends_twice ? 2 * size : 2 * (size - 1);
  i %= period;
  if (i < 0) i += period;
  return i < size ? i : period - i - (ends_twice ? 1 : 0);
}

// The source index for position i of a dimension, -1 if it is the constant.
std::int64_t source_index(PadMode mode, std::int64_t i, std::int64_t size) {
  if (i >= 0 && i < size) return i;
  switch (mode) {
    case PadMode::constant:
      return -1;
    case PadMode::edge:
      return i < 0 ? 0 : size - 1;
    case PadMode::reflect:
    case PadMode::symmetric:
      break;
  }
  return mirrored(i, size, mode == PadMode::symmetric);
}

// The offset of the source row that output row `row` reads, -1 if all of it is the constant.
std::int64_t source_row(const PadArgs& args, std::int64_t row) {
  std::int64_t offset = 0, stride = args.in[args.rank - 1];
  for (int d = args.rank - 2; d >= 0; --d) {
    const std::int64_t index = source_index(args.mode, row % args.out[d] - args.before[d], args.in[d]);
    if (index < 0) return -1;
    row /= args.out[d];
    offset += index * stride;
    stride *= args.in[d];
  }
  return offset;
}

template <typename T>
void pad_rows(const PadArgs& args, const std::byte* src_bytes, std::byte* dst_bytes, std::int64_t begin,
              std::int64_t end) {
  const T* src = reinterpret_cast<const T*>(src_bytes);
  T* dst = reinterpret_cast<T*>(dst_bytes);
  T value;
  std::memcpy(&value, args.value, sizeof(T));
  const int last = args.rank - 1;
  const std::int64_t size = args.in[last], width = args.out[last], before = args.before[last];
  // Columns [inside_begin, inside_end) are copied as they are.
  const std::int64_t inside_begin = std::clamp<std::int64_t>(before, 0, width);
  const std::int64_t inside_end = std::clamp<std::int64_t>(before + size, inside_begin, width);
  for (std::int64_t row = begin; row < end; ++row) {
    T* out = dst + row * width;
    const std::int64_t offset = source_row(args, row);
    if (offset < 0) {
      std::fill_n(out, width, value);
      continue;
    }
    const T* in = src + offset;
    const auto outside = [&](std::int64_t column) {
      const std::int64_t index = source_index(args.mode, column - before, size);
      return index < 0 ? value : in[index];
    };
    for (std::int64_t column = 0; column < inside_begin; ++column) out[column] = outside(column);
    if (inside_end > inside_begin)
      std::copy(in + (inside_begin - before), in + (inside_end - before), out + inside_begin);
    for (std::int64_t column = inside_end; column < width; ++column) out[column] = outside(column);
  }
}

}  // namespace

PadFn select_pad(std::size_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return pad_rows<std::uint8_t>;
    case 2:
      return pad_rows<std::uint16_t>;
    case 4:
      return pad_rows<std::uint32_t>;
    default:
      return pad_rows<std::uint64_t>;
  }
}

}  // namespace mxinfer::kernels
