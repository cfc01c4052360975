// conv_winograd: 3 x 3 filters of stride 1 by Winograd's minimal filtering (Lavin and Gray, 2015). A tile of
// m x m outputs follows from n x n inputs, n = m + 2, as
//
//   y = A^T [ sum over channels of (G g G^T) .* (B^T d B) ] A
//
// with n * n multiplications for m * m * 9: a quarter for m = 4, 4/9 for m = 2. The sums over channels are
// one matrix product for each of the n * n points.
//
// A task is some rows of tiles of one image by some filters: it transforms its inputs, multiplies point by
// point and transforms back. Tasks that share tiles transform them again, so filters are split only where
// there would be fewer tasks than threads.
#include <algorithm>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/conv_winograd_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_rows-inl.h"
#include "kernels/conv/conv_tile-inl.h"
#include "kernels/conv/winograd_points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// Filters whose products wait at the same time for the transform back.
constexpr std::int64_t kBlockPanels = 24 / kTileRows;
/// Floats of transformed input of a task: they stay in the second-level cache, or not far beyond.
constexpr std::int64_t kInputFloats = 96 * 1024;

/// F(4 x 4, 3 x 3).
struct Tile4 : WinogradPoints4 {
  static constexpr const char* kName = "conv_winograd4_f32";
  static constexpr const char* kPacking =
      kTileRows == 12 ? "conv_winograd4 panels of 12 filters" : "conv_winograd4 panels of 6 filters";

  /// The six inputs of each of a vector of tiles that lie side by side.
  static HWY_INLINE void Load(const float* row, V (&d)[6]) {
    const D t;
    V ignored0, ignored1;
    hn::LoadInterleaved4(t, row, d[0], d[1], d[2], d[3]);
    hn::LoadInterleaved4(t, row + 4, d[4], d[5], ignored0, ignored1);
  }

  static HWY_INLINE void Store(const V (&y)[4], float* row) {
    hn::StoreInterleaved4(y[0], y[1], y[2], y[3], D(), row);
  }
};

/// F(2 x 2, 3 x 3), for planes that tiles of four would cover badly.
struct Tile2 : WinogradPoints2 {
  static constexpr const char* kName = "conv_winograd2_f32";
  static constexpr const char* kPacking =
      kTileRows == 12 ? "conv_winograd2 panels of 12 filters" : "conv_winograd2 panels of 6 filters";

  static HWY_INLINE void Load(const float* row, V (&d)[4]) {
    const D t;
    hn::LoadInterleaved2(t, row, d[0], d[1]);
    hn::LoadInterleaved2(t, row + 2, d[2], d[3]);
  }

  static HWY_INLINE void Store(const V (&y)[2], float* row) { hn::StoreInterleaved2(y[0], y[1], D(), row); }
};

/// How a shape is cut.
struct Cut {
  std::int64_t tile_rows, tile_columns;    ///< of an image
  std::int64_t block_rows, row_blocks;     ///< rows of tiles of a task, and how many such
  std::int64_t panels;                     ///< of kTileRows filters
  std::int64_t task_panels, panel_blocks;  ///< panels of a task, and how many such
  std::int64_t strip_floats;               ///< a row of input with its border
  std::int64_t tile_stride;                ///< floats from one channel, or filter, to the next
};

