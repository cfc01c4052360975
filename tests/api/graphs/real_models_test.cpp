// Real trained models give the outputs that MXNet gave.
#include "support/networks/real_models.h"

#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <filesystem>
#include <optional>

#include "support/files/golden_npz.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

class RealModel : public ::testing::TestWithParam<std::string> {};

TEST_P(RealModel, GivesMxnetsNumbers) {
  if (GetParam().empty()) GTEST_SKIP() << test::kNoRealModels;
  std::optional<Model> loaded;
  try {
    loaded = Model::load(GetParam());
  } catch (const Error& e) {
    if (e.code() != ErrorCode::unsupported) throw;
    GTEST_SKIP() << "NOT tested: " << e.what();
  }
  const Model& model = *loaded;
  const std::vector<fs::path> recordings = test::recordings_of(GetParam());
  EXPECT_FALSE(recordings.empty());
  for (const fs::path& recording : recordings) {
    SCOPED_TRACE(recording.filename().string());
    for (const auto target : test::targets()) {
      // The baseline is the code of the faster rows, less wide; the reference kernels take seconds on large
      // networks.
      const bool slow = fs::file_size(fs::path(GetParam()) / "model-0000.params") > (1 << 20);
      if (target == kernels::Target::baseline || (target == kernels::Target::ref && slow)) continue;
      SCOPED_TRACE(kernels::to_string(target));
      Options options;
      options.target = parse_target(kernels::to_string(target));
      test::expect_golden(Predictor(model, options), test::read_golden(recording), 1e-4);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, RealModel, ::testing::ValuesIn(test::real_models()), test::real_model_name);

}  // namespace
}  // namespace mxinfer
