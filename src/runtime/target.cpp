#include "runtime/target.h"

#include <cstdlib>

#include "base/fail.h"

namespace mxinfer::api {
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

}  // namespace mxinfer::api
