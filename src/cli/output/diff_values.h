// The difference of two arrays, and the names of a reference's files.
//
//   difference({1, 2}, {1, 2.1f}).relative;         // 0.05: the largest difference / the largest magnitude
//   reference_file("a/conv0_output");               // "a%2Fconv0_output.npy"
#pragma once

#include <mxinfer/tensor.h>

#include <string>
#include <string_view>

namespace mxinfer::cli {

struct ValueDifference {
  double largest = 0;   ///< absolute; infinite if only one side is finite
  double scale = 0;     ///< the largest magnitude of the reference's finite numbers
  double relative = 0;  ///< largest / scale, or `largest` if all of the reference is 0
};

/// The shapes must be equal; dtypes may differ. Equal infinities, and NaN in the same place, differ by 0.
ValueDifference difference(const TensorView& reference, const TensorView& actual);

/// The file name of a value. Each byte other than letters, digits and "_.-~" becomes %XX, as in Python's
/// urllib.parse.quote(name, safe="").
std::string reference_file(std::string_view value_name);

}  // namespace mxinfer::cli
