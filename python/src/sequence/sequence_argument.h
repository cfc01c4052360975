// Sequences as Python gives them: ids, an array (length, features...), or arrays by name.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/named_views.h>
#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/arrays.h"

namespace mxinfer::python {

/// The bytes of an array. Precondition: they are held.
ByteSpan span_of(const HeldArray& bytes);

/// A whole number, of Python or NumPy; no array of one.
bool is_id(nanobind::handle object);
/// Error(invalid_argument), which begins with `what`: what is no whole number of 32 bits.
std::int32_t id_of(nanobind::handle id, const char* what);
/// Of whole numbers: a list or any other iterable of them, or an array of one dimension.
std::vector<std::int32_t> ids_of(nanobind::handle ids, const char* what);

/// Arrays by name, which are held.
class NamedArrays {
 public:
  NamedArrays() = default;
  /// A dict. Lists and numbers become arrays of the dtype that `descs` has for the name, `otherwise` if none
  /// has.
  NamedArrays(nanobind::handle dict, const char* what, const std::vector<DataDesc>& descs, DType otherwise);
  [[nodiscard]] std::map<std::string, TensorView> views() const;

 private:
  std::map<std::string, HeldArray> arrays_{};
};

}  // namespace mxinfer::python
