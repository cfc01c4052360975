// The small image files and recordings of tests/golden/image.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "formats/arrays/npz.h"

namespace mxinfer::test {

inline std::filesystem::path golden_folder() {
  return std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "image";
}

inline std::vector<std::uint8_t> golden_file(const std::string& name) {
  std::ifstream file(golden_folder() / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The members of decode.npz or resize.npz.
inline std::map<std::string, Tensor> golden_arrays(const std::string& name) {
  std::map<std::string, Tensor> arrays;
  for (auto& array : formats::load_npz((golden_folder() / name).string())) {
    arrays.emplace(std::move(array.name), std::move(array.tensor));
  }
  return arrays;
}

}  // namespace mxinfer::test
