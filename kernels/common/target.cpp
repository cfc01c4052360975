#include "kernels/common/target.h"

#include <hwy/highway.h>

#include "kernels/common/isa_limit.h"

namespace mxinfer::kernels {

const char* to_string(Target target) noexcept {
  switch (target) {
    case Target::ref:
      return "ref";
    case Target::baseline:
      return "baseline";
    case Target::avx2:
      return "avx2";
    case Target::avx512:
      return "avx512";
  }
  return "unknown";
}

namespace {

// What the code that Highway compiles for a target may use, as far as some CPU has its AVX2 or AVX-512
// without it; whether the system saves the registers is part of the answer.
bool has_avx2() noexcept {
#if HWY_ARCH_X86
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
         __builtin_cpu_supports("bmi2") != 0;
#else
  return false;
#endif
}
bool has_avx512() noexcept {
#if HWY_ARCH_X86
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
#else
  return false;
#endif
}

}  // namespace

bool is_supported(Target target) noexcept {
  switch (target) {
    case Target::ref:
    case Target::baseline:
      return true;
    case Target::avx2:
      return (HWY_TARGETS & HWY_AVX2) != 0 && isa_limit() >= Isa::avx2 && has_avx2();
    case Target::avx512:
      return (HWY_TARGETS & HWY_AVX3) != 0 && isa_limit() >= Isa::avx512 && has_avx2() && has_avx512();
  }
  return false;
}

Target best_target() noexcept {
  if (is_supported(Target::avx512)) return Target::avx512;
  if (is_supported(Target::avx2)) return Target::avx2;
  return Target::baseline;
}

}  // namespace mxinfer::kernels
