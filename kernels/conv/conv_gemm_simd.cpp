// conv_gemm: the convolution as a matrix product, dst (filters x pixels) = weight (filters x depth) . patches
// (depth x pixels), where depth runs over the channels and taps of a group. Patches are gathered block by
// block into a thread's scratch, so they never exist as a whole.
//
// A task is some pixels of one image by some filters of one group. Depth is cut into blocks whose patches
// stay in the second-level cache; sums wait in dst between them. The innermost tile, kTileRows filters by two
// vectors of pixels, keeps its sums in registers.
#include <algorithm>
#include <cstring>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/conv_gemm_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_strip-inl.h"
#include "kernels/conv/conv_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

// A tile's rows differ between targets, and with them the layout.
constexpr const char* kPacking =
    kTileRows == 12 ? "conv_gemm panels of 12 filters" : "conv_gemm panels of 6 filters";
constexpr std::int64_t kMaxPixels = 192;    ///< of a task
constexpr std::int64_t kMaxDepth = 256;     ///< of a block: its patches take up to 200 KiB
constexpr std::int64_t kLeastFilters = 48;  ///< of a task, where there are as many

/// How a shape is cut.
struct Blocks {
  std::int64_t pixels, pixel_blocks;  ///< of a task, and how many
  std::int64_t panels, panel_blocks;  ///< panels of kTileRows filters of a task, and how many
  std::int64_t group_panels;          ///< panels of a group
  std::int64_t depth;                 ///< of a block
  std::int64_t patch_stride;          ///< floats from one row of patches to the next
};

std::int64_t BlockDepth(const ConvShape& s) {
  const std::int64_t depth = CeilDiv(s.depth(), CeilDiv(s.depth(), kMaxDepth));
  // Whole channels, so that each is gathered once.
  const std::int64_t taps = volume(s.kernel);
  return taps <= kMaxDepth ? RoundUp(depth, taps) : depth;
}

Blocks Cut(const ConvShape& s) {
  Blocks b{};
  const std::int64_t pixels = volume(s.output);
  b.pixels = RoundUp(CeilDiv(pixels, CeilDiv(pixels, kMaxPixels)), kTileColumns);
  b.pixel_blocks = CeilDiv(pixels, b.pixels);
  b.group_panels = CeilDiv(s.group_filters(), kTileRows);
  // Every block of filters gathers the patches anew, so filters are split only where tasks would be few.
  const std::int64_t tasks = std::max<std::int64_t>(1, s.batch * s.groups * b.pixel_blocks);
  const std::int64_t least = kLeastFilters / kTileRows;
  b.panels =
      std::max(std::min(least, b.group_panels), CeilDiv(b.group_panels, CeilDiv(s.wanted_tasks, tasks)));
  b.panel_blocks = CeilDiv(b.group_panels, b.panels);
  b.depth = BlockDepth(s);
  // An odd number of cache lines, so that the rows spread over all cache sets.
  b.patch_stride = (CeilDiv(b.pixels, 16) | 1) * 16;
  return b;
}

std::int64_t Tasks(const ConvShape& s) {
  const Blocks b = Cut(s);
  return s.batch * s.groups * b.pixel_blocks * b.panel_blocks;
}

// Packed weights: [group][block of depth][panel][depth in block][kTileRows], the last panel filled up with
// zeros: a task reads them from front to back.
std::int64_t PackedElements(const ConvShape& s) {
  return s.groups * Cut(s).group_panels * s.depth() * kTileRows;
}

void Pack(const ConvShape& s, const float* weight, float* packed) {
  const std::int64_t depth = s.depth(), filters = s.group_filters(), block = BlockDepth(s);
  for (std::int64_t g = 0; g < s.groups; ++g) {
    for (std::int64_t first = 0; first < depth; first += block) {
      const std::int64_t last = std::min(depth, first + block);
      for (std::int64_t m = 0; m < filters; m += kTileRows) {
        for (std::int64_t k = first; k < last; ++k) {
          for (std::int64_t r = m; r < m + kTileRows; ++r) {
            *packed++ = r < filters ? weight[(g * filters + r) * depth + k] : 0.0f;
          }
        }
      }
    }
  }
}

/// A convolution that reads its input as it lies has patches = input: one row of pixels a channel.
ConvShape Flattened(ConvShape s) {
  if (volume(s.kernel) != 1 || volume(s.stride) != 1 || s.pad != Spatial{0, 0, 0}) return s;
  s.input = s.output = {1, 1, volume(s.output)};
  return s;
}

