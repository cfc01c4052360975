// The anchors of RetinaFace: squares that stand at every place of a map, of which the network says how the
// nearest face differs.
#pragma once

#include <vector>

namespace retinaface {

/// A map of the network: one cell for `stride` pixels of its input, in either direction. Each cell has two
/// anchors, whose sides are in pixels.
struct Level {
  int stride = 0;
  float sides[2] = {0, 0};
};

/// Those of mnet.25: small anchors on the fine map, large ones on the coarse one.
inline constexpr Level kLevels[] = {{32, {512, 256}}, {16, {128, 64}}, {8, {32, 16}}};
inline constexpr int kAnchorsPerCell = 2;

/// A square by its centre, in edges: the first pixel is from 0 to 1.
struct Anchor {
  float x = 0;
  float y = 0;
  float side = 0;
};

/// Every cell's first anchor is centred on its first 16 pixels, whatever the stride is.
inline Anchor anchor_at(const Level& level, int row, int column, int which) {
  constexpr int kCentre = 8;
  return {static_cast<float>(column * level.stride + kCentre),
          static_cast<float>(row * level.stride + kCentre), level.sides[which]};
}

}  // namespace retinaface
