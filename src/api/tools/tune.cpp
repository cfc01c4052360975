#include <mxinfer/tools/tune.h>

#include "base/fail.h"
#include "base/threads/thread_arena.h"
#include "model/check_inputs.h"
#include "model/input_shapes.h"
#include "model/model_data.h"
#include "passes/bind/cut_at_data.h"
#include "plan/lower/time_implementations.h"
#include "plan/schedule/machine.h"
#include "runtime/plan_options.h"
#include "runtime/planner.h"

namespace mxinfer {

Tuning MXINFER_ABI::tune_model(const Model& model, const Options& options,
                               const std::vector<NamedShape>& input_shapes, const TuneProgress& progress) {
  const api::ModelData& data = api::data_of(model);
  ThreadArena arena(runtime::checked_threads(options));
  const plan::PlanOptions plan_options{runtime::choose_target(options.target), arena.threads()};
  std::vector<ops::TensorType> types;
  for (const TensorView& view : api::views_of_shapes(data, input_shapes))
    types.push_back({view.dtype(), view.shape()});
  Tuning tuning;
  tuning.cpu = plan::cpu_name();
  tuning.target = kernels::to_string(plan_options.target);
  tuning.cores = plan::usable_cores();
  tuning.threads = plan_options.threads;
  if (parse_devices(options.device)[0].type != DeviceType::cpu) {
    fail(ErrorCode::unsupported, "Options::device (--device) is \"", printable(options.device),
         "\", but only the CPU's kernels can be tuned; leave it out");
  }
  const auto network =
      data.optimised.of(data, {plan_options.target, runtime::choose_precision(options.precision)});
  const std::vector<passes::Part> parts = passes::cut_at_data(network->graph);
  in_context([&] { return runtime::describe_call(api::describe_model(data), data.graph, types); },
             [&] {
               tuning.choices =
                   plan::time_implementations(parts[0].graph, types, plan_options, arena, progress);
             });
  return tuning;
}

}  // namespace mxinfer
