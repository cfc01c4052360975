// Real trained models on the GPU give the outputs that MXNet gave, and no step of them is on the CPU.
#include "support/networks/real_models.h"

#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <set>

#include "cuda/steps_on_cpu.h"
#include "support/files/golden_npz.h"

namespace mxinfer {
namespace {

// A loss is of training: a model that is used has none.
const std::set<std::string> kLeftToTheCpu{"_contrib_CTCLoss"};

class RealModelOnCuda : public testing::TestWithParam<std::string> {};

TEST_P(RealModelOnCuda, GivesMxnetsNumbers) {
  if (GetParam().empty()) GTEST_SKIP() << test::kNoRealModels;
  Options options;
  options.threads = 1;
  options.device = "cuda:0";
  const Predictor predictor(Model::load(GetParam()), options);
  const auto recordings = test::recordings_of(GetParam());
  EXPECT_FALSE(recordings.empty());
  for (const auto& recording : recordings) {
    SCOPED_TRACE(recording.filename().string());
    const test::Golden golden = test::read_golden(recording);
    for (const std::string& name : test::operators_on_cpu(predictor, golden.inputs))
      EXPECT_EQ(kLeftToTheCpu.count(name), 1u) << name;
    test::expect_golden(predictor, golden, 1e-4);
  }
}

// Values between layers are stored in float16. The largest difference is 0.0115 of the largest output, of
// boxes.
TEST_P(RealModelOnCuda, GivesNearlyThemInFloat16) {
  if (GetParam().empty()) GTEST_SKIP() << test::kNoRealModels;
  Options options;
  options.threads = 1;
  options.device = "cuda:0";
  options.precision = mxinfer::Precision::float16;
  const Predictor predictor(Model::load(GetParam()), options);
  for (const auto& recording : test::recordings_of(GetParam())) {
    SCOPED_TRACE(recording.filename().string());
    test::expect_golden(predictor, test::read_golden(recording), 1.5e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, RealModelOnCuda, testing::ValuesIn(test::real_models()),
                         test::real_model_name);

}  // namespace
}  // namespace mxinfer