template <class T>
Cut CutOf(const ConvShape& s) {
  Cut c{};
  c.tile_rows = CeilDiv(s.output[1], T::kOut);
  c.tile_columns = CeilDiv(s.output[2], T::kOut);
  const std::int64_t most = std::max<std::int64_t>(16, kInputFloats / (T::kIn * T::kIn * s.channels));
  c.row_blocks = CeilDiv(c.tile_rows, std::max<std::int64_t>(1, most / c.tile_columns));
  c.block_rows = CeilDiv(c.tile_rows, c.row_blocks);
  c.row_blocks = CeilDiv(c.tile_rows, c.block_rows);
  c.panels = CeilDiv(s.filters, kTileRows);
  // `wanted_tasks` is four for each thread; here one for each does.
  const std::int64_t wanted = CeilDiv(s.wanted_tasks, 4);
  const std::int64_t splits = std::min(c.panels, CeilDiv(wanted, s.batch * c.row_blocks));
  c.task_panels = CeilDiv(c.panels, splits);
  c.panel_blocks = CeilDiv(c.panels, c.task_panels);
  const std::int64_t columns = RoundUp(c.tile_columns, kLanes);
  c.strip_floats = RoundUp(columns * T::kOut + T::kOut + kLanes, 16);
  const std::int64_t tiles = (c.block_rows - 1) * c.tile_columns + columns;
  // An odd number of cache lines, so that the rows spread over all cache sets.
  c.tile_stride = (CeilDiv(RoundUp(tiles, kTileColumns), 16) | 1) * 16;
  return c;
}

template <class T>
std::int64_t Tasks(const ConvShape& s) {
  const Cut c = CutOf<T>(s);
  return s.batch * c.row_blocks * c.panel_blocks;
}

// Packed weights: [point][panel][channel][kTileRows], the last panel filled up with zeros.
template <class T>
std::int64_t PackedElements(const ConvShape& s) {
  return T::kIn * T::kIn * CeilDiv(s.filters, kTileRows) * s.channels * kTileRows;
}

template <class T>
void Pack(const ConvShape& s, const float* weight, float* packed) {
  constexpr int n = T::kIn;
  const std::int64_t panels = CeilDiv(s.filters, kTileRows);
  const std::int64_t point_floats = panels * s.channels * kTileRows;
  std::fill_n(packed, n * n * point_floats, 0.0f);
  for (std::int64_t m = 0; m < s.filters; ++m) {
    for (std::int64_t c = 0; c < s.channels; ++c) {
      const float* g = weight + (m * s.channels + c) * 9;
      double rows[3][n], columns[n];
      for (int i = 0; i < 3; ++i) T::Filter({g[3 * i], g[3 * i + 1], g[3 * i + 2]}, rows[i]);
      float* to = packed + (m / kTileRows * s.channels + c) * kTileRows + m % kTileRows;
      for (int j = 0; j < n; ++j) {
        T::Filter({rows[0][j], rows[1][j], rows[2][j]}, columns);
        for (int i = 0; i < n; ++i) to[(i * n + j) * point_floats] = static_cast<float>(columns[i]);
      }
    }
  }
}

/// A thread's scratch, in floats: the input of one row of tiles, the same after the transform of its columns,
/// all transformed inputs, the products of a block of filters, and one row of tiles of outputs.
struct Scratch {
  std::int64_t strip, half, input, products, rows, end;
};

template <class T>
Scratch ScratchOf(const ConvShape& s, const Cut& c) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  Scratch at{};
  at.strip = 0;
  at.half = at.strip + T::kIn * c.strip_floats;
  at.input = at.half + T::kIn * c.strip_floats;
  at.products = at.input + points * s.channels * c.tile_stride + kTileColumns;
  at.rows = at.products + points * kBlockPanels * kTileRows * c.tile_stride + kTileColumns;
  at.end = at.rows + T::kOut * c.strip_floats;
  return at;
}

template <class T>
std::int64_t ScratchElements(const ConvShape& s) {
  return ScratchOf<T>(s, CutOf<T>(s)).end;
}

