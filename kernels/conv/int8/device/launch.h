// The launchers of int8_conv() in int8_cuda.h, one for each kind of kernel.
#pragma once

#include "kernels/conv/int8/device/device_int8.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

Status launch_int8_gemm(const DeviceInt8Conv& c, const Stream& stream);
Status launch_int8_direct(const DeviceInt8Conv& c, const Stream& stream);
Status launch_int8_depthwise(const DeviceInt8Conv& c, const Stream& stream);
Status launch_int8_rows(const DeviceInt8Conv& c, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
