#include "api/target.h"

#include <cstdlib>

#include "base/fail.h"

namespace mxinfer::api {

kernels::Target choose_target(const std::string& option) {
  std::string name = option;
  const char* where = "Options::target";
  if (name.empty()) {
    const char* variable = std::getenv("MXINFER_TARGET");
    if (variable == nullptr || *variable == '\0') return kernels::best_target();
    name = variable;
    where = "the environment variable MXINFER_TARGET";
  }
  const auto target = kernels::parse_target(name);
  if (!target) {
    fail(ErrorCode::invalid_argument, where, " is \"", printable(name),
         "\"; it can be ref, baseline, avx2 or avx512");
  }
  if (!kernels::is_supported(*target)) {
    fail(ErrorCode::unsupported, where, " asks for ", name, ", which this CPU lacks; the best it has is ",
         kernels::to_string(kernels::best_target()));
  }
  return *target;
}

}  // namespace mxinfer::api