/// Transforms the rows of tiles [first, first + rows) of one channel; `to` is the channel's row at point 0.
template <class T>
void TransformInput(const ConvShape& s, const Cut& c, const float* plane, std::int64_t first,
                    std::int64_t rows, float* strip, float* half, float* to) {
  constexpr int n = T::kIn;
  const D d;
  const std::int64_t point_floats = s.channels * c.tile_stride;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t top = (first + r) * T::kOut - s.pad[1];
    for (int i = 0; i < n; ++i) {
      const std::int64_t h = top + i;
      float* row = strip + i * c.strip_floats;
      if (h < 0 || h >= s.input[1]) {
        ZeroRow(row, c.strip_floats);
      } else {
        GatherRow(row, 0, c.strip_floats, plane + h * s.input[2], s.input[2], 1, -s.pad[2]);
      }
    }
    for (std::int64_t x = 0; x < c.strip_floats; x += kLanes) {
      V in[n], out[n];
#pragma GCC unroll 6
      for (int i = 0; i < n; ++i) in[i] = hn::LoadU(d, strip + i * c.strip_floats + x);
      T::Input(in, out);
#pragma GCC unroll 6
      for (int i = 0; i < n; ++i) hn::StoreU(out[i], d, half + i * c.strip_floats + x);
    }
    for (int i = 0; i < n; ++i) {
      for (std::int64_t t = 0; t < c.tile_columns; t += kLanes) {
        V in[n], out[n];
        T::Load(half + i * c.strip_floats + t * T::kOut, in);
        T::Input(in, out);
        float* at = to + i * n * point_floats + r * c.tile_columns + t;
#pragma GCC unroll 6
        for (int j = 0; j < n; ++j) hn::StoreU(out[j], d, at + j * point_floats);
      }
    }
  }
}

/// The products of panels [begin, end) at every point, for `tiles` tiles.
template <class T>
void Multiply(const ConvShape& s, const Cut& c, const float* weight, const float* input, std::int64_t begin,
              std::int64_t end, std::int64_t tiles, float* products) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  TileArgs t{};
  t.patch_stride = t.dst_stride = c.tile_stride;
  t.depth = s.channels;
  t.start = true;
  for (std::int64_t p = 0; p < points; ++p) {
    for (std::int64_t x = 0; x < tiles; x += kTileColumns) {
      const TileFn tile = x + kLanes >= tiles ? TileOf<1>(kTileRows) : TileOf<2>(kTileRows);
      t.patches = input + p * s.channels * c.tile_stride + x;
      for (std::int64_t panel = begin; panel < end; ++panel) {
        t.weight = weight + (p * c.panels + panel) * s.channels * kTileRows;
        t.dst = products + (p * kBlockPanels + panel - begin) * kTileRows * c.tile_stride + x;
        tile(t);
      }
    }
  }
}

/// One row of outputs: bias, residual, activation, and into dst.
HWY_INLINE void FinishRow(const Epilogue& epilogue, const float* row, float bias, const float* residual,
                          float* dst, std::int64_t count) {
  const D d;
  const V b = hn::Set(d, bias);
  const auto finish = [&](const float* from, const float* add, float* to) HWY_ATTR {
    V v = hn::Add(hn::LoadU(d, from), b);
    if (add != nullptr) v = hn::Add(v, hn::LoadU(d, add));
    hn::StoreU(ApplyPiecewiseLinear(d, epilogue, v), d, to);
  };
  std::int64_t x = 0;
  for (; x + kLanes <= count; x += kLanes) {
    finish(row + x, residual == nullptr ? nullptr : residual + x, dst + x);
  }
  if (x < count) {
    HWY_ALIGN float add[kLanes] = {}, out[kLanes];
    if (residual != nullptr) CopyRow(add, residual + x, count - x);
    finish(row + x, add, out);
    CopyRow(dst + x, out, count - x);
  }
  if (!is_piecewise_linear(epilogue.activation)) ActivateRow(epilogue, dst, count);
}

