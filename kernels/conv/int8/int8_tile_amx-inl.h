// The tile of AMX of 8-bit factors, as the one of bfloat16: registers hold the same bytes, taken as quads
// instead of pairs. Signed and Unsigned have the operations on registers, for rows of that kind.
#pragma once

#include "kernels/conv/bf16/bf16_tile_amx-inl.h"
#include "kernels/conv/int8/int8_tile.h"

namespace mxinfer::kernels {

template <class Signed, class Unsigned, class Steps>
void int8_amx_multiply(const Int8TileArgs& t, const Steps& meanwhile) {
  static_assert(kInt8PanelColumns == kBf16PanelColumns && kInt8DepthWords == kBf16DepthPairs);
  Bf16TileArgs bytes;
  bytes.rows = reinterpret_cast<const BFloat16*>(t.rows);
  bytes.row_stride = t.row_stride / static_cast<std::int64_t>(sizeof(BFloat16));
  bytes.row_count = t.row_count;
  bytes.panel = t.panel;
  bytes.width = t.width;
  bytes.pairs = t.words;
  bytes.sums = reinterpret_cast<float*>(t.sums);
  bytes.prefetch = t.prefetch;
  bytes.prefetch_step = t.prefetch_step;
  t.is_signed ? bf16_amx_multiply<Signed>(bytes, meanwhile) : bf16_amx_multiply<Unsigned>(bytes, meanwhile);
}

template <class Signed, class Unsigned>
void int8_amx_multiply(const Int8TileArgs& t) {
  int8_amx_multiply<Signed, Unsigned>(t, NoSteps());
}

}  // namespace mxinfer::kernels
