#include "runtime/use_tuning.h"

#include "base/fail.h"
#include "plan/schedule/machine.h"

namespace mxinfer::api {

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

}  // namespace mxinfer::api