/// Transforms the products of one filter back and writes its outputs. `products` is the filter's row at point
/// 0.
template <class T>
void TransformOutput(const ConvArgs<float>& args, const Cut& c, const float* products, std::int64_t image,
                     std::int64_t filter, std::int64_t first, std::int64_t rows, float* out) {
  constexpr int n = T::kIn, m = T::kOut;
  const ConvShape& s = args.shape;
  const D d;
  const std::int64_t point_floats = kBlockPanels * kTileRows * c.tile_stride;
  const float bias = args.bias != nullptr ? args.bias[filter] : 0.0f;
  const std::int64_t plane = (image * s.filters + filter) * s.output[1] * s.output[2];
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t t = 0; t < c.tile_columns; t += kLanes) {
      const float* at = products + r * c.tile_columns + t;
      V columns[m][n];
#pragma GCC unroll 6
      for (int j = 0; j < n; ++j) {
        V in[n], column[m];
#pragma GCC unroll 6
        for (int i = 0; i < n; ++i) in[i] = hn::LoadU(d, at + (i * n + j) * point_floats);
        T::Output(in, column);
#pragma GCC unroll 4
        for (int i = 0; i < m; ++i) columns[i][j] = column[i];
      }
#pragma GCC unroll 4
      for (int i = 0; i < m; ++i) {
        V y[m];
        T::Output(columns[i], y);
        T::Store(y, out + i * c.strip_floats + t * m);
      }
    }
    for (int i = 0; i < m; ++i) {
      const std::int64_t h = (first + r) * m + i;
      if (h >= s.output[1]) break;
      const std::int64_t at = plane + h * s.output[2];
      FinishRow(args.epilogue, out + i * c.strip_floats, bias,
                args.residual == nullptr ? nullptr : args.residual + at, args.dst + at, s.output[2]);
    }
  }
}

template <class T>
void RunTask(const ConvArgs<float>& args, const Cut& c, std::int64_t task, float* scratch) {
  const ConvShape& s = args.shape;
  const Scratch at = ScratchOf<T>(s, c);
  const std::int64_t panel_block = task % c.panel_blocks;
  const std::int64_t row_block = task / c.panel_blocks % c.row_blocks;
  const std::int64_t image = task / c.panel_blocks / c.row_blocks;
  const std::int64_t first = row_block * c.block_rows;
  const std::int64_t rows = std::min(c.block_rows, c.tile_rows - first);
  for (std::int64_t k = 0; k < s.channels; ++k) {
    TransformInput<T>(s, c, args.src + (image * s.channels + k) * s.input[1] * s.input[2], first, rows,
                      scratch + at.strip, scratch + at.half, scratch + at.input + k * c.tile_stride);
  }
  const std::int64_t last = std::min(c.panels, (panel_block + 1) * c.task_panels);
  for (std::int64_t panel = panel_block * c.task_panels; panel < last; panel += kBlockPanels) {
    const std::int64_t end = std::min(last, panel + kBlockPanels);
    Multiply<T>(s, c, args.weight, scratch + at.input, panel, end, rows * c.tile_columns,
                scratch + at.products);
    for (std::int64_t m = panel * kTileRows; m < std::min(s.filters, end * kTileRows); ++m) {
      TransformOutput<T>(args, c, scratch + at.products + (m - panel * kTileRows) * c.tile_stride, image, m,
                         first, rows, scratch + at.rows);
    }
  }
}

template <class T>
void Run(const ConvArgs<float>& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Cut cut = CutOf<T>(args.shape);
  for (std::int64_t task = begin; task < end; ++task) RunTask<T>(args, cut, task, scratch);
}

template <class T>
constexpr ConvKernel kRow{T::kName,           T::kPacking, PackedElements<T>, Pack<T>, Tasks<T>,
                          ScratchElements<T>, Run<T>};

}  // namespace

const ConvKernel& ConvWinograd4Row() {
  return kRow<Tile4>;
}
const ConvKernel& ConvWinograd2Row() {
  return kRow<Tile2>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

HWY_EXPORT(ConvWinograd4Row);
HWY_EXPORT(ConvWinograd2Row);

const ConvKernel& conv_winograd(Target target, int outputs) {
  return outputs == 4 ? MXINFER_ROW(ConvWinograd4Row, target)() : MXINFER_ROW(ConvWinograd2Row, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
