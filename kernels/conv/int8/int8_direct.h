// Channels-last convolutions of 8-bit data as GEMM: a row is the inputs of a position, [tap][channel], in
// place or gathered; kernels/conv/int8/int8_tile.h multiplies rows by panels of filters.
#pragma once

#include "kernels/conv/int8/int8_conv.h"
#include "kernels/conv/int8/int8_panels.h"
#include "kernels/conv/int8/int8_tile.h"

namespace mxinfer::kernels {

/// Any channels-last problem.
struct Int8Direct {
  static std::int64_t tasks(const Int8Tile& tile, const ConvProblem& s);
  static std::size_t scratch_bytes(const Int8Tile& tile, const ConvProblem& s);
  static void run(const Int8Tile& tile, Target target, const Int8ConvArgs& args, std::int64_t begin,
                  std::int64_t end, std::byte* scratch);
};

/// It with the tile and for the target that kTile() and kTarget name.
template <const Int8Tile& (*kTile)(), Target kTarget>
Int8ConvImpl int8_direct_impl(const char* name) {
  return {name,
          int8::packing(kTile()),
          [](const ConvProblem& s, Int8Type /*src*/) { return int8::packed_bytes(kTile(), s); },
          [](const ConvProblem& s, Int8Type /*src*/, const std::int8_t* weight, std::byte* packed) {
            int8::pack(kTile(), s, weight, packed);
          },
          [](const ConvProblem& s) { return Int8Direct::tasks(kTile(), s); },
          [](const ConvProblem& s) { return Int8Direct::scratch_bytes(kTile(), s); },
          [](const Int8ConvArgs& args, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            Int8Direct::run(kTile(), kTarget, args, begin, end, scratch);
          }};
}

}  // namespace mxinfer::kernels
