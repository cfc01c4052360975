// The tile registers of AMX, as inline assembly with their numbers: the compiler does not allocate them, and
// nothing else uses them. Eight registers of 16 rows of 64 bytes.
#pragma once

#if defined(__x86_64__)

#include <cstdint>

namespace mxinfer::kernels {

struct AmxRegisters {
  /// A thread's tiles are in use from here to release(): in between its context switches cost 8 KiB more.
  static void configure() {
    struct alignas(64) Config {
      std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
      std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
      std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
    };
    static_assert(sizeof(Config) == 64);
    static constexpr Config kConfig;
    __asm__ volatile("ldtilecfg %0" : : "m"(kConfig));
  }
  static void release() { __asm__ volatile("tilerelease"); }

  // Strides are bytes.
  template <int kTile>
  static void zero() {
    __asm__ volatile("tilezero %%tmm%c0" : : "i"(kTile));
  }
  template <int kTile>
  static void load(const void* from, std::int64_t stride) {
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(kTile) : "memory");
  }
  template <int kTile>
  static void store(void* to, std::int64_t stride) {
    __asm__ volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(kTile) : "memory");
  }
};

}  // namespace mxinfer::kernels

#endif  // __x86_64__
