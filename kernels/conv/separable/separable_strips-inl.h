// How fused blocks are computed, whatever the type of their data: in strips of rows of outputs, each in
// chunks of rows, enough to fill the tiles of the GEMMs. Within a chunk the expanded channels pass in groups.
// A buffer has a group's expanded rows; those that it shares with the chunk before are kept. Included by
// kernels inside Highway's foreach_target loop.
//
// Products has the 1 x 1 convolutions of a task:
//
//   struct Products {
//     static constexpr bool kFills;  // whether rows go through the buffer even if nothing expands them
//     static std::int64_t GroupChannels(const SeparableShape& shape);
//     static std::int64_t FittingRows(const SeparableShape& shape, const Cut& c);   // of a chunk, in cache
//     static std::int64_t ScratchFloats(const SeparableShape& shape, const Cut& c);
//     Products(const SeparableArgs& args, const Cut& c, float* scratch);
//     void Begin(std::int64_t pixel, std::int64_t count);   // pixels of src that Fill() reads next
//     void Fill(std::int64_t group, std::int64_t count, float* to);
//     const float* Image(std::int64_t pixel);               // src from there on, if nothing is filled
//     static std::int64_t RowsAtOnce(const depthwise::Tiles& tiles);   // of depthwise outputs, at most
//     // Rows of the chunk's depthwise outputs, but for the dst of `filter`, which are the row's args.
//     void Filter(const depthwise::Row& row, const depthwise::Tiles& tiles, std::int64_t r,
//                 std::int64_t group, ConvArgs* filter);
//     void Project(std::int64_t position, std::int64_t count);   // the filtered rows to positions of dst
//   };
#if defined(MXINFER_KERNELS_CONV_SEPARABLE_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_SEPARABLE_STRIPS_INL_H_
#undef MXINFER_KERNELS_CONV_SEPARABLE_STRIPS_INL_H_
#else
#define MXINFER_KERNELS_CONV_SEPARABLE_STRIPS_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "kernels/common/divide.h"
#include "kernels/conv/depthwise/depthwise_row-inl.h"
#include "kernels/conv/separable/separable.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE::separable {

/// Positions of a chunk of outputs, at least.
constexpr std::int64_t kLeastPositions = 48;

struct Cut {
  std::int64_t rows, strips;            ///< rows of outputs of a task; tasks of an image
  std::int64_t chunk;                   ///< rows of outputs at a time
  std::int64_t groups, group_channels;  ///< of the expanded channels
  std::int64_t buffer_rows;             ///< rows of input that a chunk reaches
  std::int64_t row_floats;              ///< of a group of the expanded image
  std::int64_t kept_floats;             ///< of a group's rows that two chunks need
  std::int64_t buffer, kept;            ///< floats of scratch: of a group's rows, of all that are kept
};

template <class Products>
bool Fills(const SeparableShape& shape) {
  return Products::kFills || shape.expands;
}

template <class Products>
Cut CutOf(const SeparableShape& shape) {
  const ConvProblem& s = shape.depthwise;
  Cut c{};
  const std::int64_t height = s.output[1], width = s.output[2];
  c.rows = ceil_div(height, std::clamp<std::int64_t>(shape.strips, 1, height));
  c.strips = ceil_div(height, c.rows);
  c.group_channels = Products::GroupChannels(shape);
  c.groups = ceil_div(s.channels, c.group_channels);
  c.row_floats = s.input[2] * c.group_channels;
  const std::int64_t least = ceil_div(kLeastPositions, width);
  c.chunk = std::clamp<std::int64_t>(std::max(Products::FittingRows(shape, c), least), 1, c.rows);
  // Chunks of one size.
  c.chunk = ceil_div(c.rows, ceil_div(c.rows, c.chunk));
  c.buffer_rows = (c.chunk - 1) * s.stride[1] + s.kernel[1];
  if (!Fills<Products>(shape)) return c;
  c.buffer = round_up(c.buffer_rows * c.row_floats, 16);
  c.kept_floats = std::max<std::int64_t>(0, s.kernel[1] - s.stride[1]) * c.row_floats;
  if (c.groups > 1 && c.chunk < c.rows) c.kept = round_up(c.groups * c.kept_floats, 16);
  return c;
}

/// Rows [first, end) of inputs.
struct Window {
  std::int64_t first, end;
  std::int64_t rows() const { return end - first; }
};

/// The rows of inputs that outputs [y, y + rows) need.
inline Window WindowOf(const ConvProblem& s, std::int64_t y, std::int64_t rows) {
  const std::int64_t top = y * s.stride[1] - s.pad[1];
  const std::int64_t bottom = top + (rows - 1) * s.stride[1] + s.kernel[1];
  const std::int64_t first = std::clamp<std::int64_t>(top, 0, s.input[1]);
  return {first, std::clamp(bottom, first, s.input[1])};
}

