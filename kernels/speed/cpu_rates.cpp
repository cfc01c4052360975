#include "kernels/speed/cpu_rates.h"

#include <cstdlib>

#include "kernels/common/isa_limit.h"

namespace mxinfer::kernels {
namespace {

struct Row {
  CpuVendor vendor;
  int family, first_model, last_model;
  Target target;
  MachineRates rates;  ///< flops, bytes of the second-level cache and of memory, of one core
};

constexpr MachineRates rates_of(double gflops, double cache_gb, double memory_gb) {
  return {gflops * 1e9, cache_gb * 1e9, memory_gb * 1e9, memory_gb * 1e9, 1};
}

// A core of a Xeon reads memory and its third-level cache over a mesh, slowly for what it computes: alone at
// 13 GB/s, beside arithmetic at 10.
constexpr Row kTable[] = {
    // Xeon processors: Skylake and Cascade Lake (85), Ice Lake (106, 108), Sapphire Rapids (143), Emerald
    // Rapids (207), Granite Rapids (173, 174).
    {CpuVendor::intel, 6, 85, 85, Target::avx512, rates_of(170, 110, 10)},
    {CpuVendor::intel, 6, 85, 85, Target::avx2, rates_of(95, 90, 10)},
    {CpuVendor::intel, 6, 106, 108, Target::avx512, rates_of(180, 120, 10)},
    {CpuVendor::intel, 6, 106, 108, Target::avx2, rates_of(100, 100, 10)},
    {CpuVendor::intel, 6, 143, 143, Target::avx512, rates_of(200, 125, 10)},
    {CpuVendor::intel, 6, 143, 143, Target::avx2, rates_of(105, 100, 10)},
    {CpuVendor::intel, 6, 173, 174, Target::avx512, rates_of(210, 125, 10)},
    {CpuVendor::intel, 6, 173, 174, Target::avx2, rates_of(110, 100, 10)},
    {CpuVendor::intel, 6, 207, 207, Target::avx512, rates_of(200, 125, 10)},
    {CpuVendor::intel, 6, 207, 207, Target::avx2, rates_of(105, 100, 10)},
    // Zen 3 and Zen 4: AVX-512 in two halves.
    {CpuVendor::amd, 25, 0, 15, Target::avx2, rates_of(108, 100, 16)},
    {CpuVendor::amd, 25, 32, 95, Target::avx2, rates_of(115, 100, 20)},
    {CpuVendor::amd, 25, 16, 31, Target::avx512, rates_of(118, 110, 25)},
    {CpuVendor::amd, 25, 96, 175, Target::avx512, rates_of(130, 110, 25)},
    // Zen 5.
    {CpuVendor::amd, 26, 0, 255, Target::avx512, rates_of(275, 200, 40)},
    {CpuVendor::amd, 26, 0, 255, Target::avx2, rates_of(138, 130, 40)},
};

// Those of all other CPUs: AVX2 between the rows above, AVX-512 in their middle. The baseline of x86-64
// computes one lane at a time.
constexpr MachineRates kAvx512 = rates_of(200, 125, 30);
constexpr MachineRates kOneLane = rates_of(13, 34, 16);

const MachineRates& general_rates(Target target) noexcept {
#if defined(__x86_64__) || defined(__i386__)
  if (target == Target::baseline) return kOneLane;
#endif
  return target == Target::avx512 ? kAvx512 : kDefaultRates;
}

}  // namespace

const MachineRates& cpu_rates(const CpuModel& cpu, Target target) noexcept {
  for (const Row& row : kTable) {
    if (row.vendor == cpu.vendor && row.family == cpu.family && row.first_model <= cpu.model &&
        cpu.model <= row.last_model && row.target == target)
      return row.rates;
  }
  return general_rates(target);
}

const MachineRates& default_rates(Target target) noexcept {
  static const bool is_limited = std::getenv(kIsaLimitVariable) != nullptr;
  return cpu_rates(is_limited ? CpuModel{} : this_cpu(), target);
}

}  // namespace mxinfer::kernels
