#include <mxinfer/version.h>

#include "base/commit.h"
#include "kernels/common/target.h"

namespace mxinfer {
namespace {

using kernels::Target;

std::string compiler_text() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GNU " __VERSION__;
#else
  return "unknown";
#endif
}

/// As in kernels/common/dispatch.h: only x86-64 has AVX2 and AVX-512.
std::vector<Target> compiled_targets() {
#if defined(__x86_64__)
  return {Target::ref, Target::baseline, Target::avx2, Target::avx512};
#else
  return {Target::ref, Target::baseline};
#endif
}

}  // namespace

const char* version() noexcept {
  return MXINFER_VERSION;
}

BuildInfo build_info() {
  BuildInfo info;
  info.version = version();
  info.commit = commit();
  info.compiler = compiler_text();
  for (const Target target : compiled_targets()) info.targets.emplace_back(kernels::to_string(target));
  info.best_target = kernels::to_string(kernels::best_target());
  return info;
}

}  // namespace mxinfer
