// kernels/nms: suppress_boxes_simd.cpp
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "cases/case.h"
#include "kernels/nms/suppress_boxes.h"

namespace mxinfer::cases {

/// Boxes of 8 to 48 pixels in a square image of `side` pixels: at random places, or around so many objects,
/// as a network gives them.
struct Nms {
  Case label;
  std::int64_t count, side;
  int classes;
  int objects = 0;
};

inline constexpr Nms kNms[] = {
    {{"sparse_1000", "a large image, most boxes stay"}, 1000, 2000, 1},
    {{"dense_1000", "many boxes of 30 objects"}, 1000, 400, 1, 30},
    {{"classes_1000", "many boxes of 30 objects of 20 classes"}, 1000, 400, 20, 30},
    {{"odd_67", "a kept list that ends inside a vector"}, 67, 300, 2},
    {{"sparse_10000", "a large image, most boxes stay", kLarge}, 10000, 6400, 1},
    {{"dense_10000", "many boxes of 100 objects", kLarge}, 10000, 800, 1, 100},
    {{"classes_10000", "many boxes of 100 objects of 20 classes", kLarge}, 10000, 800, 20, 100},
    {{"sparse_100000", "a large image, most boxes stay", kLarge}, 100000, 20000, 1},
    {{"dense_100000", "many boxes of 300 objects", kLarge}, 100000, 1600, 1, 300},
};

/// The boxes of a case, in the order in which they are visited, and what suppress_boxes works in.
class NmsBoxes {
 public:
  explicit NmsBoxes(const Nms& c) : kept_(static_cast<std::size_t>(c.count)) {
    std::mt19937 engine(static_cast<unsigned>(c.count));
    std::uniform_real_distribution<float> place(0, static_cast<float>(c.side)), length(8, 48), shift(-8, 8);
    const auto any_box = [&] {
      const float x = place(engine), y = place(engine);
      return kernels::CornerBox<float>{x, y, x + length(engine), y + length(engine), 0};
    };
    std::vector<kernels::CornerBox<float>> objects;
    for (int i = 0; i < c.objects; ++i) objects.push_back(any_box());
    for (std::int64_t i = 0; i < c.count; ++i) {
      kernels::CornerBox<float> box = c.objects == 0 ? any_box() : objects[engine() % objects.size()];
      if (c.objects != 0) {
        box.x1 += shift(engine);
        box.y2 += shift(engine);
      }
      box.area = box.x2 > box.x1 && box.y2 > box.y1 ? (box.x2 - box.x1) * (box.y2 - box.y1) : 0;
      boxes.push_back(box);
      ids.push_back(static_cast<std::int32_t>(engine() % static_cast<unsigned>(c.classes)));
    }
    memory_.resize(kernels::suppress_boxes_bytes<float>(c.count) / sizeof(float));
  }

  /// Valid while this object lives.
  kernels::SuppressArgs<float> args(kernels::OverlapRule rule = kernels::OverlapRule::above) {
    kernels::SuppressArgs<float> args;
    args.boxes = boxes.data();
    args.ids = ids.data();
    args.count = args.most = static_cast<std::int64_t>(boxes.size());
    args.rule = rule;
    args.memory = reinterpret_cast<std::byte*>(memory_.data());
    args.kept = kept_.data();
    return args;
  }
  /// The first `count` positions of the last run.
  std::vector<std::int32_t> kept(std::int64_t count) const { return {kept_.begin(), kept_.begin() + count}; }

  std::vector<kernels::CornerBox<float>> boxes;
  std::vector<std::int32_t> ids;

 private:
  std::vector<float> memory_;
  std::vector<std::int32_t> kept_;
};

}  // namespace mxinfer::cases
