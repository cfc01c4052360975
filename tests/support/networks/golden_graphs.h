// The small graphs that MXNet saved and ran (tests/oracle/record_graphs.py), those that it runs on GPUs alone
// (record_gpu_graphs.py), and those with 8-bit arithmetic (record_quantized_graphs.py).
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace mxinfer::test {

inline std::filesystem::path golden_graphs_folder() {
  return std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "graphs";
}
inline std::filesystem::path gpu_graphs_folder() {
  return std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "gpu_graphs";
}
inline std::filesystem::path quantized_graphs_folder() {
  return std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "quantized_graphs";
}

/// The names of all in a folder, sorted.
inline std::vector<std::string> graphs_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".npz") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}
inline std::vector<std::string> golden_graphs() {
  return graphs_in(golden_graphs_folder());
}
inline std::vector<std::string> gpu_graphs() {
  return graphs_in(gpu_graphs_folder());
}

}  // namespace mxinfer::test
