// DevicePlace: a call's place on one of several devices, the one on which the process runs the fewest calls.
//
//   const DevicePlace place = DevicePlace::choose(devices);
//   run_on(devices[place.index()]);                            // the place is given back at the end
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "device/device.h"

namespace mxinfer::device {

/// "cuda:0, cuda:1 and cuda:2".
std::string names_of(Span<const std::shared_ptr<Device>> devices);

class DevicePlace {
 public:
  /// On the CPU, which counts no calls.
  DevicePlace() = default;
  /// On that of CallContext::device, if it names one. Else on the least busy device that is not lost, and the
  /// first of equal ones, whose plans are most likely there. Throws Error(device) if there is none.
  static DevicePlace choose(Span<const std::shared_ptr<Device>> devices);

  DevicePlace(DevicePlace&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), index_(other.index_) {}
  DevicePlace& operator=(DevicePlace&&) = delete;
  ~DevicePlace() {
    if (device_ != nullptr) --device_->calls();
  }

  std::size_t index() const { return index_; }

 private:
  DevicePlace(Device& device, std::size_t index) : device_(&device), index_(index) {}

  Device* device_ = nullptr;
  std::size_t index_ = 0;
};

/// The device on which something is to be planned that does not run yet, by index: that of
/// CallContext::device, else the first that is not lost, else the first.
std::size_t device_to_plan_for(Span<const std::shared_ptr<Device>> devices);

}  // namespace mxinfer::device
