#include <gtest/gtest.h>
#include <mxinfer/version.h>

#include <algorithm>
#include <regex>

#include "kernels/common/target.h"

namespace mxinfer {
namespace {

TEST(BuildInfo, SaysWhatTheLibraryIs) {
  const BuildInfo build = build_info();
  EXPECT_EQ(build.version, MXINFER_VERSION);
  EXPECT_TRUE(std::regex_match(build.commit, std::regex("|[0-9a-f]{12,40}(-dirty)?"))) << build.commit;
  EXPECT_TRUE(std::regex_match(build.compiler, std::regex("(GNU|Clang) [0-9]+\\..*"))) << build.compiler;
}

TEST(BuildInfo, TheTargetsAreThoseThatKernelsAreCompiledFor) {
  const BuildInfo build = build_info();
  EXPECT_EQ(build.best_target, kernels::to_string(kernels::best_target()));
  for (const auto target :
       {kernels::Target::ref, kernels::Target::baseline, kernels::Target::avx2, kernels::Target::avx512}) {
    if (!kernels::is_supported(target)) continue;  // compiled in or not: this CPU cannot tell
    EXPECT_EQ(std::count(build.targets.begin(), build.targets.end(), kernels::to_string(target)), 1)
        << kernels::to_string(target);
  }
}

}  // namespace
}  // namespace mxinfer
