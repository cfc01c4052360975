// Arrays in the memory of a GPU, as mxinfer/_device_arrays.py reads them of Python's objects.
#pragma once

#include <mxinfer/options.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace mxinfer::python {

/// Address, number of the DType, shape, number of the GPU: -1 if the array does not say.
using DeviceArray = std::tuple<std::uintptr_t, std::int32_t, std::vector<std::int64_t>, std::int32_t>;

/// `own` is the device of an array that does not say which it is of.
inline MutableTensorView view_of(const DeviceArray& array, Device own) {
  const auto& [address, dtype, sizes, index] = array;
  Shape shape;
  for (const std::int64_t size : sizes) shape.push_back(size);
  const Device device = index < 0 ? own : Device{DeviceType::cuda, index};
  return {static_cast<DType>(dtype), shape, reinterpret_cast<void*>(address), device};
}

}  // namespace mxinfer::python
