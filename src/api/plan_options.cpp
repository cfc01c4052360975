#include "api/plan_options.h"

#include "api/precision.h"
#include "api/target.h"
#include "api/use_tuning.h"

namespace mxinfer::api {

plan::PlanOptions plan_options(const Options& options, int threads) {
  plan::PlanOptions how{choose_target(options.target), threads, options.max_winograd_bytes};
  how.precision = choose_precision(options.precision);
  how.tuning = use_tuning(options, how.target, how.warnings);
  return how;
}

}  // namespace mxinfer::api
