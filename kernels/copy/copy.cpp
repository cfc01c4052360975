#include "kernels/copy/copy.h"

#include <algorithm>
#include <cstring>

namespace mxinfer::kernels {
namespace {

CopyArgs unchanged(const CopyArgs& args) {
  return args;
}
std::int64_t element_tasks(const CopyArgs& args) {
  return args.elements();
}

// A position: the index in each dimension and the two offsets that follow from it.
struct Cursor {
  std::int64_t index[kCopyMaxRank];
  std::int64_t src;
  std::int64_t dst;

  /// At element `position` of the first `rank` dimensions, counted row-major.
  Cursor(const CopyArgs& args, int rank, std::int64_t position) : src(args.src_offset), dst(args.dst_offset) {
    for (int d = rank - 1; d >= 0; --d) {
      index[d] = position % args.dims[d];
      position /= args.dims[d];
      src += index[d] * args.src_strides[d];
      dst += index[d] * args.dst_strides[d];
    }
  }

  /// Steps to the next index of dimension d, carrying into those before it.
  void advance(const CopyArgs& args, int d) {
    for (; d >= 0; --d) {
      src += args.src_strides[d];
      dst += args.dst_strides[d];
      if (++index[d] < args.dims[d]) return;
      src -= args.dims[d] * args.src_strides[d];
      dst -= args.dims[d] * args.dst_strides[d];
      index[d] = 0;
    }
  }
};

// The reference: element by element.
template <typename T>
void copy_ref(const CopyArgs& args, const std::byte* src_bytes, std::byte* dst_bytes, std::int64_t begin,
              std::int64_t end) {
  const T* src = reinterpret_cast<const T*>(src_bytes);
  T* dst = reinterpret_cast<T*>(dst_bytes);
  Cursor at(args, args.rank, begin);
  for (std::int64_t i = begin; i < end; ++i) {
    dst[at.dst] = src[at.src];
    at.advance(args, args.rank - 1);
  }
}

// Runs of the last dimension, which `Inner` copies: inner(src, dst, count).
template <typename T, typename Inner>
void copy_runs(const CopyArgs& args, const std::byte* src_bytes, std::byte* dst_bytes, std::int64_t begin,
               std::int64_t end, Inner inner) {
  const T* src = reinterpret_cast<const T*>(src_bytes);
  T* dst = reinterpret_cast<T*>(dst_bytes);
  const int last = args.rank - 1;
  if (last < 0) {
    if (begin < end) dst[args.dst_offset] = src[args.src_offset];
    return;
  }
  const std::int64_t run = args.dims[last];
  Cursor at(args, last, begin / run);
  std::int64_t first = begin % run;
  for (std::int64_t i = begin; i < end;) {
    const std::int64_t count = std::min(run - first, end - i);
    inner(src + at.src + first * args.src_strides[last], dst + at.dst + first * args.dst_strides[last],
          count);
    i += count;
    first = 0;
    at.advance(args, last - 1);
  }
}

template <typename T>
void copy_rows(const CopyArgs& args, const std::byte* src, std::byte* dst, std::int64_t begin,
               std::int64_t end) {
  copy_runs<T>(args, src, dst, begin, end, [](const T* from, T* to, std::int64_t count) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
  });
}

template <typename T>
void copy_repeat(const CopyArgs& args, const std::byte* src, std::byte* dst, std::int64_t begin,
                 std::int64_t end) {
  copy_runs<T>(args, src, dst, begin, end,
               [](const T* from, T* to, std::int64_t count) { std::fill_n(to, count, *from); });
}

template <typename T>
void copy_strided(const CopyArgs& args, const std::byte* src, std::byte* dst, std::int64_t begin,
                  std::int64_t end) {
  const int last = args.rank - 1;
  const std::int64_t src_step = last < 0 ? 1 : args.src_strides[last];
  const std::int64_t dst_step = last < 0 ? 1 : args.dst_strides[last];
  copy_runs<T>(args, src, dst, begin, end, [=](const T* from, T* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i * dst_step] = from[i * src_step];
  });
}

// Transposition: the last dimension is contiguous in dst, the one before it is contiguous in src. Copies in
// tiles, so that the cache lines of a tile stay in cache on both sides until they are used up.
constexpr std::int64_t kTile = 16;

CopyArgs prepare_transpose(const CopyArgs& args) {
  CopyArgs out = args;
  const int last = args.rank - 1;
  int unit = 0;
  while (args.src_strides[unit] != 1) ++unit;
  for (int d = unit; d < last - 1; ++d) {
    out.dims[d] = args.dims[d + 1];
    out.src_strides[d] = args.src_strides[d + 1];
    out.dst_strides[d] = args.dst_strides[d + 1];
  }
  out.dims[last - 1] = args.dims[unit];
  out.src_strides[last - 1] = args.src_strides[unit];
  out.dst_strides[last - 1] = args.dst_strides[unit];
  return out;
}

std::int64_t tiles_of(std::int64_t size) {
  return (size + kTile - 1) / kTile;
}

std::int64_t transpose_tasks(const CopyArgs& args) {
  std::int64_t outer = 1;
  for (int d = 0; d < args.rank - 2; ++d) outer *= args.dims[d];
  return outer * tiles_of(args.dims[args.rank - 2]);
}

