// NumPy's .npy files: one array each.
//
//   Tensor input = load_npy("data.npy");
//   save_npy("0.npy", outputs[0]);
//
// Versions 1 to 3 are read, in either byte order and either memory order (the tensor is always row-major);
// version 1, little endian, row-major is written. bfloat16, which NumPy lacks, is the two-byte void type
// '<V2', as NumPy writes arrays of the ml_dtypes package. Arrays of strings, objects, records and complex
// numbers are Error(unsupported).
#pragma once

#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer {

/// The header in front of the elements, of any type: "<f4", "|O" (objects), "<U7" (texts).
struct NpyHeader {
  std::string type;
  bool fortran_order = false;
  Shape shape;
  std::size_t start = 0;  ///< of the elements
};

/// Throws Error(malformed) if the bytes are not a .npy or end in its header, Error(unsupported) for records.
NpyHeader read_npy_header(Span<const std::byte> bytes);

/// Reads one array; the bytes must end where the array ends. `name` stands in front of error messages. Throws
/// Error(malformed) if the bytes are not a .npy or are cut short, before it allocates memory for the array.
Tensor read_npy(Span<const std::byte> bytes, const std::string& name);
Tensor load_npy(const std::string& path);

std::vector<std::byte> write_npy(const TensorView& tensor);
void save_npy(const std::string& path, const TensorView& tensor);

}  // namespace mxinfer
