// kernels/boxes: box_decode_simd.cpp
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "cases/case.h"
#include "kernels/boxes/boxes.h"

namespace mxinfer::cases {

struct BoxDecode {
  Case label;
  std::int64_t batch, anchors;
  kernels::BoxFormat format = kernels::BoxFormat::center;
  float clip = -1;
};

inline constexpr BoxDecode kBoxDecode[] = {
    {{"odd", "batches that end inside a vector"}, 3, 37, kernels::BoxFormat::center, 0.5f},
    {{"one", "a box a sample"}, 19, 1, kernels::BoxFormat::corner},
    {{"ssd_300", "the anchors of SSD-300"}, 1, 8732},
    {{"rpn_600", "the anchors of Faster R-CNN, short side 600", kLarge},
     1,
     38 * 57 * 15,
     kernels::BoxFormat::corner,
     4.42f},
};

/// The codes and anchors of a case; args() is valid while this object lives.
class BoxDecodeData {
 public:
  explicit BoxDecodeData(const BoxDecode& c) : case_(c) {
    std::mt19937 engine(static_cast<unsigned>(c.anchors));
    std::normal_distribution<float> code(0, 1);
    std::uniform_real_distribution<float> place(0, 1);
    for (std::int64_t i = 0; i < c.batch * c.anchors * 4; ++i) codes_.push_back(code(engine));
    for (std::int64_t i = 0; i < c.anchors; ++i) {
      const float x = place(engine), y = place(engine), width = place(engine), height = place(engine);
      if (c.format == kernels::BoxFormat::center) {
        anchors_.insert(anchors_.end(), {x, y, width, height});
      } else {
        anchors_.insert(anchors_.end(), {x, y, x + width, y + height});
      }
    }
  }

  std::int64_t rows() const { return case_.batch * case_.anchors; }
  kernels::BoxDecodeArgs args(float* dst) const {
    kernels::BoxDecodeArgs args;
    args.data = codes_.data();
    args.anchors = anchors_.data();
    args.dst = dst;
    args.anchor_count = case_.anchors;
    args.format = case_.format;
    args.std[0] = args.std[1] = 0.1f;
    args.std[2] = args.std[3] = 0.2f;
    args.clip = case_.clip;
    return args;
  }

 private:
  const BoxDecode& case_;
  std::vector<float> codes_, anchors_;
};

}  // namespace mxinfer::cases