template <typename T>
void copy_transpose(const CopyArgs& args, const std::byte* src_bytes, std::byte* dst_bytes,
                    std::int64_t begin, std::int64_t end) {
  const T* src = reinterpret_cast<const T*>(src_bytes);
  T* dst = reinterpret_cast<T*>(dst_bytes);
  const int last = args.rank - 1;
  const std::int64_t columns = args.dims[last], rows = args.dims[last - 1];
  const std::int64_t src_step = args.src_strides[last], dst_step = args.dst_strides[last - 1];
  const std::int64_t blocks = tiles_of(rows);
  for (std::int64_t task = begin; task < end; ++task) {
    const Cursor at(args, args.rank - 2, task / blocks);
    const std::int64_t row0 = task % blocks * kTile, row1 = std::min(rows, row0 + kTile);
    for (std::int64_t column0 = 0; column0 < columns; column0 += kTile) {
      const std::int64_t column1 = std::min(columns, column0 + kTile);
      for (std::int64_t row = row0; row < row1; ++row) {
        const T* from = src + at.src + row;
        T* to = dst + at.dst + row * dst_step;
        for (std::int64_t column = column0; column < column1; ++column) to[column] = from[column * src_step];
      }
    }
  }
}

// Interleaving: a few consecutive rows of src alternate in dst, as in a channel shuffle.
constexpr std::int64_t kMostWays = 4;

bool is_interleaving(const CopyArgs& args) {
  const int last = args.rank - 1;
  return last >= 1 && args.dims[last] <= kMostWays && args.dims[last - 1] >= 4 &&
         args.dst_strides[last] == 1 && args.dst_strides[last - 1] == args.dims[last] &&
         args.src_strides[last - 1] == 1 && args.src_strides[last] != 0;
}

std::int64_t interleave_tasks(const CopyArgs& args) {
  return args.elements() / (args.dims[args.rank - 1] * args.dims[args.rank - 2]);
}

template <int kWays, typename T>
void interleave(const T* from, std::int64_t step, T* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (int way = 0; way < kWays; ++way) to[i * kWays + way] = from[way * step + i];
  }
}

template <typename T>
void copy_interleave(const CopyArgs& args, const std::byte* src_bytes, std::byte* dst_bytes,
                     std::int64_t begin, std::int64_t end) {
  const T* src = reinterpret_cast<const T*>(src_bytes);
  T* dst = reinterpret_cast<T*>(dst_bytes);
  const int last = args.rank - 1;
  const std::int64_t step = args.src_strides[last], count = args.dims[last - 1];
  Cursor at(args, last - 1, begin);
  for (std::int64_t task = begin; task < end; ++task) {
    const T* from = src + at.src;
    T* to = dst + at.dst;
    switch (args.dims[last]) {
      case 2:
        interleave<2>(from, step, to, count);
        break;
      case 3:
        interleave<3>(from, step, to, count);
        break;
      default:
        interleave<4>(from, step, to, count);
    }
    at.advance(args, last - 2);
  }
}

enum class Variant { ref, rows, repeat, interleave, transpose, strided };

Variant variant_for(const CopyArgs& args, Target target) {
  if (target == Target::ref) return Variant::ref;
  if (args.rank == 0) return Variant::rows;
  const int last = args.rank - 1;
  if (args.dst_strides[last] != 1) return Variant::strided;
  if (args.src_strides[last] == 1) return Variant::rows;
  if (args.src_strides[last] == 0) return Variant::repeat;
  if (is_interleaving(args)) return Variant::interleave;
  for (int d = 0; d < last; ++d) {
    if (args.src_strides[d] == 1 && args.dims[d] >= 4 && args.dims[last] >= 4) return Variant::transpose;
  }
  return Variant::strided;
}

template <typename T>
const CopyKernel& kernel_of(Variant variant) {
  static const CopyKernel ref{"copy_ref", copy_ref<T>, unchanged, element_tasks};
  static const CopyKernel rows{"copy_rows", copy_rows<T>, unchanged, element_tasks};
  static const CopyKernel repeat{"copy_repeat", copy_repeat<T>, unchanged, element_tasks};
  static const CopyKernel interleave{"copy_interleave", copy_interleave<T>, unchanged, interleave_tasks};
  static const CopyKernel transpose{"copy_transpose", copy_transpose<T>, prepare_transpose, transpose_tasks};
  static const CopyKernel strided{"copy_strided", copy_strided<T>, unchanged, element_tasks};
  switch (variant) {
    case Variant::ref:
      return ref;
    case Variant::rows:
      return rows;
    case Variant::repeat:
      return repeat;
    case Variant::interleave:
      return interleave;
    case Variant::transpose:
      return transpose;
    case Variant::strided:
      return strided;
  }
  return ref;
}

}  // namespace

CopyArgs simplify(const CopyArgs& args) {
  CopyArgs out;
  out.src_offset = args.src_offset;
  out.dst_offset = args.dst_offset;
  for (int d = 0; d < args.rank; ++d) {
    if (args.dims[d] == 1) continue;
    const int before = out.rank - 1;
    if (before >= 0 && out.src_strides[before] == args.dims[d] * args.src_strides[d] &&
        out.dst_strides[before] == args.dims[d] * args.dst_strides[d]) {
      out.dims[before] *= args.dims[d];
      out.src_strides[before] = args.src_strides[d];
      out.dst_strides[before] = args.dst_strides[d];
      continue;
    }
    out.dims[out.rank] = args.dims[d];
    out.src_strides[out.rank] = args.src_strides[d];
    out.dst_strides[out.rank] = args.dst_strides[d];
    ++out.rank;
  }
  return out;
}

const CopyKernel& select_copy(const CopyArgs& simplified, std::size_t element_bytes, Target target) {
  const Variant variant = variant_for(simplified, target);
  switch (element_bytes) {
    case 1:
      return kernel_of<std::uint8_t>(variant);
    case 2:
      return kernel_of<std::uint16_t>(variant);
    case 4:
      return kernel_of<std::uint32_t>(variant);
    default:
      return kernel_of<std::uint64_t>(variant);
  }
}

}  // namespace mxinfer::kernels
