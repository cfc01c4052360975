// The small graphs that MXNet saved and ran (tests/oracle/record_graphs.py).
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace mxinfer::test {

inline std::filesystem::path golden_graphs_folder() {
  return std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "graphs";
}

/// The names of all, sorted.
inline std::vector<std::string> golden_graphs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_graphs_folder())) {
    if (entry.path().extension() == ".npz") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace mxinfer::test
