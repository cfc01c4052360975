#include "kernels/common/work.h"

#include <algorithm>

namespace mxinfer::kernels {
namespace {

// The efficiency of measured kernels: tiles reach this share of the flops, and of arithmetic and reading
// weights this share of the shorter one is not hidden by the longer one; less if there is little to read.
constexpr double kReached = 0.85, kNotHidden = 0.4;

}  // namespace

double predicted_seconds(const Work& work, const MachineRates& rates, int threads) {
  const double cores = std::min(threads, std::max(rates.cores, 1));
  const double memory = threads > 1 ? rates.all_memory_bytes : rates.memory_bytes;
  const double arithmetic = work.flops / (cores * rates.flops * kReached);
  const double weights = work.weight_bytes / memory;
  const double shorter = std::min(arithmetic, weights);
  const double not_hidden = arithmetic > weights ? kNotHidden * weights / arithmetic : kNotHidden;
  return std::max(arithmetic, weights) + not_hidden * shorter +
         work.cache_bytes / (cores * rates.cache_bytes) + work.activation_bytes / memory;
}

}  // namespace mxinfer::kernels
