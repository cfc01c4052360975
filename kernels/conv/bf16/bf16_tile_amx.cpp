// AMX's tile of bfloat16.
#include "kernels/common/amx_registers.h"
#include "kernels/common/cpu_products.h"
#include "kernels/conv/bf16/bf16_tile_amx-inl.h"

namespace mxinfer::kernels {

#if defined(__x86_64__)
namespace {

struct AmxBf16 : AmxRegisters {
  template <int kSums, int kRows, int kColumns>
  static void add() {
    __asm__ volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSums), "i"(kRows), "i"(kColumns));
  }
};

}  // namespace

const Bf16Tile* bf16_tile_amx() {
  static constexpr Bf16Tile kTile{
      2 * kAmxRows, 12.0, true, false, bf16_amx_multiply<AmxBf16>, AmxBf16::configure, AmxBf16::release};
  return has_amx_bf16() ? &kTile : nullptr;
}

#else

const Bf16Tile* bf16_tile_amx() {
  return nullptr;
}

#endif

}  // namespace mxinfer::kernels
