// conv_nhwc_strip: few input channels, as in the first convolution of a network. A run of one tap would be
// three numbers long; the taps of a row of the filter together are one run once the input has its border of
// zeros. So a task copies the rows it needs into a strip with that border, from planes too, and multiplies
// from there.
//
// A task is some rows of outputs of one image, with all filters.
#include <algorithm>

#include "kernels/conv/conv_nhwc.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/strip/conv_strip_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/strip/strip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// Positions of a task: enough that copying a strip costs little, few enough that it stays in cache.
constexpr std::int64_t kPositions = 512;

struct Cut {
  std::int64_t rows, blocks;  ///< rows of outputs of a task; tasks of an image
  strip::Sizes sizes;
};

Cut CutOf(const ConvShape& s) {
  Cut c{};
  const std::int64_t most = std::max<std::int64_t>(1, kPositions / s.output[2]);
  const std::int64_t wanted = CeilDiv(s.wanted_tasks, s.batch);
  c.rows = std::clamp<std::int64_t>(CeilDiv(s.output[1], wanted), 1, most);
  c.blocks = CeilDiv(s.output[1], c.rows);
  c.sizes = strip::SizesOf(s, c.rows);
  return c;
}

std::int64_t Tasks(const ConvShape& s) {
  return s.batch * CutOf(s).blocks;
}

std::int64_t ScratchElements(const ConvShape& s) {
  return CutOf(s).sizes.floats();
}

template <Source kSource>
void RunTask(const ConvArgs<float>& args, const Cut& c, std::int64_t task, float* scratch) {
  const ConvShape& s = args.shape;
  const std::int64_t image = task / c.blocks, first = task % c.blocks * c.rows;
  const std::int64_t position = (image * s.output[1] + first) * s.output[2];
  strip::Rows<kSource>(args, c.sizes, image, first, std::min(c.rows, s.output[1] - first),
                       args.dst + position * args.dst_step(),
                       args.residual == nullptr ? nullptr : args.residual + position * s.filters, scratch);
}

template <Source kSource>
void Run(const ConvArgs<float>& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Cut cut = CutOf(args.shape);
  for (std::int64_t task = begin; task < end; ++task) RunTask<kSource>(args, cut, task, scratch);
}

Work WorkOf(const ConvShape& s) {
  const Cut c = CutOf(s);
  const std::int64_t rows = s.batch * s.output[1];
  Work work;
  work.flops = TileFlops(rows * s.output[2], c.rows * s.output[2], PackedColumns(s.filters), s.kernel[1],
                         s.kernel[2] * s.channels);
  work.weight_bytes = passed_weight_bytes(PackedPanelElements(s), 1);
  work.cache_bytes = static_cast<double>(CeilDiv(rows, c.rows) * strip::InputRows(s, c.rows) *
                                         c.sizes.columns * s.channels) *
                     2 * sizeof(float);
  work.activation_bytes = activation_bytes(s, sizeof(float));
  return work;
}

constexpr ConvKernel kRow{
    "conv_nhwc_strip_f32",      kPanelPacking, PackedPanelElements, PackPanels, Tasks, ScratchElements,
    Run<Source::channels_last>, WorkOf};
constexpr ConvKernel kPlanesRow{
    "conv_nhwc_strip_of_planes_f32", kPanelPacking, PackedPanelElements, PackPanels, Tasks, ScratchElements,
    Run<Source::channels_first>,     WorkOf};

}  // namespace

const ConvKernel& ConvNhwcStripRow() {
  return kRow;
}
const ConvKernel& ConvNhwcStripOfPlanesRow() {
  return kPlanesRow;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvNhwcStripRow);
MXINFER_TABLE(ConvNhwcStripOfPlanesRow);

const ConvKernel& conv_nhwc_strip(Source source, Target target) {
  return source == Source::channels_last ? MXINFER_ROW(ConvNhwcStripRow, target)()
                                         : MXINFER_ROW(ConvNhwcStripOfPlanesRow, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
