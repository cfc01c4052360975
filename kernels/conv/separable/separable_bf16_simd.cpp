// separable_strips_bf16: the 1 x 1 convolutions by tiles of bfloat16, the depthwise one in float32, its
// results rounded. A group is a panel of filters of the expansion: its expanded rows are few enough to stay
// in the nearest cache until they are filtered.
#include <algorithm>

#include "kernels/conv/bf16/bf16_panels.h"
#include "kernels/conv/bf16/bf16_pointwise.h"
#include "kernels/conv/separable/separable.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/separable/separable_bf16_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/cpu_products.h"
#include "kernels/common/dispatch.h"
#include "kernels/conv/depthwise/depthwise_3x3-inl.h"
#include "kernels/conv/separable/separable_strips-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using separable::Cut;
using D = hn::ScalableTag<float>;
constexpr std::int64_t kLanes = HWY_LANES(float);

constexpr std::int64_t kGroup = kBf16PanelColumns;
constexpr std::int64_t kBytesOfFloat = sizeof(float), kBytesOfHalf = sizeof(BFloat16);

void Widen(const BFloat16* from, std::int64_t count, float* to) {
  const D d;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(LoadBFloat16(d, from + i), d, to + i);
  for (; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

template <Rounding kRounding>
void Round(const float* from, std::int64_t count, BFloat16* to) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) StoreRounded<kRounding>(hn::LoadU(D(), from + i), to + i);
  for (; i < count; ++i) to[i] = BFloat16(from[i]);
}

/// What a thread has in scratch beside the buffer, in floats.
struct Layout {
  std::int64_t filtered, row, tiles;
  Layout(const SeparableShape& shape, const Cut& c) {
    const ConvProblem& s = shape.depthwise;
    const std::int64_t positions = c.chunk * s.output[2];
    const Bf16Tile& tile = *shape.parts->tile;
    filtered = Floats(static_cast<std::size_t>(positions * s.channels * kBytesOfHalf));
    row = Floats(static_cast<std::size_t>(s.output[2] * c.group_channels * kBytesOfFloat));
    tiles = Floats(bf16::pointwise_scratch_bytes(tile, shape.project, positions));
    if (!shape.expands) return;
    const std::int64_t inputs = c.buffer_rows * s.input[2];
    tiles = std::max(tiles, Floats(bf16::pointwise_scratch_bytes(tile, shape.expand, inputs)));
  }
  std::int64_t all() const { return filtered + row + tiles; }

 private:
  /// In whole cache lines.
  static std::int64_t Floats(std::size_t bytes) {
    return static_cast<std::int64_t>(round_up(bytes, std::size_t{64}) / sizeof(float));
  }
};

template <Rounding kRounding>
class Products {
 public:
  static constexpr bool kFills = true;
  static std::int64_t GroupChannels(const SeparableShape& /*shape*/) { return kGroup; }
  static std::int64_t FittingRows(const SeparableShape& shape, const Cut& c) {
    constexpr std::int64_t kChunkBytes = 384 * 1024;
    const ConvProblem& s = shape.depthwise;
    const std::int64_t row =
        s.output[2] * s.channels * kBytesOfHalf + s.stride[1] * c.row_floats * kBytesOfFloat;
    return kChunkBytes / row;
  }
  static std::int64_t ScratchFloats(const SeparableShape& shape, const Cut& c) {
    return Layout(shape, c).all();
  }

  Products(const SeparableArgs& args, const Cut& c, float* scratch)
      : args_(args), parts_(*args.shape.parts), group_channels_(c.group_channels) {
    const Layout layout(args.shape, c);
    filtered_ = reinterpret_cast<BFloat16*>(scratch);
    row_ = scratch + layout.filtered;
    tiles_ = reinterpret_cast<std::byte*>(row_ + layout.row);
  }

  void Begin(std::int64_t pixel, std::int64_t count) {
    const ConvProblem& expand = args_.shape.expand;
    src_ = typed<BFloat16>(args_.src) + pixel * expand.channels;
    if (args_.shape.expands) rows_ = bf16::pointwise_rows(*parts_.tile, expand, src_, count, tiles_);
  }
  void Fill(std::int64_t group, std::int64_t count, float* to) {
    const std::int64_t column = group * kGroup;
    if (args_.shape.expands) {
      bf16::pointwise_panel(parts_, args_.expand, rows_, column, {.dst_f32 = to, .stride = kGroup});
      return;
    }
    const std::int64_t channels = args_.shape.depthwise.channels;
    const std::int64_t there = std::min(kGroup, channels - column);
    for (std::int64_t i = 0; i < count; ++i) Widen(src_ + i * channels + column, there, to + i * kGroup);
  }
  const float* Image(std::int64_t /*pixel*/) const { return nullptr; }

  static std::int64_t RowsAtOnce(const depthwise::Tiles& /*tiles*/) { return 1; }
  void Filter(const depthwise::Row& row, const depthwise::Tiles& tiles, std::int64_t r, std::int64_t group,
              ConvArgs* filter) const {
    const ConvProblem& s = filter->problem;
    const std::int64_t step = args_.shape.depthwise.channels;
    BFloat16* to = filtered_ + r * s.output[2] * step + group * kGroup;
    if (depthwise::Is3x3(*filter)) return depthwise::RunRow3x3<kRounding>(row, to, step);
    filter->dst = row_;
    filter->dst_stride = kGroup;
    depthwise::RunRow(row, tiles);
    for (std::int64_t x = 0; x < s.output[2]; ++x)
      Round<kRounding>(row_ + x * kGroup, s.channels, to + x * step);
  }
  void Project(std::int64_t position, std::int64_t count) {
    const ConvArgs& project = args_.project;
    const std::int64_t filters = project.problem.filters;
    const bf16::Rows rows = bf16::pointwise_rows(*parts_.tile, project.problem, filtered_, count, tiles_);
    for (std::int64_t column = 0; column < filters; column += kBf16PanelColumns) {
      bf16::PanelTarget to{.stride = filters};
      bf16::place_at(project, position, column, &to);
      bf16::pointwise_panel(parts_, project, rows, column, to);
    }
  }

 private:
  const SeparableArgs& args_;
  const Bf16Parts& parts_;
  std::int64_t group_channels_;
  BFloat16* filtered_;  ///< [position][channel] of the chunk
  float* row_;          ///< of a group's outputs
  std::byte* tiles_;    ///< where rows are copied to, if they are
  const BFloat16* src_ = nullptr;
  bf16::Rows rows_{};
};

template <Rounding kRounding>
void Run(const SeparableArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Bf16Tile& tile = *args.shape.parts->tile;
  if (tile.begin != nullptr) tile.begin();
  separable::Run<Products<kRounding>>(args, begin, end, scratch);
  if (tile.end != nullptr) tile.end();
}

template <Rounding kRounding>
constexpr SeparableKernel kImpl{"separable_strips_bf16", separable::Tasks<Products<kRounding>>,
                                separable::ScratchElements<Products<kRounding>>, Run<kRounding>};

}  // namespace

const SeparableKernel& SeparableBf16Impl(bool at_once) {
  return HWY_TARGET == HWY_AVX3 && at_once ? kImpl<Rounding::at_once> : kImpl<Rounding::in_steps>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(SeparableBf16Impl);

const SeparableKernel& separable_strips_bf16(Target target) {
  return MXINFER_DISPATCH(SeparableBf16Impl, target)(rounds_at_once(target));
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