/// The depthwise convolution of a group's channels alone, of pixels as the buffer has them.
inline ConvArgs FilterOf(const SeparableArgs& args, const Cut& c, std::int64_t group) {
  ConvArgs filter = args.depthwise;
  if (c.group_channels == filter.problem.channels) return filter;
  const std::int64_t channel = group * c.group_channels;
  ConvProblem& s = filter.problem;
  s.channels = s.filters = s.groups = std::min(c.group_channels, s.channels - channel);
  filter.src_stride = c.group_channels;
  filter.weight = typed<float>(filter.weight) + channel * volume(s.kernel);
  if (filter.bias != nullptr) filter.bias = typed<float>(filter.bias) + channel;
  if (filter.slopes != nullptr) filter.slopes += channel;
  return filter;
}

/// A task: some rows of outputs of an image.
template <class Products>
class Strip {
 public:
  Strip(const SeparableArgs& args, const Cut& c, const depthwise::Tiles& tiles, float* scratch)
      : args_(args),
        s_(args.shape.depthwise),
        c_(c),
        tiles_(tiles),
        buffer_(scratch),
        kept_(scratch + c.buffer),
        products_(args, c, kept_ + c.kept) {}

  void Run(std::int64_t task) {
    image_ = task / c_.strips;
    const std::int64_t first = task % c_.strips * c_.rows, last = std::min(s_.output[1], first + c_.rows);
    before_ = {};
    for (std::int64_t y = first; y < last; y += c_.chunk) {
      const std::int64_t rows = std::min(c_.chunk, last - y);
      RunChunk(y, rows, y + rows == last);
      products_.Project((image_ * s_.output[1] + y) * s_.output[2], rows * s_.output[2]);
    }
  }

 private:
  void RunChunk(std::int64_t y, std::int64_t rows, bool is_last) {
    const std::int64_t pixels = s_.input[1] * s_.input[2];
    if (!Fills<Products>(args_.shape)) {
      const ConvArgs filter = FilterOf(args_, c_, 0);
      Filter(filter, products_.Image(image_ * pixels), 0, 0, y, rows);
      return;
    }
    const Window window = WindowOf(s_, y, rows);
    const std::int64_t filled = std::max(window.first, before_.end);
    products_.Begin(image_ * pixels + filled * s_.input[2], (window.end - filled) * s_.input[2]);
    for (std::int64_t group = 0; group < c_.groups; ++group) {
      if (before_.end > window.first) Restore(group, window);
      if (window.end > filled) {
        products_.Fill(group, (window.end - filled) * s_.input[2],
                       buffer_ + (filled - window.first) * c_.row_floats);
      }
      Filter(FilterOf(args_, c_, group), buffer_, window.first, group, y, rows);
      if (c_.groups > 1 && !is_last) Keep(group, window, WindowOf(s_, y + rows, 1).first);
    }
    before_ = window;
  }

  /// The rows of the chunk before that this one needs, too, to the top of the buffer.
  void Restore(std::int64_t group, const Window& window) {
    const float* from = c_.groups > 1 ? kept_ + group * c_.kept_floats
                                      : buffer_ + (window.first - before_.first) * c_.row_floats;
    std::memmove(buffer_, from, Bytes(before_.end - window.first));
  }
  void Keep(std::int64_t group, const Window& window, std::int64_t next) {
    if (next >= window.end) return;
    std::memcpy(kept_ + group * c_.kept_floats, buffer_ + (next - window.first) * c_.row_floats,
                Bytes(window.end - next));
  }
  std::size_t Bytes(std::int64_t rows) const {
    return static_cast<std::size_t>(rows * c_.row_floats) * sizeof(float);
  }

  /// The chunk's depthwise outputs, rows [y, y + rows); `image` begins with row `top`.
  void Filter(ConvArgs filter, const float* image, std::int64_t top, std::int64_t group, std::int64_t y,
              std::int64_t rows) {
    const std::int64_t together = Products::RowsAtOnce(tiles_);
    for (std::int64_t r = 0; r < rows; r += together) {
      const std::int64_t count = std::min(together, rows - r);
      products_.Filter(depthwise::RowAt(filter, y + r, count, image, top), tiles_, r, group, &filter);
    }
  }

  const SeparableArgs& args_;
  const ConvProblem& s_;
  const Cut& c_;
  const depthwise::Tiles& tiles_;
  float *buffer_, *kept_;
  Products products_;
  std::int64_t image_ = 0;
  Window before_{};  ///< of the chunk before
};

template <class Products>
std::int64_t Tasks(const SeparableShape& shape) {
  return shape.depthwise.batch * CutOf<Products>(shape).strips;
}

template <class Products>
std::int64_t ScratchElements(const SeparableShape& shape) {
  const Cut c = CutOf<Products>(shape);
  return c.buffer + c.kept + Products::ScratchFloats(shape, c);
}

template <class Products>
void Run(const SeparableArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Cut cut = CutOf<Products>(args.shape);
  const depthwise::Tiles tiles = depthwise::TilesFor(args.shape.depthwise);
  Strip<Products> strip(args, cut, tiles, scratch);
  for (std::int64_t task = begin; task < end; ++task) strip.Run(task);
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE::separable
HWY_AFTER_NAMESPACE();

#endif
