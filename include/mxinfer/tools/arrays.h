// read_arrays: the arrays in a .params, .nd, .npz or .npy file.
//
//   for (const auto& [name, array] : mxinfer::read_arrays_file("mean.nd"))
//     std::cout << name << ' ' << to_string(array.shape()) << '\n';
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/tensor.h>

#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// An array and its name.
struct NamedTensor {
  std::string name;  ///< the name in the file, such as "arg:fc1_weight"; empty if it has none
  Tensor array;
};

/// Returns the arrays of a file of MXNet (mx.nd.save, .params) or of NumPy, in its order. Sparse arrays
/// become dense. Throws Error(malformed), which names the array and the byte. Thread-safe.
[[nodiscard]] MXINFER_API std::vector<NamedTensor> read_arrays(ByteSpan file);
/// As above, from a path. Also throws Error(not_found).
[[nodiscard]] MXINFER_API std::vector<NamedTensor> read_arrays_file(const std::string& path);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
