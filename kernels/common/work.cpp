#include "kernels/common/work.h"

#include <algorithm>
#include <cmath>

namespace mxinfer::kernels {
namespace {

// The power of four that is nearest to a ratio.
double in_steps_of_four(double ratio) {
  return std::exp2(2 * std::round(std::log2(ratio) / 2));
}

// The efficiency of measured kernels: tiles reach this share of the flops, and of arithmetic and reading
// weights this share of the shorter one is not hidden by the longer one.
constexpr double kReached = 0.85, kNotHidden = 0.4;

}  // namespace

double predicted_seconds(const Work& work, const MachineRates& rates, int threads) {
  const double cores = std::min(threads, std::max(rates.cores, 1));
  const double memory = threads > 1 ? rates.all_memory_bytes : rates.memory_bytes;
  const double arithmetic = work.flops / (cores * rates.flops * kReached);
  const double weights = work.weight_bytes / memory;
  return std::max(arithmetic, weights) + kNotHidden * std::min(arithmetic, weights) +
         work.cache_bytes / (cores * rates.cache_bytes) + work.activation_bytes / memory;
}

MachineRates quantised(const MachineRates& measured, const MachineRates& defaults) {
  MachineRates rates = defaults;
  const auto shifted = [&](double default_bytes, double measured_bytes) {
    return default_bytes /
           in_steps_of_four(measured.flops / measured_bytes * (default_bytes / defaults.flops));
  };
  rates.cache_bytes = shifted(defaults.cache_bytes, measured.cache_bytes);
  rates.memory_bytes = rates.all_memory_bytes = shifted(defaults.memory_bytes, measured.memory_bytes);
  return rates;
}

}  // namespace mxinfer::kernels
