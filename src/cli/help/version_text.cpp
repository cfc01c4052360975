#include "cli/help/version_text.h"

#include <mxinfer/version.h>

#include <cstdlib>

namespace mxinfer::cli {
namespace {

/// " within MXINFER_MAX_ISA=avx2"; empty without that variable.
std::string isa_limit() {
  const char* limit = std::getenv("MXINFER_MAX_ISA");
  return limit == nullptr || *limit == '\0' ? std::string() : std::string(" within MXINFER_MAX_ISA=") + limit;
}

/// The target of commands without --target, and why.
std::string chosen_target(const BuildInfo& build) {
  const char* variable = std::getenv("MXINFER_TARGET");
  if (variable != nullptr && *variable != '\0')
    return "using " + std::string(variable) + ", from the environment variable MXINFER_TARGET";
  return "using " + build.best_target + ", the best that this CPU supports" + isa_limit();
}

}  // namespace

std::string version_text() {
  const BuildInfo build = build_info();
  std::string targets;
  for (const std::string& target : build.targets) targets += (targets.empty() ? "" : ", ") + target;
  return "mxinfer " + build.version + "\ncommit    " + (build.commit.empty() ? "unknown" : build.commit) +
         "\ncompiler  " + build.compiler + "\ntargets   " + targets + "; " + chosen_target(build);
}

}  // namespace mxinfer::cli
