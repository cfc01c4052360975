#include "formats/arrays/densify.h"

#include <cstring>
#include <optional>

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer::formats {
namespace {

template <typename T>
std::vector<std::int64_t> widened(const Tensor& tensor) {
  const Span<const T> elements = tensor.span<T>();
  return std::vector<std::int64_t>(elements.begin(), elements.end());
}

Tensor zeros(DType dtype, const Shape& shape, std::int64_t& unpacked_left) {
  std::optional<std::int64_t> bytes = static_cast<std::int64_t>(size_of(dtype));
  for (std::int64_t dim : shape) {
    if (bytes) bytes = checked_mul(*bytes, dim);
  }
  if (!bytes || *bytes > unpacked_left) {
    fail(ErrorCode::malformed, "the sparse array unpacks to ", to_string(dtype), " ", to_string(shape), ", ",
         bytes ? concat(*bytes, " bytes") : std::string("more than 2^63 - 1 bytes"),
         "; the sparse arrays of a file of this size may unpack to ", unpacked_left,
         " bytes more. Save the array as a dense one (tostype('default')) if it is meant to be that large");
  }
  unpacked_left -= *bytes;
  return Tensor(dtype, shape);
}

}  // namespace

std::vector<std::int64_t> as_indices(const Tensor& tensor) {
  if (tensor.shape().rank() != 1) {
    fail(ErrorCode::malformed, "indices of shape ", to_string(tensor.shape()), "; expected one dimension");
  }
  switch (tensor.dtype()) {
    case DType::int64:
      return widened<std::int64_t>(tensor);
    case DType::int32:
      return widened<std::int32_t>(tensor);
    case DType::uint8:
      return widened<std::uint8_t>(tensor);
    case DType::int8:
      return widened<std::int8_t>(tensor);
    default:
      fail(ErrorCode::malformed, "indices of type ", to_string(tensor.dtype()), "; expected int64 or int32");
  }
}

Tensor densify_rows(const Tensor& values, const std::vector<std::int64_t>& rows, const Shape& shape,
                    std::int64_t& unpacked_left) {
  const Shape& stored = values.shape();
  bool fits = stored.rank() == shape.rank() && shape.rank() > 0 &&
              stored[0] == static_cast<std::int64_t>(rows.size());
  for (std::size_t i = 1; fits && i < shape.rank(); ++i) fits = stored[i] == shape[i];
  // An array that was never written to is saved without values.
  const bool empty = rows.empty() && values.elements() == 0;
  if (!fits && !empty) {
    fail(ErrorCode::malformed, "a row-sparse array of shape ", to_string(shape), " with ", rows.size(),
         " rows holds values of shape ", to_string(stored),
         "; expected the same number of rows, and the same other dimensions");
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] < 0 || rows[k] >= shape[0] || (k > 0 && rows[k] <= rows[k - 1])) {
      fail(ErrorCode::malformed, "row index ", k, " is ", rows[k], "; expected ascending indices from 0 to ",
           shape[0] - 1);
    }
  }
  Tensor dense = zeros(values.dtype(), shape, unpacked_left);
  if (empty || rows.empty()) return dense;
  const std::size_t row_bytes = values.bytes() / rows.size();
  const auto* src = static_cast<const std::byte*>(values.raw());
  auto* dst = static_cast<std::byte*>(dense.raw());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::memcpy(dst + static_cast<std::size_t>(rows[k]) * row_bytes, src + k * row_bytes, row_bytes);
  }
  return dense;
}

Tensor densify_csr(const Tensor& values, const std::vector<std::int64_t>& starts,
                   const std::vector<std::int64_t>& columns, const Shape& shape,
                   std::int64_t& unpacked_left) {
  if (shape.rank() != 2) {
    fail(ErrorCode::malformed, "a CSR array of shape ", to_string(shape), "; expected two dimensions");
  }
  const auto count = static_cast<std::int64_t>(columns.size());
  // An array that was never written to is saved without indices.
  if (starts.empty() && count == 0 && values.elements() == 0)
    return zeros(values.dtype(), shape, unpacked_left);
  if (values.shape().rank() != 1 || values.elements() != count) {
    fail(ErrorCode::malformed, "a CSR array with ", count, " column indices holds values of shape ",
         to_string(values.shape()), "; expected (", count, ",)");
  }
  if (static_cast<std::int64_t>(starts.size()) - 1 != shape[0] || starts.front() != 0 ||
      starts.back() != count) {
    fail(ErrorCode::malformed, "the index pointer of a CSR array of shape ", to_string(shape), " has ",
         starts.size(), " entries",
         starts.empty() ? "" : concat(" from ", starts.front(), " to ", starts.back()), "; expected ",
         shape[0], " + 1 entries from 0 to ", count);
  }
  for (std::size_t r = 1; r < starts.size(); ++r) {
    if (starts[r] < starts[r - 1])
      fail(ErrorCode::malformed, "the index pointer of a CSR array descends at row ", r);
  }
  for (std::int64_t column : columns) {
    if (column < 0 || column >= shape[1]) {
      fail(ErrorCode::malformed, "column index ", column, " of a CSR array of shape ", to_string(shape));
    }
  }
  Tensor dense = zeros(values.dtype(), shape, unpacked_left);
  const std::size_t size = size_of(values.dtype());
  const auto* src = static_cast<const std::byte*>(values.raw());
  auto* dst = static_cast<std::byte*>(dense.raw());
  for (std::int64_t r = 0; r < shape[0]; ++r) {
    for (std::int64_t k = starts[static_cast<std::size_t>(r)]; k < starts[static_cast<std::size_t>(r) + 1];
         ++k) {
      const std::int64_t at = r * shape[1] + columns[static_cast<std::size_t>(k)];
      std::memcpy(dst + static_cast<std::size_t>(at) * size, src + static_cast<std::size_t>(k) * size, size);
    }
  }
  return dense;
}

}  // namespace mxinfer::formats
