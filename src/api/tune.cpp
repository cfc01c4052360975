#include <mxinfer/tools/tune.h>

#include "base/fail.h"
#include "base/thread_arena.h"
#include "model/check_inputs.h"
#include "model/input_shapes.h"
#include "model/model_data.h"
#include "passes/bind/cut_at_data.h"
#include "plan/lower/time_variants.h"
#include "plan/schedule/machine.h"
#include "runtime/plan_options.h"
#include "runtime/precision.h"
#include "runtime/target.h"

namespace mxinfer {

Tuning MXINFER_ABI::tune_model(const Model& model, const Options& options,
                               const std::vector<NamedShape>& input_shapes, const TuneProgress& progress) {
  const api::ModelData& data = api::data_of(model);
  ThreadArena arena(api::checked_threads(options));
  const plan::PlanOptions how{api::choose_target(options.target), arena.threads()};
  std::vector<ops::TensorType> types;
  for (const TensorView& view : api::views_of_shapes(data, input_shapes))
    types.push_back({view.dtype(), view.shape()});
  Tuning tuning;
  tuning.cpu = plan::cpu_name();
  tuning.target = kernels::to_string(how.target);
  tuning.cores = plan::usable_cores();
  tuning.threads = how.threads;
  const auto network = data.optimised.of(data, {how.target, api::choose_precision(options.precision)});
  const std::vector<passes::Part> parts = passes::cut_at_data(network->graph);
  in_context([&] { return api::describe_call(data, data.graph, types); },
             [&] { tuning.choices = plan::time_variants(parts[0].graph, types, how, arena, progress); });
  return tuning;
}

}  // namespace mxinfer