/// One row of patches: the input under one tap, for output pixels [begin, end).
void GatherTap(const ConvShape& s, const float* plane, const Spatial& tap, std::int64_t begin,
               std::int64_t end, float* dst) {
  const std::int64_t width = s.output[2];
  const std::int64_t offset = tap[2] * s.dilate[2] - s.pad[2];
  std::int64_t row = begin / width;
  std::int64_t from = begin - row * width;
  std::int64_t od = row / s.output[1];
  std::int64_t oh = row - od * s.output[1];
  for (std::int64_t at = begin; at < end; from = 0) {
    const std::int64_t to = std::min(width, from + end - at);
    const std::int64_t d = od * s.stride[0] + tap[0] * s.dilate[0] - s.pad[0];
    const std::int64_t h = oh * s.stride[1] + tap[1] * s.dilate[1] - s.pad[1];
    if (d < 0 || d >= s.input[0] || h < 0 || h >= s.input[1]) {
      ZeroRow(dst, to - from);
    } else {
      GatherRow(dst, from, to, plane + (d * s.input[1] + h) * s.input[2], s.input[2], s.stride[2], offset);
    }
    dst += to - from;
    at += to - from;
    if (++oh == s.output[1]) {
      oh = 0;
      ++od;
    }
  }
}

/// Whether patches are gathered through a strip. It costs a copy more, and saves looking after borders at
/// each tap.
bool UsesStrip(const ConvShape& s) {
  return s.input[0] == 1 && s.kernel[0] == 1 && s.output[0] == 1 && volume(s.kernel) > 1;
}

/// Output rows that a task's pixels may touch.
std::int64_t StripRows(const ConvShape& s, const Blocks& b) {
  return std::min(s.output[1], CeilDiv(b.pixels - 1, s.output[2]) + 1);
}

/// The part of the patches that a task gathers at a time: rows [first, last) of depth, pixels [begin, end).
struct Patches {
  std::int64_t first, last, begin, end;
  float* dst;
  std::int64_t stride;
};

/// Fills a row of patches up to a whole tile; writes up to a vector behind it.
HWY_INLINE void PadRow(float* row, std::int64_t count) {
  const D d;
  for (std::int64_t x = count; x < RoundUp(count, kTileColumns); x += kLanes)
    hn::StoreU(hn::Zero(d), d, row + x);
}

/// Patches without a strip: each tap looks after its borders.
void GatherDirectly(const ConvShape& s, const float* src, const Patches& p) {
  const std::int64_t taps = volume(s.kernel);
  float* dst = p.dst;
  for (std::int64_t k = p.first; k < p.last; ++k, dst += p.stride) {
    const std::int64_t c = k / taps, t = k - c * taps;
    const Spatial tap{t / (s.kernel[1] * s.kernel[2]), t / s.kernel[2] % s.kernel[1], t % s.kernel[2]};
    GatherTap(s, src + c * volume(s.input), tap, p.begin, p.end, dst);
    PadRow(dst, p.end - p.begin);
  }
}

/// Patches, a vector to write behind them, then the strip.
std::int64_t PatchElements(const Blocks& b) {
  return b.depth * b.patch_stride + 16;
}

std::int64_t ScratchElements(const ConvShape& s) {
  const Blocks b = Cut(s);
  return PatchElements(b) + (UsesStrip(s) ? StripOf(s, StripRows(s, b)).Floats() : 0);
}

/// One row of patches out of a strip. Each output row is copied in whole vectors; what is too much lies where
/// the next row goes.
HWY_INLINE void CopyTap(const float* HWY_RESTRICT from, std::int64_t from_stride, std::int64_t width,
                        std::int64_t skip, std::int64_t count, float* HWY_RESTRICT dst) {
  const D d;
  for (std::int64_t at = -skip; at < count; at += width, from += from_stride) {
    const std::int64_t to = std::min(width, count - at);
    for (std::int64_t x = at < 0 ? skip : 0; x < to; x += kLanes)
      hn::StoreU(hn::LoadU(d, from + x), d, dst + at + x);
  }
}

void GatherThroughStrip(const ConvShape& s, const Strip& strip, const float* src, const Patches& p,
                        float* scratch) {
  const std::int64_t taps = volume(s.kernel), width = s.output[2], plane = s.input[1] * s.input[2];
  const std::int64_t first_row = p.begin / width, rows = (p.end - 1) / width - first_row + 1;
  float* dst = p.dst;
  for (std::int64_t k = p.first; k < p.last;) {
    const std::int64_t c = k / taps;
    FillStrip(s, strip, src + c * plane, first_row * s.stride[1] - s.pad[1], InputRows(s, rows), scratch);
    for (const std::int64_t last = std::min(p.last, (c + 1) * taps); k < last; ++k, dst += p.stride) {
      const std::int64_t t = k - c * taps, kh = t / s.kernel[2], kw = t - kh * s.kernel[2];
      CopyTap(scratch + strip.Row(s, 0, kh) + strip.Column(s, kw), strip.Row(s, 1, 0), width,
              p.begin - first_row * width, p.end - p.begin, dst);
      PadRow(dst, p.end - p.begin);
    }
  }
}

/// Copies a block of rows that need not be a whole number of vectors wide.
void CopyBlock(float* dst, std::int64_t dst_stride, const float* src, std::int64_t src_stride,
               std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) CopyRow(dst + r * dst_stride, src + r * src_stride, columns);
}

