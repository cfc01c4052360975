// read_arrays: what a .params, .nd, .npz or .npy file holds, whatever it is for.
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

struct NamedTensor {
  std::string name;  ///< as the file has it, such as "arg:fc1_weight"; empty if it has none
  Tensor array;
};

/// The arrays of a file of MXNet (mx.nd.save, .params) or of NumPy, in its order; sparse ones as dense ones.
/// Throws Error(malformed), naming the array and the byte. Thread-safe.
[[nodiscard]] MXINFER_API std::vector<NamedTensor> read_arrays(ByteSpan file);
/// The same from a file. Throws also Error(not_found).
[[nodiscard]] MXINFER_API std::vector<NamedTensor> read_arrays_file(const std::string& path);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
