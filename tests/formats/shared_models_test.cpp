// Real models of every era, where a folder of them is at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/fail.h"
#include "formats/bind_params.h"
#include "formats/model_files.h"
#include "formats/npz.h"
#include "formats/params.h"
#include "formats/symbol_json.h"
#include "sources/source.h"

namespace mxinfer::formats {
namespace {

namespace fs = std::filesystem;

class SharedModels : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("MXINFER_SHARED_DIR");
    if (folder == nullptr || !fs::is_directory(fs::path(folder) / "models")) {
      GTEST_SKIP()
          << "MXINFER_SHARED_DIR is not set to a folder with models/: real model files are NOT tested";
    }
    models_ = fs::path(folder) / "models";
  }
  fs::path models_;
};

ParsedSymbol parse_file(const fs::path& path) {
  return parse_symbol(sources::read_text(*sources::open_file(path.string())));
}

TEST_F(SharedModels, EveryModelIsReadAndItsParametersBind) {
  for (const auto& entry : fs::directory_iterator(models_)) {
    if (!fs::exists(entry.path() / "model-symbol.json")) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const ModelFiles files = find_model(entry.path().string(), {});
    ParsedSymbol symbol = parse_file(files.symbol);
    std::vector<std::string> warnings;
    auto params = read_params(*sources::open_file(files.params), {}, &warnings);
    EXPECT_TRUE(warnings.empty());
    bind_params(symbol.graph, std::move(params));
    std::size_t bound = 0;
    for (const auto& node : symbol.graph.nodes) bound += node.constant != nullptr;
    EXPECT_GT(bound, 0u);
  }
}

TEST_F(SharedModels, ArraysOfEveryEraAreWhatMxnetLoads) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(models_ / "legacy/nd")) {
    if (entry.path().extension() == ".npz") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto expected = load_npz(entry.path().string() + ".npz");
    const auto arrays = read_params(*sources::open_file(entry.path().string()));
    ++files;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const std::string name = arrays[i].name.empty() ? std::to_string(i) : arrays[i].name;
      const auto same = std::find_if(expected.begin(), expected.end(),
                                     [&](const NamedArray& array) { return array.name == name; });
      ASSERT_NE(same, expected.end()) << name;
      EXPECT_EQ(arrays[i].tensor.dtype(), same->tensor.dtype()) << name;
      ASSERT_EQ(arrays[i].tensor.shape(), same->tensor.shape()) << name;
      EXPECT_EQ(std::memcmp(arrays[i].tensor.raw(), same->tensor.raw(), same->tensor.bytes()), 0) << name;
    }
    // The record also holds the parts of sparse arrays, under names with a slash.
    const auto whole = std::count_if(expected.begin(), expected.end(), [](const NamedArray& array) {
      return array.name.find('/') == std::string::npos;
    });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(arrays.size()), whole);
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace mxinfer::formats
