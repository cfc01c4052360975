// Devices by name, each with the backend that knows its kernels.
//
//   const ops::OpenedDevice opened = ops::open_device("cuda:0");
//   plan_options.device = opened.device;
//   plan_options.backend = opened.backend;
#pragma once

#include <memory>
#include <string_view>

#include "device/device.h"
#include "ops/backend.h"

namespace mxinfer::ops {

struct OpenedDevice {
  std::shared_ptr<device::Device> device = nullptr;  ///< null: the CPU
  const Backend* backend = nullptr;                  ///< likewise
};

/// By the names of tensor/names.h: "cpu" or empty, "cuda" (the first GPU), "cuda:1". Throws
/// Error(invalid_argument) for another name, Error(device) if there is no such device. Thread-safe.
OpenedDevice open_device(std::string_view name);

}  // namespace mxinfer::ops
