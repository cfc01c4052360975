// Shuffles, votes and the barrier of a warp.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/thread.h"

namespace mxinfer::simt {

enum class Shuffle { from, up, down, exclusive_or };

/// `bits` of the lane that kind, amount and width give.
std::uint64_t shuffle(unsigned mask, std::uint64_t bits, Shuffle kind, int amount, int width,
                      const Place& place);
/// A bit for each lane whose predicate holds.
unsigned ballot(unsigned mask, bool predicate, const Place& place);
void sync_warp(unsigned mask, const Place& place);

template <class T>
T shuffle_as(unsigned mask, T value, Shuffle kind, int amount, int width, const Place& place) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "as CUDA has them");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = shuffle(mask, bits, kind, amount, width, place);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace mxinfer::simt

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32, const char* file = __builtin_FILE(),
              unsigned line = __builtin_LINE()) {
  using namespace mxinfer::simt;
  return shuffle_as(mask, value, Shuffle::from, lane, width, {"__shfl_sync()", file, line});
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, const char* file = __builtin_FILE(),
                 unsigned line = __builtin_LINE()) {
  using namespace mxinfer::simt;
  return shuffle_as(mask, value, Shuffle::up, static_cast<int>(delta), width,
                    {"__shfl_up_sync()", file, line});
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  using namespace mxinfer::simt;
  return shuffle_as(mask, value, Shuffle::down, static_cast<int>(delta), width,
                    {"__shfl_down_sync()", file, line});
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32, const char* file = __builtin_FILE(),
                  unsigned line = __builtin_LINE()) {
  using namespace mxinfer::simt;
  return shuffle_as(mask, value, Shuffle::exclusive_or, lanes, width, {"__shfl_xor_sync()", file, line});
}

inline unsigned __ballot_sync(unsigned mask, int predicate, const char* file = __builtin_FILE(),
                              unsigned line = __builtin_LINE()) {
  return mxinfer::simt::ballot(mask, predicate != 0, {"__ballot_sync()", file, line});
}
inline int __any_sync(unsigned mask, int predicate, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE()) {
  return mxinfer::simt::ballot(mask, predicate != 0, {"__any_sync()", file, line}) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, int predicate, const char* file = __builtin_FILE(),
                      unsigned line = __builtin_LINE()) {
  return mxinfer::simt::ballot(mask, predicate != 0, {"__all_sync()", file, line}) == mask ? 1 : 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, const char* file = __builtin_FILE(),
                       unsigned line = __builtin_LINE()) {
  mxinfer::simt::sync_warp(mask, {"__syncwarp()", file, line});
}
