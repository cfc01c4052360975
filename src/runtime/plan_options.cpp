#include "runtime/plan_options.h"

#include <algorithm>

#include "base/fail.h"
#include "plan/schedule/machine.h"
#include "runtime/precision.h"
#include "runtime/target.h"
#include "runtime/use_tuning.h"

namespace mxinfer::api {

int checked_threads(const Options& options) {
  const int most = std::max(1024, 8 * plan::usable_cores());
  if (options.threads < 0 || options.threads > most) {
    fail(ErrorCode::invalid_argument, "Options::threads (--threads) is ", options.threads,
         "; give 0 for all cores this process may use (", plan::usable_cores(), "), or 1 to ", most);
  }
  return options.threads;
}

plan::PlanOptions plan_options(const Options& options, int threads) {
  plan::PlanOptions how{choose_target(options.target), threads, options.max_winograd_bytes};
  how.precision = choose_precision(options.precision);
  how.tuning = use_tuning(options, how.target, how.warnings);
  return how;
}

}  // namespace mxinfer::api
