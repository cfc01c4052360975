// separable_strips: float32.
#include <algorithm>

#include "kernels/conv/separable/separable.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/separable/separable_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_panels-inl.h"
#include "kernels/conv/separable/separable_strips-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using separable::Cut;

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

class Products {
 public:
  static constexpr bool kFills = false;
  static std::int64_t GroupChannels(const SeparableShape& shape) { return shape.depthwise.channels; }
  static std::int64_t FittingRows(const SeparableShape& shape, const Cut& c) {
    constexpr std::int64_t kBufferFloats = 64 * 1024;
    const ConvProblem& s = shape.depthwise;
    return (kBufferFloats / c.row_floats - s.kernel[1]) / s.stride[1] + 1;
  }
  static std::int64_t ScratchFloats(const SeparableShape& shape, const Cut& c) {
    const std::int64_t positions =
        std::max(c.buffer_rows * shape.depthwise.input[2], c.chunk * shape.depthwise.output[2]);
    return FilteredFloats(shape, c) + positions * kPointerFloats;
  }

  Products(const SeparableArgs& args, const Cut& c, float* scratch)
      : args_(args),
        filtered_(scratch),
        table_(reinterpret_cast<const float**>(scratch + FilteredFloats(args.shape, c))) {}

  void Begin(std::int64_t pixel, std::int64_t /*count*/) {
    src_ = typed<float>(args_.src) + pixel * args_.expand.src_step();
  }
  void Fill(std::int64_t /*group*/, std::int64_t count, float* to) {
    Multiply(args_.expand, src_, count, to, nullptr, table_);
  }
  const float* Image(std::int64_t pixel) const {
    return typed<float>(args_.src) + pixel * args_.depthwise.src_step();
  }
  static std::int64_t RowsAtOnce(const depthwise::Tiles& tiles) { return tiles.rows; }
  void Filter(const depthwise::Row& row, const depthwise::Tiles& tiles, std::int64_t r,
              std::int64_t /*group*/, ConvArgs* filter) const {
    filter->dst = filtered_ + r * args_.shape.depthwise.output[2] * args_.shape.depthwise.channels;
    depthwise::RunRow(row, tiles);
  }
  void Project(std::int64_t position, std::int64_t count) {
    const ConvArgs& project = args_.project;
    const float* residual = project.residual == nullptr
                                ? nullptr
                                : typed<float>(project.residual) + position * project.problem.filters;
    Multiply(project, filtered_, count, typed<float>(project.dst) + position * project.dst_step(), residual,
             table_);
  }

 private:
  static std::int64_t FilteredFloats(const SeparableShape& shape, const Cut& c) {
    return RoundUp(c.chunk * shape.depthwise.output[2] * shape.depthwise.channels, 16);
  }

  const SeparableArgs& args_;
  float* filtered_;
  const float** table_;
  const float* src_ = nullptr;
};

constexpr SeparableKernel kImpl{"separable_strips_f32", separable::Tasks<Products>,
                                separable::ScratchElements<Products>, separable::Run<Products>};

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
