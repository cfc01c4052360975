#include "kernels/common/work.h"

#include <algorithm>
#include <cmath>

namespace mxinfer::kernels {
namespace {

// The power of four that is nearest to a ratio.
double in_steps_of_four(double ratio) {
  return std::exp2(2 * std::round(std::log2(ratio) / 2));
}

}  // namespace

double predicted_seconds(const Work& work, const MachineRates& rates, int threads) {
  const double cores = std::min(threads, std::max(rates.cores, 1));
  const double memory = threads > 1 ? rates.all_memory_bytes : rates.memory_bytes;
  return std::max(work.flops / (cores * rates.flops), work.weight_bytes / memory) +
         work.cache_bytes / (cores * rates.cache_bytes) + work.activation_bytes / memory;
}

MachineRates steadied(const MachineRates& measured) {
  MachineRates rates = kUsualRates;
  const auto shifted = [&](double usual, double given) {
    return usual / in_steps_of_four(measured.flops / given * (usual / kUsualRates.flops));
  };
  rates.cache_bytes = shifted(kUsualRates.cache_bytes, measured.cache_bytes);
  rates.memory_bytes = rates.all_memory_bytes = shifted(kUsualRates.memory_bytes, measured.memory_bytes);
  return rates;
}

}  // namespace mxinfer::kernels
