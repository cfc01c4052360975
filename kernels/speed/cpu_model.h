// Which CPU this is, as cpuid tells: the key of the table of rates (cpu_rates.h).
//
//   const CpuModel cpu = this_cpu();   // {CpuVendor::amd, 25, 1}: Zen 3
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

enum class CpuVendor : std::uint8_t { other, intel, amd };

/// Family and model as /proc/cpuinfo prints them: with the extended parts. Zero for other vendors.
struct CpuModel {
  CpuVendor vendor = CpuVendor::other;
  int family = 0, model = 0;
};

/// The CPU of this process; `other` if it is not x86. Thread-safe.
const CpuModel& this_cpu() noexcept;

}  // namespace mxinfer::kernels
