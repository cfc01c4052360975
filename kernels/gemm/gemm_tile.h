// GemmTile: how many rows and columns of a product, or of a convolution as a product, a block of a GPU
// computes. Each kernel has some of them.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

enum class GemmTile : std::uint8_t {
  tile_128x256,
  tile_128x128,
  tile_128x64,
  tile_128x32,
  tile_64x128,
  tile_64x64,
  tile_64x32,
  // By wgmma.
  group_128x256,
  group_128x128,
  group_128x64,
  group_64x128,
  group_64x64
};

/// As kernels' names have it: "128x64", "wgmma_128x64".
constexpr const char* size_of(GemmTile tile) noexcept {
  switch (tile) {
    case GemmTile::tile_128x256:
      return "128x256";
    case GemmTile::tile_128x128:
      return "128x128";
    case GemmTile::tile_128x64:
      return "128x64";
    case GemmTile::tile_128x32:
      return "128x32";
    case GemmTile::tile_64x128:
      return "64x128";
    case GemmTile::tile_64x64:
      break;
    case GemmTile::tile_64x32:
      return "64x32";
    case GemmTile::group_128x256:
      return "wgmma_128x256";
    case GemmTile::group_128x128:
      return "wgmma_128x128";
    case GemmTile::group_128x64:
      return "wgmma_128x64";
    case GemmTile::group_64x128:
      return "wgmma_64x128";
    case GemmTile::group_64x64:
      return "wgmma_64x64";
  }
  return "64x64";
}

}  // namespace mxinfer::kernels
