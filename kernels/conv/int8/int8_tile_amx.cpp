// tdpbssd and tdpbusd. CPUs with AMX have AVX-512, which finishes sums meanwhile.
#include "kernels/common/amx_registers.h"
#include "kernels/common/cpu_products.h"
#include "kernels/conv/int8/int8_tile.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
// Of GCC 12's own intrinsics, whose unused operands are undefined.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512vl")
#endif

#include "kernels/conv/int8/int8_finish_avx512-inl.h"
#include "kernels/conv/int8/int8_tile_amx-inl.h"

namespace mxinfer::kernels {
namespace {

struct AmxSigned : AmxRegisters {
  template <int kSums, int kRows, int kColumns>
  static void add() {
    __asm__ volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSums), "i"(kRows), "i"(kColumns));
  }
};
struct AmxUnsigned : AmxRegisters {
  template <int kSums, int kRows, int kColumns>
  static void add() {
    __asm__ volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSums), "i"(kRows), "i"(kColumns));
  }
};

void multiply_amx(const Int8TileArgs& t) {
  int8_amx_multiply<AmxSigned, AmxUnsigned>(t);
}

struct OverlappedAmx {
  template <class Finish>
  static void multiply(const Int8TileArgs& t, const Int8PostOpsArgs& earlier) {
    int8_amx_multiply<AmxSigned, AmxUnsigned>(t, Finish(earlier));
  }
};

}  // namespace
}  // namespace mxinfer::kernels

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // __x86_64__

namespace mxinfer::kernels {

const Int8Tile* int8_tile_amx() {
#if defined(__x86_64__)
  static constexpr Int8Tile kTile{.name = "int8_conv_amx",
                                  .rows = 2 * kAmxRows,
                                  .reads_whole = true,
                                  .shifts = ShiftedRows::none,
                                  .multiply = multiply_amx,
                                  .begin = AmxRegisters::configure,
                                  .end = AmxRegisters::release,
                                  .overlapped = overlapped_by<OverlappedAmx>};
  return has_amx_int8() ? &kTile : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace mxinfer::kernels
