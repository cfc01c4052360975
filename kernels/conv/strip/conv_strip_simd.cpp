// conv_strip: few input channels, as in the first convolution of a network. A run of one tap would have three
// numbers, but with the border in memory all taps of a row of the filter are one run. So a task copies the
// rows of input that it needs, NHWC or NCHW, into a strip with its border, and multiplies from there.
//
// A task is some rows of outputs of one image, with all filters.
#include <algorithm>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/strip/conv_strip_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_floats.h"
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

Cut CutOf(const ConvProblem& s) {
  Cut c{};
  const std::int64_t most = std::max<std::int64_t>(1, kPositions / s.output[2]);
  const std::int64_t tasks = CeilDiv(s.task_hint, s.batch);
  c.rows = std::clamp<std::int64_t>(CeilDiv(s.output[1], tasks), 1, most);
  c.blocks = CeilDiv(s.output[1], c.rows);
  c.sizes = strip::SizesOf(s, c.rows);
  return c;
}

std::int64_t Tasks(const ConvProblem& s) {
  return s.batch * CutOf(s).blocks;
}

std::int64_t ScratchElements(const ConvProblem& s) {
  return CutOf(s).sizes.floats();
}

template <SrcLayout kLayout>
void RunTask(const ConvArgs& args, const Cut& c, std::int64_t task, float* scratch) {
  const ConvProblem& s = args.problem;
  const std::int64_t image = task / c.blocks, first = task % c.blocks * c.rows;
  const std::int64_t position = (image * s.output[1] + first) * s.output[2];
  strip::Rows<kLayout>(
      args, c.sizes, image, first, std::min(c.rows, s.output[1] - first),
      typed<float>(args.dst) + position * args.dst_step(),
      args.residual == nullptr ? nullptr : typed<float>(args.residual) + position * s.filters, scratch);
}

template <SrcLayout kLayout>
void Run(const ConvArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Cut cut = CutOf(args.problem);
  for (std::int64_t task = begin; task < end; ++task) RunTask<kLayout>(args, cut, task, scratch);
}

Work WorkOf(const ConvProblem& s) {
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

template <SrcLayout kLayout>
constexpr ConvImpl kImpl{kLayout == SrcLayout::nhwc ? "conv_nhwc_strip_f32" : "conv_nhwc_strip_of_nchw_f32",
                         kPanelPacking,
                         float_bytes<PackedPanelElements>,
                         pack_floats<PackPanels>,
                         Tasks,
                         float_bytes<ScratchElements>,
                         run_floats<Run<kLayout>>,
                         WorkOf};

}  // namespace

const ConvImpl& ConvStripImpl() {
  return kImpl<SrcLayout::nhwc>;
}
const ConvImpl& ConvStripNchwImpl() {
  return kImpl<SrcLayout::nchw>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvStripImpl);
MXINFER_TABLE(ConvStripNchwImpl);

const ConvImpl& conv_strip(SrcLayout layout, Target target) {
  return layout == SrcLayout::nhwc ? MXINFER_DISPATCH(ConvStripImpl, target)()
                                   : MXINFER_DISPATCH(ConvStripNchwImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
