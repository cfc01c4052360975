// DeviceImageChain: the arguments of the kernel of images (kernels/image_chain/image_chain_cuda.h), with
// their tables in the device's memory.
//
//   DeviceImageChain chain(dtype, plan.args());
//   chain.args().images = 8;
//   chain.convert(first, steps);
//   step.run = chain.run_on(device);
#pragma once

#include <mxinfer/tensor.h>

#include <functional>
#include <memory>
#include <vector>

#include "kernels/image_chain/image_chain.h"
#include "kernels/image_chain/image_chain_cuda.h"
#include "ops/cuda/device_tables.h"
#include "ops/step.h"

namespace mxinfer::ops {

class DeviceImageChain {
 public:
  /// Of uint8 or float32 images. `resize` borrows its tables until run_on() has returned.
  DeviceImageChain(DType dtype, const kernels::ResizeArgs& resize);
  /// Pixels of the window as they are, `channels` each; nothing is set but what shape and form say.
  DeviceImageChain(DType dtype, std::int64_t height, std::int64_t width, std::int64_t channels);

  kernels::cuda::ImageChainArgs& args() { return args_; }
  /// The steps after `first`, each with a number for each of args().channels channels.
  void convert(kernels::ChainFirst first, const std::vector<kernels::ChainStep>& steps);
  std::function<void(const RunContext&)> run_on(const device::CudaDevice& device);
  /// For a step whose input is packed images (kernels/image_chain/image_batch_cuda.h).
  std::function<void(const RunContext&)> run_packed_on(const device::CudaDevice& device);

 private:
  /// A table that args_ will point at.
  using SetPointer = std::function<void(kernels::cuda::ImageChainArgs&, const device::Buffer&)>;
  template <typename T, typename Set>
  void add(const T* values, std::int64_t count, Set set);
  void add_taps();
  void add_shares();
  /// Copies the tables, and points args_ at them.
  std::shared_ptr<const device::Buffer> place_tables(const device::CudaDevice& device);

  DType dtype_;
  kernels::cuda::ImageChainArgs args_{};
  DeviceTables tables_;
  std::vector<SetPointer> pointers_;
};

}  // namespace mxinfer::ops
