#include "ops/devices.h"

#include <charconv>
#include <optional>

#include "base/fail.h"
#include "device/cuda/cuda_device.h"
#include "ops/cuda/cuda_backend.h"

namespace mxinfer::ops {
namespace {

/// The number of a GPU; nothing if the name is none of a GPU.
std::optional<int> cuda_index(std::string_view name) {
  constexpr std::string_view kName = "cuda";
  if (name.substr(0, kName.size()) != kName) return std::nullopt;
  name.remove_prefix(kName.size());
  if (name.empty()) return 0;
  if (name.front() != ':') return std::nullopt;
  name.remove_prefix(1);
  int index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  const bool is_number = error == std::errc() && end == name.data() + name.size() && index >= 0;
  return is_number ? std::optional(index) : std::nullopt;
}

}  // namespace

OpenedDevice open_device(std::string_view name) {
  if (name.empty() || name == "cpu") return {};
  const std::optional<int> index = cuda_index(name);
  if (!index) {
    fail(ErrorCode::invalid_argument, "Options::device (--device) is \"", printable(name),
         "\", which is no device; give cpu, or a GPU: cuda:0, cuda:1, ...");
  }
  const auto device = device::CudaDevice::open(*index);
  return {device, &cuda_backend(*device)};
}

}  // namespace mxinfer::ops