/// A tile at the right border: it works on copies, because what lies behind its columns belongs to others.
void BorderTile(TileArgs t, std::int64_t rows, std::int64_t columns) {
  HWY_ALIGN float dst[kTileRows * kTileColumns];
  HWY_ALIGN float residual[kTileRows * kTileColumns];
  float* const out = t.dst;
  const std::int64_t out_stride = t.dst_stride;
  std::memset(dst, 0, sizeof(dst));
  if (!t.start) CopyBlock(dst, kTileColumns, out, out_stride, rows, columns);
  if (t.finish && t.residual != nullptr) {
    std::memset(residual, 0, sizeof(residual));
    CopyBlock(residual, kTileColumns, t.residual, out_stride, rows, columns);
    t.residual = residual;
  }
  t.dst = dst;
  t.dst_stride = kTileColumns;
  (columns <= kLanes ? TileOf<1>(rows) : TileOf<2>(rows))(t);
  CopyBlock(out, out_stride, dst, kTileColumns, rows, columns);
}

void RunTile(const TileArgs& t, std::int64_t rows, std::int64_t columns) {
  if (columns == kTileColumns) {
    TileOf<2>(rows)(t);
  } else if (columns == kLanes) {
    TileOf<1>(rows)(t);
  } else {
    BorderTile(t, rows, columns);
  }
  if (!t.finish || is_piecewise_linear(t.epilogue->activation)) return;
  for (std::int64_t r = 0; r < rows; ++r) ActivateRow(*t.epilogue, t.dst + r * t.dst_stride, columns);
}

/// Which part of dst a task computes.
struct Part {
  std::int64_t n, group, pixel_begin, pixel_end, panel_begin, panel_end;
};

Part PartOf(const ConvShape& s, const Blocks& b, std::int64_t task) {
  Part part{};
  const std::int64_t panel_block = task % b.panel_blocks;
  task /= b.panel_blocks;
  const std::int64_t pixel_block = task % b.pixel_blocks;
  task /= b.pixel_blocks;
  part.group = task % s.groups;
  part.n = task / s.groups;
  part.pixel_begin = pixel_block * b.pixels;
  part.pixel_end = std::min(volume(s.output), part.pixel_begin + b.pixels);
  part.panel_begin = panel_block * b.panels;
  part.panel_end = std::min(b.group_panels, part.panel_begin + b.panels);
  return part;
}

/// All tiles of a part for one block of depth.
void RunBlock(const ConvArgs<float>& args, const ConvShape& s, const Blocks& b, const Part& part, TileArgs t,
              std::int64_t first) {
  const std::int64_t pixels = volume(s.output);
  const float* patches = t.patches;
  for (std::int64_t p = part.pixel_begin; p < part.pixel_end; p += kTileColumns) {
    t.patches = patches + (p - part.pixel_begin);
    for (std::int64_t panel = part.panel_begin; panel < part.panel_end; ++panel) {
      const std::int64_t in_group = panel * kTileRows;
      const std::int64_t m = part.group * s.group_filters() + in_group;
      const std::int64_t at = (part.n * s.filters + m) * pixels + p;
      t.weight =
          args.weight +
          (part.group * b.group_panels * s.depth() + first * b.group_panels + panel * t.depth) * kTileRows;
      t.dst = args.dst + at;
      t.bias = args.bias != nullptr ? args.bias + m : nullptr;
      t.residual = args.residual != nullptr ? args.residual + at : nullptr;
      RunTile(t, std::min<std::int64_t>(kTileRows, s.group_filters() - in_group),
              std::min(kTileColumns, part.pixel_end - p));
    }
  }
}

void RunTask(const ConvArgs<float>& args, const ConvShape& s, const Blocks& b, std::int64_t task,
             float* scratch) {
  const Part part = PartOf(s, b, task);
  const float* src = args.src + (part.n * s.channels + part.group * s.group_channels()) * volume(s.input);
  TileArgs t{};
  t.patches = scratch;
  t.patch_stride = b.patch_stride;
  t.dst_stride = volume(s.output);
  t.epilogue = &args.epilogue;
  for (std::int64_t first = 0; first < s.depth(); first += b.depth) {
    const std::int64_t last = std::min(s.depth(), first + b.depth);
    const Patches patches{first, last, part.pixel_begin, part.pixel_end, scratch, b.patch_stride};
    if (UsesStrip(s)) {
      GatherThroughStrip(s, StripOf(s, StripRows(s, b)), src, patches, scratch + PatchElements(b));
    } else {
      GatherDirectly(s, src, patches);
    }
    t.depth = last - first;
    t.start = first == 0;
    t.finish = last == s.depth();
    RunBlock(args, s, b, part, t, first);
  }
}

void Run(const ConvArgs<float>& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Blocks blocks = Cut(args.shape);
  const ConvShape shape = Flattened(args.shape);
  for (std::int64_t task = begin; task < end; ++task) RunTask(args, shape, blocks, task, scratch);
}

constexpr ConvKernel kRow{"conv_gemm_f32", kPacking, PackedElements, Pack, Tasks, ScratchElements, Run};

}  // namespace

const ConvKernel& ConvGemmRow() {
  return kRow;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvGemmRow);

const ConvKernel& conv_gemm(Target target) {
  return MXINFER_ROW(ConvGemmRow, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
