#include "ops/implementation.h"

#include <algorithm>
#include <iterator>

#include "base/fail.h"

namespace mxinfer::ops {

double predicted_seconds(const Implementation& one, const kernels::MachineRates& rates) {
  return one.work ? kernels::predicted_seconds(*one.work, rates, 1) : 0;
}

double memory_price(const Implementation& one, const kernels::MachineRates& rates) {
  // On images of 14 x 14, transformed filters of 3 x 3 do not save as much; on images of 56 x 56 they save
  // several times that.
  constexpr double kPasses = 20;
  return kPasses * static_cast<double>(one.extra_weight_bytes) / rates.cache_bytes;
}

std::vector<Implementation> accepted(const Implementations& implementations) {
  std::vector<Implementation> all;
  std::copy_if(implementations.all.begin(), implementations.all.end(), std::back_inserter(all),
               [](const Implementation& one) { return one.rejects.empty(); });
  return all;
}

const Implementation& cheapest(const Implementations& implementations, const kernels::MachineRates& rates) {
  const Implementation* best = nullptr;
  double least = 0;
  for (const Implementation& one : implementations.all) {
    if (!one.rejects.empty()) continue;
    const double cost = predicted_seconds(one, rates) + memory_price(one, rates);
    if (best != nullptr && cost >= least) continue;
    best = &one;
    least = cost;
  }
  if (best == nullptr) fail(ErrorCode::internal, "every implementation rejects the node");
  return *best;
}

}  // namespace mxinfer::ops
