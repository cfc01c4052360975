#include "plan/schedule/predict_times.h"

#include "plan/schedule/machine.h"

namespace mxinfer::plan {
namespace {

std::vector<double> step_ms(const Plan& plan, const kernels::MachineRates& rates);

// The time of a step that runs these subgraphs as often as its operations say; 0 if they do not say. Appends
// the times of their steps.
double subplans_ms(const Plan& plan, std::size_t first, std::size_t count, double step_flops,
                   const kernels::MachineRates& rates, std::vector<double>& all) {
  double sum = 0, flops = 0;
  for (std::size_t k = first; k < first + count; ++k) {
    const Plan& inner = *plan.subplans[k];
    const std::vector<double> ms = step_ms(inner, rates);
    for (std::size_t i = 0; i < ms.size(); ++i) {
      if (inner.info.steps[i].inner) continue;
      sum += ms[i];
      flops += inner.info.steps[i].flops;
    }
    all.insert(all.end(), ms.begin(), ms.end());
  }
  return flops > 0 ? sum * step_flops / flops : 0;
}

// As PlanInfo::steps.
std::vector<double> step_ms(const Plan& plan, const kernels::MachineRates& rates) {
  std::vector<double> all;
  std::size_t subplan = 0;
  for (const StepCost& cost : plan.costs) {
    const std::size_t step = all.size();
    all.push_back(cost.work ? 1e3 * kernels::predicted_seconds(*cost.work, rates, plan.threads) : 0);
    if (cost.subplans == 0) continue;
    all[step] = subplans_ms(plan, subplan, cost.subplans, plan.info.steps[step].flops, rates, all);
    subplan += cost.subplans;
  }
  return all;
}

}  // namespace

PlanInfo predicted_info(const Plan& plan) {
  PlanInfo info = plan.info;
  if (!plan.rates && plan.target == kernels::Target::ref) return info;
  const std::vector<double> ms =
      step_ms(plan, plan.rates ? *plan.rates : machine_rates(plan.target, plan.threads));
  for (std::size_t i = 0; i < ms.size(); ++i) info.steps[i].predicted_ms = ms[i];
  return info;
}

}  // namespace mxinfer::plan
