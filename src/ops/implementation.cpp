#include "ops/implementation.h"

#include <algorithm>
#include <iterator>

#include "base/fail.h"

namespace mxinfer::ops {

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
    const double seconds = one.work ? kernels::predicted_seconds(*one.work, rates, 1) : 0;
    if (best != nullptr && seconds >= least) continue;
    best = &one;
    least = seconds;
  }
  if (best == nullptr) fail(ErrorCode::internal, "every implementation rejects the node");
  return *best;
}

}  // namespace mxinfer::ops
