#include "kernels/common/cpu_products.h"

#include <cstdint>

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernels/common/isa_limit.h"
#endif

namespace mxinfer::kernels {

#if defined(__x86_64__) && defined(__linux__)
namespace {

struct Cpuid {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// Zeros if the CPU does not have the leaf.
Cpuid cpuid(unsigned leaf, unsigned subleaf) {
  Cpuid r;
  if (leaf == 7 && subleaf > 0 && cpuid(7, 0).eax < subleaf) return {};
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

constexpr bool bit(unsigned bits, int i) {
  return (bits >> i & 1u) != 0;
}

/// Whether the system saves all of these states when it switches threads (XCR0).
bool saves(std::uint32_t states) {
  if (!bit(cpuid(1, 0).ecx, 27)) return false;  // OSXSAVE: XGETBV exists
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & states) == states;
}

constexpr std::uint32_t kAvxStates = 1u << 1 | 1u << 2;
// SSE, AVX, and AVX-512's masks, upper halves and upper registers.
constexpr std::uint32_t kAvx512States = 1u << 1 | 1u << 2 | 7u << 5;
// The configuration of tiles, and their data.
constexpr std::uint32_t kTileStates = 1u << 17 | 1u << 18;

bool may_use_tiles() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

bool has_avx512() {
  const Cpuid seven = cpuid(7, 0);
  return bit(seven.ebx, 16) && bit(seven.ebx, 30) && bit(seven.ebx, 31) && saves(kAvx512States);  // F, BW, VL
}

/// Whether the CPU has the instructions on tiles that bit `products` of leaf 7 tells.
bool has_amx(int products) {
  if (isa_limit() < Isa::amx) return false;
  const Cpuid seven = cpuid(7, 0);
  return bit(seven.edx, products) && bit(seven.edx, 24) && saves(kTileStates) && may_use_tiles();
}

}  // namespace

bool has_avx512_bf16() noexcept {
  static const bool has = isa_limit() >= Isa::avx512_bf16 && has_avx512() && bit(cpuid(7, 1).eax, 5);
  return has;
}

// A limit to AVX-512 alone is one to that of CPUs without VNNI.
bool has_avx512_vnni() noexcept {
  static const bool has = isa_limit() >= Isa::avx512_bf16 && has_avx512() && bit(cpuid(7, 0).ecx, 11);
  return has;
}

bool has_avx_vnni() noexcept {
  static const bool has = isa_limit() >= Isa::avx512_bf16 && bit(cpuid(7, 1).eax, 4) && saves(kAvxStates);
  return has;
}

bool has_amx_bf16() noexcept {
  static const bool has = has_amx(22);
  return has;
}

bool has_amx_int8() noexcept {
  static const bool has = has_amx(25);
  return has;
}

#else

bool has_avx512_bf16() noexcept {
  return false;
}

bool has_avx512_vnni() noexcept {
  return false;
}

bool has_avx_vnni() noexcept {
  return false;
}

bool has_amx_bf16() noexcept {
  return false;
}

bool has_amx_int8() noexcept {
  return false;
}

#endif

}  // namespace mxinfer::kernels
