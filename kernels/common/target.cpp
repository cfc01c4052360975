#include "kernels/common/target.h"

#include <hwy/highway.h>

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

std::optional<Target> parse_target(std::string_view name) noexcept {
  for (Target target : {Target::ref, Target::baseline, Target::avx2, Target::avx512}) {
    if (name == to_string(target)) return target;
  }
  return std::nullopt;
}

std::int64_t highway_target(Target target) noexcept {
  switch (target) {
    case Target::ref:
      return 0;
    case Target::baseline:
      return HWY_STATIC_TARGET;
#if HWY_ARCH_X86
    case Target::avx2:
      return HWY_AVX2;
    case Target::avx512:
      return HWY_AVX3;
#else
    case Target::avx2:
    case Target::avx512:
      return 0;
#endif
  }
  return 0;
}

bool is_supported(Target target) noexcept {
  if (target == Target::ref || target == Target::baseline) return true;
  const std::int64_t bit = highway_target(target);
  return bit != 0 && (hwy::SupportedTargets() & HWY_TARGETS & bit) != 0;
}

Target best_target() noexcept {
  if (is_supported(Target::avx512)) return Target::avx512;
  if (is_supported(Target::avx2)) return Target::avx2;
  return Target::baseline;
}

}  // namespace mxinfer::kernels
