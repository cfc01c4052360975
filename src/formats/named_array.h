// NamedArray: an array and the name it has in a file.
#pragma once

#include <mxinfer/tensor.h>

#include <string>

namespace mxinfer::formats {

struct NamedArray {
  std::string name;
  Tensor tensor;
};

}  // namespace mxinfer::formats
