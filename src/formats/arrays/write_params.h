// Writes .params files that every MXNet 1.x loads: dense arrays with their names.
//
//   formats::write_params("digits-0000.params", {{"arg:fc1_weight", weight}, {"aux:bn_moving_mean", mean}});
#pragma once

#include <mxinfer/tensor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer::formats {

/// An array to write; the elements are not copied.
struct ArrayToWrite {
  std::string name;  ///< with its prefix: "arg:" for parameters, "aux:" for auxiliary states
  TensorView tensor;
  std::shared_ptr<const Tensor> keeper{};  ///< keeps the elements, if that is not the caller
};

/// Replaces the file atomically. Throws Error(invalid_argument) for what the format cannot store (an array
/// without dimensions or elements, duplicate names), and if the file cannot be written. An array of shape
/// (0,) is written as the array "none", as which such a file is read.
void write_params(const std::string& path, const std::vector<ArrayToWrite>& arrays);
/// The bytes of the file.
std::vector<std::byte> write_params(const std::vector<ArrayToWrite>& arrays);

}  // namespace mxinfer::formats
