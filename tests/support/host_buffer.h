// HostBuffer: memory of the process in place of a device's, for tests of what asks a device.
#pragma once

#include <cstddef>
#include <vector>

#include "device/device.h"

namespace mxinfer::test {

struct HostBuffer final : device::Buffer {
  explicit HostBuffer(std::size_t bytes) : memory(bytes) {}
  std::byte* data() const noexcept override { return const_cast<std::byte*>(memory.data()); }
  std::size_t bytes() const noexcept override { return memory.size(); }
  std::vector<std::byte> memory;
};

}  // namespace mxinfer::test
