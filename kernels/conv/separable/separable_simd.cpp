// separable_strips: computes a chunk of rows of outputs at a time, enough to fill the tiles of the GEMMs. One
// buffer holds a chunk's expanded rows; those that it shares with the chunk before move up.
#include <algorithm>
#include <cstring>

#include "kernels/conv/separable/separable.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/separable/separable_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_panels-inl.h"
#include "kernels/conv/depthwise/depthwise_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// Positions of a chunk of outputs, at least, and floats of its expanded rows, about at most.
constexpr std::int64_t kLeastPositions = 48;
constexpr std::int64_t kBufferFloats = 64 * 1024;

struct Cut {
  std::int64_t rows, strips;        ///< rows of outputs of a task; tasks of an image
  std::int64_t chunk;               ///< rows of outputs at a time
  std::int64_t buffer_rows;         ///< rows of input that they reach
  std::int64_t row_floats;          ///< of the expanded image
  std::int64_t expanded, filtered;  ///< floats of scratch: the buffer, and the depthwise outputs of a chunk
  std::int64_t table;               ///< floats of a table of addresses
};

Cut CutOf(const SeparableShape& shape) {
  const ConvProblem& s = shape.depthwise;
  Cut c{};
  const std::int64_t height = s.output[1], width = s.output[2];
  c.rows = CeilDiv(height, std::clamp<std::int64_t>(shape.strips, 1, height));
  c.strips = CeilDiv(height, c.rows);
  c.row_floats = s.input[2] * s.channels;
  const std::int64_t fitting = (kBufferFloats / c.row_floats - s.kernel[1]) / s.stride[1] + 1;
  const std::int64_t least = CeilDiv(kLeastPositions, width);
  c.chunk = std::clamp<std::int64_t>(std::max(fitting, least), 1, c.rows);
  // Chunks of one size.
  c.chunk = CeilDiv(c.rows, CeilDiv(c.rows, c.chunk));
  c.buffer_rows = (c.chunk - 1) * s.stride[1] + s.kernel[1];
  c.expanded = shape.expands ? RoundUp(c.buffer_rows * c.row_floats, 16) : 0;
  c.filtered = RoundUp(c.chunk * width * s.channels, 16);
  const std::int64_t positions = std::max(c.buffer_rows * s.input[2], c.chunk * width);
  c.table = positions * kPointerFloats;
  return c;
}

std::int64_t Tasks(const SeparableShape& shape) {
  return shape.depthwise.batch * CutOf(shape).strips;
}

std::int64_t ScratchElements(const SeparableShape& shape) {
  const Cut c = CutOf(shape);
  return c.expanded + c.filtered + c.table;
}

/// A 1 x 1 convolution of `count` contiguous positions; does not read dst and residual of args.
void Multiply(const ConvArgs& args, const float* src, std::int64_t count, float* dst, const float* residual,
              const float** table) {
  const ConvProblem& s = args.problem;
  const std::int64_t step = args.src_step();
  for (std::int64_t i = 0; i < count; ++i) table[i] = src + i * step;
  panel::TileArgs t{};
  t.runs = 1;
  t.run_length = s.channels;
  t.dst = dst;
  t.residual_stride = s.filters;
  t.dst_stride = args.dst_step();
  t.bias = typed<float>(args.bias);
  t.residual = residual;
  t.slopes = args.slopes;
  t.post_ops = &args.post_ops;
  MultiplyPanels(t, table, count, typed<float>(args.weight), s.filters, 0, PanelCount(s.filters));
}

/// Rows [first, end) of the expanded image, or of the image itself, from `data` on.
struct Window {
  const float* data;
  std::int64_t first, end;
};

/// Makes the buffer hold rows [top, bottom).
void Expand(const SeparableArgs& args, const Cut& c, const float* image, std::int64_t top,
            std::int64_t bottom, float* buffer, const float** table, Window* window) {
  const std::int64_t width = args.shape.depthwise.input[2];
  if (window->end > top) {
    const std::int64_t kept = window->end - top;
    std::memmove(buffer, buffer + (top - window->first) * c.row_floats,
                 static_cast<std::size_t>(kept * c.row_floats) * sizeof(float));
  } else {
    window->end = top;
  }
  window->first = top;
  const std::int64_t missing = bottom - window->end;
  if (missing > 0) {
    Multiply(args.expand, image + window->end * width * args.expand.src_step(), missing * width,
             buffer + (window->end - top) * c.row_floats, nullptr, table);
    window->end = bottom;
  }
}

/// Rows [y, y + rows) of the depthwise outputs.
void Filter(const SeparableArgs& args, const Window& window, std::int64_t y, std::int64_t rows,
            const depthwise::Tiles& tiles, float* dst) {
  const ConvProblem& s = args.shape.depthwise;
  ConvArgs filter = args.depthwise;
  filter.dst = dst;
  for (std::int64_t r = 0; r < rows; ++r) {
    depthwise::Row row{};
    row.args = &filter;
    row.image = window.data;
    const std::int64_t top = (y + r) * s.stride[1] - s.pad[1];
    row.taps = depthwise::Inside(top, s.kernel[1], 1, s.input[1]);
    row.top = top - window.first;
    row.position = r * s.output[2];
    depthwise::RunRow(row, tiles);
  }
}

void RunTask(const SeparableArgs& args, const Cut& c, const depthwise::Tiles& tiles, std::int64_t task,
             float* scratch) {
  const ConvProblem& s = args.shape.depthwise;
  const std::int64_t pixel = args.shape.expands ? args.expand.src_step() : args.depthwise.src_step();
  const std::int64_t image = task / c.strips, first = task % c.strips * c.rows;
  const std::int64_t last = std::min(s.output[1], first + c.rows);
  const float* src = args.src + image * pixel * s.input[1] * s.input[2];
  float* filtered = scratch + c.expanded;
  const auto table = reinterpret_cast<const float**>(filtered + c.filtered);
  Window window = args.shape.expands ? Window{scratch, 0, 0} : Window{src, 0, s.input[1]};
  const std::int64_t filters = args.shape.project.filters;
  for (std::int64_t y = first; y < last; y += c.chunk) {
    const std::int64_t rows = std::min(c.chunk, last - y);
    if (args.shape.expands) {
      const std::int64_t top = y * s.stride[1] - s.pad[1];
      const std::int64_t bottom = top + (rows - 1) * s.stride[1] + s.kernel[1];
      const std::int64_t inside = std::clamp<std::int64_t>(top, 0, s.input[1]);
      Expand(args, c, src, inside, std::clamp(bottom, inside, s.input[1]), scratch, table, &window);
    }
    Filter(args, window, y, rows, tiles, filtered);
    const std::int64_t position = (image * s.output[1] + y) * s.output[2];
    Multiply(
        args.project, filtered, rows * s.output[2],
        typed<float>(args.project.dst) + position * args.project.dst_step(),
        args.project.residual == nullptr ? nullptr : typed<float>(args.project.residual) + position * filters,
        table);
  }
}

void Run(const SeparableArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Cut cut = CutOf(args.shape);
  const depthwise::Tiles tiles = depthwise::TilesFor(args.shape.depthwise);
  for (std::int64_t task = begin; task < end; ++task) RunTask(args, cut, tiles, task, scratch);
}

constexpr SeparableKernel kImpl{"separable_strips_f32", Tasks, ScratchElements, Run};

}  // namespace

const SeparableKernel& SeparableImpl() {
  return kImpl;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(SeparableImpl);

const SeparableKernel& separable_strips(Target target) {
  return MXINFER_DISPATCH(SeparableImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
