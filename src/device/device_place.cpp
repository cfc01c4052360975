#include "device/device_place.h"

#include <optional>

#include "base/fail.h"
#include "base/threads/call_context.h"

namespace mxinfer::device {
namespace {

using Devices = Span<const std::shared_ptr<Device>>;

std::optional<std::size_t> device_of_call(Devices devices) {
  const int device = call_context().device;
  if (device < 0 || static_cast<std::size_t>(device) >= devices.size()) return std::nullopt;
  return static_cast<std::size_t>(device);
}

[[noreturn]] void fail_as_lost(Devices lost) {
  std::string reasons;
  for (const auto& device : lost) {
    if (device->is_lost())
      reasons += concat(reasons.empty() ? "" : "; ", device->name(), ": ", device->reason_of_loss());
  }
  fail(ErrorCode::device, names_of(lost), lost.size() == 1 ? " is lost" : " are all lost", " (", reasons,
       "); restart the process to use ", lost.size() == 1 ? "it" : "them", " again");
}

}  // namespace

std::string names_of(Devices devices) {
  std::string names;
  for (std::size_t i = 0; i < devices.size(); ++i)
    names += concat(i == 0 ? "" : i + 1 == devices.size() ? " and " : ", ", devices[i]->name());
  return names;
}

DevicePlace DevicePlace::choose(Devices devices) {
  if (const auto index = device_of_call(devices)) {
    if (devices[*index]->is_lost()) fail_as_lost({&devices[*index], 1});
    ++devices[*index]->calls();
    return {*devices[*index], *index};
  }
  for (;;) {
    std::optional<std::size_t> best;
    int fewest = 0;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const int calls = devices[i]->calls().load();
      if (devices[i]->is_lost() || (best && calls >= fewest)) continue;
      best = i;
      fewest = calls;
    }
    if (!best) fail_as_lost(devices);
    // Another call that has chosen meanwhile is counted.
    if (devices[*best]->calls().compare_exchange_strong(fewest, fewest + 1)) return {*devices[*best], *best};
  }
}

std::size_t device_to_plan_for(Devices devices) {
  if (const auto index = device_of_call(devices)) return *index;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i]->is_lost()) return i;
  }
  return 0;
}

}  // namespace mxinfer::device
