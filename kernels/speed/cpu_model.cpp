#include "kernels/speed/cpu_model.h"

#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define MXINFER_HAS_CPUID 1
#else
#define MXINFER_HAS_CPUID 0
#endif

namespace mxinfer::kernels {
namespace {

#if MXINFER_HAS_CPUID
CpuVendor read_vendor() noexcept {
  unsigned leaves = 0, name[3] = {};
  if (__get_cpuid(0, &leaves, &name[0], &name[2], &name[1]) == 0) return CpuVendor::other;
  if (std::memcmp(name, "GenuineIntel", sizeof name) == 0) return CpuVendor::intel;
  return std::memcmp(name, "AuthenticAMD", sizeof name) == 0 ? CpuVendor::amd : CpuVendor::other;
}

CpuModel read_cpu() noexcept {
  const CpuVendor vendor = read_vendor();
  unsigned signature = 0, ebx = 0, ecx = 0, edx = 0;
  if (vendor == CpuVendor::other || __get_cpuid(1, &signature, &ebx, &ecx, &edx) == 0) return {};
  const auto bits = [signature](int first, int count) {
    return static_cast<int>(signature >> first & ((1U << count) - 1));
  };
  const int family = bits(8, 4);
  return {vendor, family == 15 ? family + bits(20, 8) : family, bits(4, 4) + 16 * bits(16, 4)};
}
#else
CpuModel read_cpu() noexcept {
  return {};
}
#endif

}  // namespace

const CpuModel& this_cpu() noexcept {
  static const CpuModel cpu = read_cpu();
  return cpu;
}

}  // namespace mxinfer::kernels
