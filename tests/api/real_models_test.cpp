// Real trained models with MXNet's own outputs, if the environment variable MXINFER_SHARED_DIR names a
// folder with models/: each of them holds model-symbol.json, model-0000.params and golden*.npz
// ("input/<name>", "output/<i>").
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "support/golden_npz.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> model_folders() {
  std::vector<std::string> folders;
  const char* shared = std::getenv("MXINFER_SHARED_DIR");
  const fs::path models = shared == nullptr ? fs::path() : fs::path(shared) / "models";
  if (!models.empty() && fs::is_directory(models)) {
    for (const auto& entry : fs::directory_iterator(models)) {
      if (fs::exists(entry.path() / "model-symbol.json")) folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  if (folders.empty()) folders.emplace_back();
  return folders;
}

class RealModel : public ::testing::TestWithParam<std::string> {};

TEST_P(RealModel, GivesMxnetsNumbers) {
  if (GetParam().empty()) {
    GTEST_SKIP() << "MXINFER_SHARED_DIR is not set to a folder with models/: real models are NOT tested";
  }
  std::optional<Model> loaded;
  try {
    loaded = Model::load(GetParam());
  } catch (const Error& e) {
    if (e.code() != ErrorCode::unsupported) throw;
    GTEST_SKIP() << "NOT tested: " << e.what();
  }
  const Model& model = *loaded;
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(GetParam())) {
    if (entry.path().extension() != ".npz") continue;
    SCOPED_TRACE(entry.path().filename().string());
    for (const auto target : test::targets()) {
      // The baseline is the code of the faster rows, less wide; the reference kernels take seconds on large
      // networks.
      const bool slow = fs::file_size(fs::path(GetParam()) / "model-0000.params") > (1 << 20);
      if (target == kernels::Target::baseline || (target == kernels::Target::ref && slow)) continue;
      SCOPED_TRACE(kernels::to_string(target));
      Options options;
      options.target = parse_target(kernels::to_string(target));
      test::expect_golden(Predictor(model, options), test::read_golden(entry.path()), 1e-4);
    }
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

std::string folder_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.empty() ? "absent" : fs::path(info.param).filename().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shared, RealModel, ::testing::ValuesIn(model_folders()), folder_name);

}  // namespace
}  // namespace mxinfer
