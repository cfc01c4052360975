// Chooses between the convolution algorithms of conv_list.inc.
#include <algorithm>

#include "kernels/conv/conv.h"
#include "kernels/conv/conv_algorithm.h"

namespace mxinfer::kernels {

#define MXINFER_CONV(algorithm) extern const ConvAlgorithm algorithm;
#include "kernels/conv/conv_list.inc"
#undef MXINFER_CONV

namespace {

constexpr const ConvAlgorithm* kList[] = {
#define MXINFER_CONV(algorithm) &(algorithm),
#include "kernels/conv/conv_list.inc"
#undef MXINFER_CONV
};

}  // namespace

std::vector<ConvCandidate> conv_candidates(const ConvProblem& problem, Target target) {
  if (target == Target::ref || problem.type == ConvType::float64)
    return {{&conv_ref(problem), target == Target::ref ? "the reference kernel was requested"
                                                       : "float64 has the reference kernel only"}};
  std::vector<ConvCandidate> candidates;
  for (const ConvAlgorithm* algorithm : kList) {
    if (algorithm->rejects(problem, target) == nullptr)
      candidates.push_back({algorithm->impl(target), algorithm->reason});
  }
  return candidates;
}

std::vector<ConvRejection> conv_rejections(const ConvProblem& problem, Target target) {
  std::vector<ConvRejection> rejections;
  for (const ConvAlgorithm* algorithm : kList) {
    if (const char* why = algorithm->rejects(problem, target)) rejections.push_back({algorithm->name, why});
  }
  return rejections;
}

const ConvImpl& select_conv(const ConvProblem& problem, Target target, const char** reason,
                            const MachineRates& rates) {
  const std::vector<ConvCandidate> candidates = conv_candidates(problem, target);
  ConvProblem whole = problem;
  whole.task_hint = 1;  // on one core, and not cut into tasks
  const auto cost = [&](const ConvCandidate& candidate) {
    return predicted_seconds(candidate.impl->work(whole), rates, 1);
  };
  // A single candidate need not have a cost.
  const ConvCandidate& best =
      candidates.size() == 1
          ? candidates.front()
          : *std::min_element(candidates.begin(), candidates.end(),
                              [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  *reason = best.reason;
  return *best.impl;
}

}  // namespace mxinfer::kernels
