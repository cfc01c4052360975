// The bfloat16 instructions of Intel's manual in plain code, so that tiles of them can be tested on any CPU.
// Denormal operands count as zero, denormal results become zero, and each operation rounds to nearest even.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace mxinfer::test {

inline float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}

/// The factor in the low or high half of a pair.
inline float factor(std::uint32_t pair, bool high) {
  const std::uint32_t bits = high ? pair & 0xffff0000u : pair << 16;
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return flush(x);
}

inline float fused(float a, float b, float sum) {
  return flush(std::fma(a, b, flush(sum)));
}

/// vdpbf16ps on 512 bits: the odd product first, each addition rounded.
struct DocumentedDot {
  struct Sums {
    float lane[16];
  };
  struct Pairs {
    std::uint32_t lane[16];
  };
  static Sums zero() { return {}; }
  static Pairs load(const std::uint32_t* from) {
    Pairs pairs;
    std::memcpy(pairs.lane, from, sizeof(pairs.lane));
    return pairs;
  }
  static Pairs broadcast(std::uint32_t pair) {
    Pairs pairs;
    for (std::uint32_t& lane : pairs.lane) lane = pair;
    return pairs;
  }
  static Sums add(Sums sums, const Pairs& a, const Pairs& b) {
    for (int i = 0; i < 16; ++i) {
      for (const bool high : {true, false})
        sums.lane[i] = fused(factor(a.lane[i], high), factor(b.lane[i], high), sums.lane[i]);
    }
    return sums;
  }
  static void store(const Sums& sums, float* to) { std::memcpy(to, sums.lane, sizeof(sums.lane)); }
  static Sums limit(Sums sums, const float* bias, float low, float high) {
    for (int i = 0; i < 16; ++i) {
      const float x = sums.lane[i] + bias[i], y = x < low ? low : x;
      sums.lane[i] = y > high ? high : y;
    }
    return sums;
  }
};

/// AMX's tiles of 16 rows of 64 bytes: tdpbf16ps sums even and odd products separately, then adds both.
struct DocumentedTiles {
  static std::uint32_t (&tile(int t))[16][16] {
    static thread_local std::uint32_t tiles[8][16][16];
    return tiles[t];
  }
  template <int kTile>
  static void zero() {
    std::memset(tile(kTile), 0, 16 * 64);
  }
  template <int kTile>
  static void load(const void* from, std::int64_t stride) {
    for (int i = 0; i < 16; ++i) std::memcpy(tile(kTile)[i], static_cast<const char*>(from) + i * stride, 64);
  }
  template <int kTile>
  static void store(float* to, std::int64_t stride) {
    for (int i = 0; i < 16; ++i) std::memcpy(reinterpret_cast<char*>(to) + i * stride, tile(kTile)[i], 64);
  }
  template <int kSums, int kRows, int kColumns>
  static void add() {
    for (int m = 0; m < 16; ++m) {
      float halves[16][2] = {};
      for (int k = 0; k < 16; ++k) {
        for (int n = 0; n < 16; ++n) {
          for (const bool high : {false, true}) {
            float& sum = halves[n][high ? 1 : 0];
            sum = fused(factor(tile(kRows)[m][k], high), factor(tile(kColumns)[k][n], high), sum);
          }
        }
      }
      for (int n = 0; n < 16; ++n) {
        float sum;
        std::memcpy(&sum, &tile(kSums)[m][n], sizeof(sum));
        sum = flush(flush(sum) + flush(halves[n][0] + halves[n][1]));
        std::memcpy(&tile(kSums)[m][n], &sum, sizeof(sum));
      }
    }
  }
};

}  // namespace mxinfer::test
