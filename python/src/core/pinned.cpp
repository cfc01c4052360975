// Arrays in pinned memory.
#include <mxinfer/tensor.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

/// `dtype`: the number of a DType.
nb::object empty_pinned(const std::vector<std::int64_t>& shape, int dtype, const std::string& device) {
  const Shape sizes{Span<const std::int64_t>(shape)};
  Tensor made;
  {
    const WithoutGil released;
    made = Tensor::pinned(static_cast<DType>(dtype), sizes, device);
  }
  return to_numpy(std::move(made));
}

}  // namespace

void bind_pinned(nb::module_& module) {
  module.def("empty_pinned", empty_pinned);
}

}  // namespace mxinfer::python
