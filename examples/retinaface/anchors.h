// The anchors of RetinaFace: squares at every position of a map. The network predicts how the nearest face
// differs from each.
#pragma once

#include <vector>

namespace retinaface {

/// An output map of the network: one cell for `stride` pixels of the input, in either direction. Each cell
/// has two anchors, with sides in pixels.
struct Level {
  int stride = 0;
  float sides[2] = {0, 0};
};

/// The levels of mnet.25: small anchors on the fine map, large ones on the coarse map.
inline constexpr Level kLevels[] = {{32, {512, 256}}, {16, {128, 64}}, {8, {32, 16}}};
inline constexpr int kAnchorsPerCell = 2;

/// A square by its centre, in edges: the first pixel is from 0 to 1.
struct Anchor {
  float x = 0;
  float y = 0;
  float side = 0;
};

/// An anchor is centred on the first 16 pixels of its cell, at any stride.
inline Anchor anchor_at(const Level& level, int row, int column, int which) {
  constexpr int kCentre = 8;
  return {static_cast<float>(column * level.stride + kCentre),
          static_cast<float>(row * level.stride + kCentre), level.sides[which]};
}

}  // namespace retinaface
