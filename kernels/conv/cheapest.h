// The choice between rows of a family of convolutions by what they are predicted to cost.
//
//   const ConvCandidate& best = cheapest(candidates, shape, rates);   // best.kernel, best.reason
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/common/work.h"
#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// On one core, and not cut into tasks: the choice is the same for any number of threads. Candidates have a
/// `kernel` with work(shape); there is at least one.
template <class Candidate>
const Candidate& cheapest(const std::vector<Candidate>& candidates, ConvShape shape,
                          const MachineRates& rates) {
  // What has no alternative need not be able to tell.
  if (candidates.size() == 1) return candidates.front();
  shape.wanted_tasks = 1;
  const auto cost = [&](const Candidate& candidate) {
    return predicted_seconds(candidate.kernel->work(shape), rates, 1);
  };
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](const Candidate& a, const Candidate& b) { return cost(a) < cost(b); });
}

}  // namespace mxinfer::kernels
