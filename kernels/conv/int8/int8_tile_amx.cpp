#include "kernels/common/amx_registers.h"
#include "kernels/common/cpu_products.h"
#include "kernels/conv/int8/int8_tile_amx-inl.h"

namespace mxinfer::kernels {

#if defined(__x86_64__)
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

}  // namespace

const Int8Tile* int8_tile_amx() {
  static constexpr Int8Tile kTile{.name = "int8_conv_amx",
                                  .rows = 2 * kAmxRows,
                                  .reads_whole = true,
                                  .shifts = ShiftedRows::none,
                                  .multiply = int8_amx_multiply<AmxSigned, AmxUnsigned>,
                                  .begin = AmxRegisters::configure,
                                  .end = AmxRegisters::release};
  return has_amx_int8() ? &kTile : nullptr;
}

#else

const Int8Tile* int8_tile_amx() {
  return nullptr;
}

#endif

}  // namespace mxinfer::kernels
