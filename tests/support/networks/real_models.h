// Real trained models with MXNet's own outputs, if the environment variable MXINFER_SHARED_DIR names a folder
// with models/: each of them holds model-symbol.json, model-0000.params and golden*.npz ("input/<name>",
// "output/<i>").
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace mxinfer::test {

constexpr const char* kNoRealModels =
    "MXINFER_SHARED_DIR is not set to a folder with models/: real models are NOT tested";

/// The models' folders, sorted; one empty name if there are none.
inline std::vector<std::string> real_models() {
  namespace fs = std::filesystem;
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

/// The folder of one of them; empty if it is not there.
inline std::string real_model(const std::string& name) {
  const char* shared = std::getenv("MXINFER_SHARED_DIR");
  const auto folder = std::filesystem::path(shared == nullptr ? "" : shared) / "models" / name;
  return shared != nullptr && std::filesystem::exists(folder) ? folder.string() : std::string();
}

/// The recordings of a model, sorted.
inline std::vector<std::filesystem::path> recordings_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".npz") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A model as the name of a test.
inline std::string real_model_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.empty() ? "absent" : std::filesystem::path(info.param).filename().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

}  // namespace mxinfer::test
