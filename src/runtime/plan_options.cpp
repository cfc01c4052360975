#include "runtime/plan_options.h"

#include <algorithm>
#include <cstdlib>

#include "base/fail.h"
#include "plan/schedule/machine.h"

namespace mxinfer::runtime {
namespace {

constexpr const char* kVariable = "the environment variable MXINFER_TARGET";

Target target_of_environment() {
  const char* variable = std::getenv("MXINFER_TARGET");
  if (variable == nullptr || *variable == '\0') return Target::automatic;
  return in_context([] { return kVariable; }, [&] { return parse_target(variable); });
}

kernels::Target kernel_target(Target target) {
  switch (target) {
    case Target::automatic:
      return kernels::best_target();
    case Target::reference:
      return kernels::Target::ref;
    case Target::baseline:
      return kernels::Target::baseline;
    case Target::avx2:
      return kernels::Target::avx2;
    case Target::avx512:
      return kernels::Target::avx512;
  }
  fail(ErrorCode::invalid_argument, "Options::target is ", static_cast<int>(target),
       ", which is no value of Target");
}

// Null if there is none, or if it is of another machine or target, which `warnings` then says. Throws what
// load_tuning throws.
std::shared_ptr<const Tuning> use_tuning(const Options& options, kernels::Target target,
                                         std::vector<std::string>& warnings) {
  if (options.tuning_file.empty()) return nullptr;
  auto tuning = std::make_shared<const Tuning>(load_tuning(options.tuning_file));
  const auto machine = [](const std::string& cpu, int cores, const std::string& name) {
    return concat(printable(cpu), ", ", cores, cores == 1 ? " core, " : " cores, ", printable(name));
  };
  const std::string here = machine(plan::cpu_name(), plan::usable_cores(), kernels::to_string(target));
  const std::string there = machine(tuning->cpu, tuning->cores, tuning->target);
  if (here == there) return tuning;
  warnings.push_back(concat("tuning file ", printable(options.tuning_file), " is ignored: it is of ", there,
                            ", and this is ", here));
  return nullptr;
}

}  // namespace

kernels::Target choose_target(Target option) {
  const bool by_option = option != Target::automatic;
  const kernels::Target target = kernel_target(by_option ? option : target_of_environment());
  if (!kernels::is_supported(target)) {
    fail(ErrorCode::unsupported, by_option ? "Options::target" : kVariable, " asks for ",
         kernels::to_string(target), ", which this CPU lacks; the best it has is ",
         kernels::to_string(kernels::best_target()));
  }
  return target;
}

kernels::Precision choose_precision(Precision option) {
  switch (option) {
    case Precision::float32:
      return kernels::Precision::float32;
    case Precision::bfloat16:
      return kernels::Precision::bfloat16;
  }
  fail(ErrorCode::invalid_argument, "Options::precision is ", static_cast<int>(option),
       ", which is no value of Precision");
}

int checked_threads(const Options& options) {
  const int most = std::max(1024, 8 * plan::usable_cores());
  if (options.threads < 0 || options.threads > most) {
    fail(ErrorCode::invalid_argument, "Options::threads (--threads) is ", options.threads,
         "; give 0 for all cores this process may use (", plan::usable_cores(), "), or 1 to ", most);
  }
  return options.threads;
}

MemoryLimits memory_limits(const Options& options) {
  if (options.idle_limit.count() < 0) {
    fail(ErrorCode::invalid_argument, "Options::idle_limit is ", options.idle_limit.count(),
         " ms; give a time above 0, or 0 for none");
  }
  // A time that is too long to count is none.
  using Nanoseconds = std::chrono::nanoseconds;
  const bool is_countable =
      options.idle_limit < std::chrono::duration_cast<std::chrono::milliseconds>(Nanoseconds::max() / 2);
  return {options.max_plans, options.max_idle_executors, options.max_plan_bytes, options.max_memory_bytes,
          is_countable ? Nanoseconds(options.idle_limit) : Nanoseconds(0)};
}

plan::PlanOptions plan_options(const Options& options, int threads) {
  plan::PlanOptions plan_options{choose_target(options.target), threads, options.max_winograd_bytes};
  plan_options.precision = choose_precision(options.precision);
  plan_options.tuning = use_tuning(options, plan_options.target, plan_options.warnings);
  return plan_options;
}

}  // namespace mxinfer::runtime
