// kernels/roi: roi_align_simd.cpp
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "cases/case.h"
#include "kernels/roi/roi.h"

namespace mxinfer::cases {

/// Random regions of a map of features, a sixteenth of the image's size.
struct RoiAlign {
  Case label;
  std::int64_t regions, channels, height, width, bins;
  std::int64_t samples = -1;
  bool aligned = false;
};

inline constexpr RoiAlign kRoiAlign[] = {
    {{"odd", "sides that end inside a vector"}, 5, 3, 19, 35, 7, 2},
    {{"one_column", "a map without neighbours"}, 4, 2, 9, 1, 5, 3, true},
    {{"small_regions", "the regions of a small image"}, 20, 32, 24, 32, 7},
    {{"mask", "the bins of a mask's head"}, 6, 16, 25, 38, 14, 2, true},
    {{"faster_rcnn", "the regions of Faster R-CNN, short side 600", kLarge}, 300, 1024, 38, 57, 14, 2},
};

/// The map and the regions of a case; args() is valid while this object lives.
class RoiAlignData {
 public:
  explicit RoiAlignData(const RoiAlign& c) : case_(c) {
    std::mt19937 engine(static_cast<unsigned>(c.regions * c.width));
    std::uniform_real_distribution<float> value(-1, 1), part(0, 1);
    data_.resize(static_cast<std::size_t>(c.channels * c.height * c.width));
    for (float& one : data_) one = value(engine);
    const float right = static_cast<float>(c.width) * 16, bottom = static_cast<float>(c.height) * 16;
    for (std::int64_t i = 0; i < c.regions; ++i) {
      const float x = part(engine) * right, y = part(engine) * bottom;
      rois_.insert(rois_.end(), {0, x, y, x + part(engine) * (right - x), y + part(engine) * (bottom - y)});
    }
  }

  std::int64_t tasks() const { return case_.regions * case_.channels; }
  std::size_t outputs() const { return static_cast<std::size_t>(tasks() * case_.bins * case_.bins); }
  kernels::RoiAlignArgs args(float* dst) const {
    kernels::RoiAlignArgs args;
    args.data = data_.data();
    args.rois = rois_.data();
    args.dst = dst;
    args.batch = 1;
    args.channels = args.out_channels = case_.channels;
    args.height = case_.height;
    args.width = case_.width;
    args.bins_y = args.bins_x = case_.bins;
    args.scale = 1 / 16.0f;
    args.samples = case_.samples;
    args.aligned = case_.aligned;
    return args;
  }

 private:
  const RoiAlign& case_;
  std::vector<float> data_, rois_;
};

}  // namespace mxinfer::cases
