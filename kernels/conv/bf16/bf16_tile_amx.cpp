// AMX, as inline assembly with the numbers of registers: the compiler does not allocate tile registers, and
// nothing else uses them.
#include "kernels/common/cpu_bfloat16.h"
#include "kernels/conv/bf16/bf16_tile_amx-inl.h"

namespace mxinfer::kernels {

#if defined(__x86_64__)
namespace {

struct Amx {
  template <int kTile>
  static void zero() {
    __asm__ volatile("tilezero %%tmm%c0" : : "i"(kTile));
  }
  template <int kTile>
  static void load(const void* from, std::int64_t stride) {
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(kTile) : "memory");
  }
  template <int kTile>
  static void store(float* to, std::int64_t stride) {
    __asm__ volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(kTile) : "memory");
  }
  template <int kSums, int kRows, int kColumns>
  static void add() {
    __asm__ volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(kSums), "i"(kRows), "i"(kColumns));
  }
};

/// Eight registers of 16 rows of 64 bytes.
struct alignas(64) TileConfig {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);

constexpr TileConfig kConfig;

// A thread's tiles are in use from here to release(): in between its context switches cost 8 KiB more.
void configure() {
  __asm__ volatile("ldtilecfg %0" : : "m"(kConfig));
}
void release() {
  __asm__ volatile("tilerelease");
}

}  // namespace

const Bf16Tile* bf16_tile_amx() {
  static constexpr Bf16Tile kTile{2 * kAmxRows,           12.0,      true,   false,
                                  bf16_amx_multiply<Amx>, configure, release};
  return has_amx_bf16() ? &kTile : nullptr;
}

#else

const Bf16Tile* bf16_tile_amx() {
  return nullptr;
}

#endif

}  // namespace mxinfer::kernels
