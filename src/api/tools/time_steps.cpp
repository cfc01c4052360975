#include <mxinfer/tools/step_times.h>

#include <algorithm>
#include <chrono>

#include "base/fail.h"
#include "base/threads/thread_arena.h"
#include "model/model_data.h"
#include "passes/bind/cut_at_data.h"
#include "plan/plan.h"
#include "plan/schedule/predict_times.h"
#include "runtime/executor.h"
#include "runtime/input_types.h"
#include "runtime/plan_options.h"

namespace mxinfer {
namespace {

using Clock = std::chrono::steady_clock;

std::shared_ptr<const plan::Plan> one_plan(const api::ModelData& model, Span<const TensorView> inputs,
                                           const plan::PlanOptions& options) {
  if (model.takes_items || passes::cut_at_data(model.graph).size() > 1) {
    fail(ErrorCode::unsupported,
         "only models with a single plan can be timed, but this one has several: its transforms run item by "
         "item, or some of its sizes depend on values");
  }
  const auto network = model.optimised.of(model, runtime::goal_of(options));
  return plan::make_plan(network->graph, runtime::types_of(inputs), options, *model.weights);
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

StepTimes MXINFER_ABI::time_steps(const Model& model, const Options& options, Span<const TensorView> inputs,
                                  double seconds) {
  ThreadArena arena(runtime::checked_threads(options));
  const plan::PlanOptions plan_options = runtime::plan_options(options, arena.threads());
  const auto plan = one_plan(api::data_of(model), inputs, plan_options);
  std::vector<Tensor> outputs;
  std::vector<const void*> from;
  std::vector<void*> to;
  for (const ops::TensorType& type : plan->outputs) outputs.emplace_back(type.dtype, type.shape);
  for (const TensorView& input : inputs) from.push_back(input.raw());
  for (Tensor& output : outputs) to.push_back(output.raw());
  runtime::Executor executor(plan);

  std::vector<double> call(plan->steps.size());
  std::vector<std::vector<double>> calls(call.size());
  executor.run(from.data(), to.data(), arena);  // touches the memory
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  do {
    executor.run_timed(from.data(), to.data(), arena, call.data());
    for (std::size_t i = 0; i < call.size(); ++i) calls[i].push_back(call[i]);
  } while (Clock::now() < end);

  StepTimes result;
  for (const StepInfo& step : plan::predicted_info(*plan).steps) {
    if (step.kernel != "alias" && !step.inner) result.steps.push_back(step);
  }
  for (std::vector<double>& times : calls) result.median_ms.push_back(median(times));
  result.calls = calls.empty() ? 0 : calls[0].size();
  result.target = plan->info.target;
  result.threads = plan->threads;
  return result;
}

}  // namespace mxinfer
