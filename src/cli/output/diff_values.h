// How far two arrays are apart, and how the files of a reference are named.
//
//   difference({1, 2}, {1, 2.1f}).relative;         // 0.05: the largest difference over the largest
//   magnitude reference_file("a/conv0_output");               // "a%2Fconv0_output.npy"
#pragma once

#include <mxinfer/tensor.h>

#include <string>
#include <string_view>

namespace mxinfer::cli {

struct ValueDifference {
  double largest = 0;   ///< absolute; infinite if one has a number and the other has none
  double scale = 0;     ///< the largest magnitude of the finite numbers of the reference
  double relative = 0;  ///< largest / scale, or `largest` if all of the reference is 0
};

/// The shapes must be equal; dtypes may differ. Equal infinities, and NaN in the same place, differ by 0.
ValueDifference difference(const TensorView& reference, const TensorView& actual);

/// The name of a value as a file: what is not a letter, a digit or one of "_.-~" becomes %XX, byte for byte,
/// as Python's urllib.parse.quote(name, safe="") does it.
std::string reference_file(std::string_view value_name);

}  // namespace mxinfer::cli
