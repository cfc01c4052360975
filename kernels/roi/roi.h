// Pooling of regions of feature maps into outputs of one size: maxima (pool), averages of interpolated
// samples (align), and averages in which every bin has channels of its own (position-sensitive).
//
// data is [batch][channels][height][width]; a region is (batch index, xmin, ymin, xmax, ymax) in pixels of
// the image; times `scale`, in pixels of the map. The output is [regions][out_channels][bins_y][bins_x].
// Arithmetic is done in float for float32 and float16, in double for float64.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

struct RoiArgs {
  const void* data = nullptr;
  const void* rois = nullptr;  ///< [regions][5], or 6 for roi_align_rotated
  void* dst = nullptr;
  std::int64_t batch = 0, channels = 0, height = 0, width = 0;
  std::int64_t out_channels = 0, bins_y = 1, bins_x = 1;
  float scale = 1;

  std::int64_t plane() const { return height * width; }
  std::int64_t bins() const { return bins_y * bins_x; }
};

/// Computes tasks [begin, end): task = region * out_channels + channel.
using RoiPoolFn = void (*)(const RoiArgs& args, std::int64_t begin, std::int64_t end);

/// The maximum over the pixels of each bin, the region's corners rounded to pixels. 0 for a bin without
/// pixels and for a batch index outside the batch; NaN is skipped, and if no value is above the type's
/// lowest number, that number is the maximum.
RoiPoolFn select_roi_pool(ElementType type);

struct RoiAlignArgs : RoiArgs {
  /// Samples along each side of a bin; ceil(side of the bin) if not above 0.
  std::int64_t samples = -1;
  /// Pixel centers are at 0.5 and regions keep their size; otherwise they are at least a pixel wide and high.
  bool aligned = false;
  /// channels = out_channels * bins: each bin reads channel c * bins + bin. Otherwise channels =
  /// out_channels.
  bool position_sensitive = false;
};

/// Bytes of scratch for roi_align.
std::size_t roi_align_scratch(const RoiAlignArgs& args);

/// The average over each bin of bilinear samples, 0 for a sample more than a pixel outside. 0 for a
/// region with a negative batch index, one that is not finite, and, aligned, one without area.
/// Precondition: batch indices are below batch, and 0 <= scale <= 1.
using RoiAlignFn = void (*)(const RoiAlignArgs& args, std::byte* scratch, std::int64_t begin,
                            std::int64_t end);
RoiAlignFn select_roi_align(ElementType type);

/// roi_align of float32 that is not position sensitive, with scratch of its own size: rows of a bin are
/// summed first, for all pixels of the region's width at once, so that sums are in another order.
/// Precondition for the target: not ref.
std::size_t roi_align_f32_scratch(const RoiAlignArgs& args);
RoiAlignFn select_roi_align_f32(Target target);

/// As roi_align for regions (batch index, x, y, width, height, degrees) turned around their center; `aligned`
/// and `position_sensitive` have no effect.
/// Precondition: batch indices are in [0, batch), regions finite, with sides of less than 2^30 pixels of the
/// map.
using RoiAlignRotatedFn = void (*)(const RoiAlignArgs& args, std::int64_t begin, std::int64_t end);
RoiAlignRotatedFn select_roi_align_rotated(ElementType type);

struct PsRoiPoolArgs : RoiArgs {
  std::int64_t groups = 1;  ///< channels >= out_channels * groups^2: bins in a grid of groups have their own

  // For the deformable form only.
  const void* trans = nullptr;  ///< [regions][classes][2][parts][parts]: offsets (x, y) of parts; may be null
  std::int64_t classes = 1;     ///< out_channels / classes channels share offsets
  std::int64_t parts = 1;
  std::int64_t samples = 1;  ///< along each side of a bin
  float trans_std = 0;       ///< offsets times this are in units of the region's size
};

/// The average over the pixels of each bin.
/// Precondition for both: batch indices are in [0, batch), coordinates finite and within 2^30 pixels.
using PsRoiPoolFn = void (*)(const PsRoiPoolArgs& args, std::int64_t begin, std::int64_t end);
PsRoiPoolFn select_psroi_pool(ElementType type);
/// The average of bilinear samples in each bin, moved by an offset.
PsRoiPoolFn select_deformable_psroi_pool(ElementType type);

}  // namespace mxinfer::kernels
