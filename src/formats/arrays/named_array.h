// NamedArray, NamedParameter: an array and the name it has in a file.
#pragma once

#include <mxinfer/tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "tensor/parameter.h"

namespace mxinfer::formats {

struct NamedArray {
  std::string name;
  Tensor tensor;
};

/// An array that may still be in the file.
struct NamedParameter {
  std::string name;
  std::shared_ptr<const Parameter> value;
};

std::vector<NamedParameter> as_parameters(std::vector<NamedArray> arrays);

}  // namespace mxinfer::formats
