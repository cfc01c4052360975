#include "runtime/plan_options.h"

#include <algorithm>
#include <cstdlib>

#include "base/fail.h"
#include "kernels/common/isa_limit.h"
#include "ops/backend.h"
#include "plan/schedule/machine.h"

namespace mxinfer::runtime {
namespace {

constexpr const char* kVariable = "the environment variable MXINFER_TARGET";

Target target_of_environment() {
  const char* variable = std::getenv("MXINFER_TARGET");
  if (variable == nullptr || *variable == '\0') return Target::automatic;
  return in_context([] { return kVariable; }, [&] { return parse_target(variable); });
}

void check_isa_limit() {
  const char* name = std::getenv(kernels::kIsaLimitVariable);
  if (name == nullptr || *name == '\0' || kernels::isa_of_name(name)) return;
  fail(ErrorCode::invalid_argument, "the environment variable ", kernels::kIsaLimitVariable, " is \"",
       printable(name), "\"; give baseline, avx2, avx512, avx512_bf16 or amx, or unset it");
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
       ", which is not a value of Target");
}

// Null if there is none, or if it was made on another machine or for another target, which adds a warning.
// Throws what load_tuning throws.
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
  warnings.push_back(concat("tuning file ", printable(options.tuning_file), " is ignored: it was made on ",
                            there, ", and this is ", here));
  return nullptr;
}

}  // namespace

kernels::Target choose_target(Target option) {
  check_isa_limit();
  const bool by_option = option != Target::automatic;
  const kernels::Target target = kernel_target(by_option ? option : target_of_environment());
  if (!kernels::is_supported(target)) {
    fail(ErrorCode::unsupported, by_option ? "Options::target" : kVariable, " asks for ",
         kernels::to_string(target), ", which this CPU lacks; the best it has is ",
         kernels::to_string(kernels::best_target()));
  }
  return target;
}

kernels::Precision kernel_precision(Precision precision) {
  switch (precision) {
    case Precision::float32:
      return kernels::Precision::float32;
    case Precision::bfloat16:
      return kernels::Precision::bfloat16;
    case Precision::tf32:
      return kernels::Precision::tf32;
    case Precision::float16:
      return kernels::Precision::float16;
  }
  fail(ErrorCode::invalid_argument, "Options::precision is ", static_cast<int>(precision),
       ", which is not a value of Precision");
}

kernels::Precision choose_precision(Precision option, const device::Device* device) {
  const kernels::Precision precision = kernel_precision(option);
  const bool is_of_gpus = precision == kernels::Precision::tf32 || precision == kernels::Precision::float16;
  if (device == nullptr && is_of_gpus) {
    fail(ErrorCode::unsupported, "Options::precision (--precision) is ", kernels::to_string(precision),
         ", which only CUDA devices have; give float32 or bfloat16, or a CUDA device");
  }
  if (device != nullptr && !device->has_precision(precision)) {
    fail(ErrorCode::unsupported, "Options::precision (--precision) is ", kernels::to_string(precision),
         ", which ", device->name(),
         " does not support: GPUs have float16 from compute capability 7.5 on, tf32 and bfloat16 from ",
         "8.0 on; give float32");
  }
  return precision;
}

passes::Goal goal_of(const plan::PlanOptions& options) {
  passes::Goal goal{options.target, options.precision};
  if (!options.device) return goal;
  goal.device = options.device->kind();
  goal.has_bfloat16 = options.device->has_precision(kernels::Precision::bfloat16);
  for (const ops::OpenedDevice& other : options.devices)
    goal.has_bfloat16 = goal.has_bfloat16 && other.device->has_precision(kernels::Precision::bfloat16);
  return goal;
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
  // If the time overflows, there is no limit.
  using Nanoseconds = std::chrono::nanoseconds;
  const bool is_countable =
      options.idle_limit < std::chrono::duration_cast<std::chrono::milliseconds>(Nanoseconds::max() / 2);
  return {options.max_plans,
          options.max_idle_executors,
          options.max_plan_bytes,
          options.max_memory_bytes,
          is_countable ? Nanoseconds(options.idle_limit) : Nanoseconds(0),
          options.max_device_memory_bytes};
}

plan::PlanOptions plan_options(const Options& options, int threads) {
  plan::PlanOptions plan_options{choose_target(options.target), threads, options.max_winograd_bytes};
  const std::vector<ops::OpenedDevice> opened = ops::open_devices(options.device);
  plan_options.device = opened[0].device;
  plan_options.backend = opened[0].backend;
  if (plan_options.device) plan_options.devices = opened;
  plan_options.cpu_fallback = options.cpu_fallback;
  for (const ops::OpenedDevice& one : opened)
    plan_options.precision = choose_precision(options.precision, one.device.get());
  plan_options.tuning = use_tuning(options, plan_options.target, plan_options.warnings);
  return plan_options;
}

}  // namespace mxinfer::runtime
