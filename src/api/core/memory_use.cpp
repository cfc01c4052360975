#include <mxinfer/memory_use.h>

#include "api/async/prometheus_text.h"
#include "base/fail.h"

namespace mxinfer {

std::string MXINFER_ABI::prometheus_text(const PredictorMemory& memory, std::string_view labels,
                                         bool with_help) try {
  constexpr std::string_view kName = "mxinfer_memory_bytes";
  api::PrometheusText text(labels, with_help);
  text.family(kName, "gauge", "Memory that the predictor holds, and its model's weights, by kind.");
  text.sample(kName, memory.weights.stored_weights, "kind=\"stored_weights\"");
  text.sample(kName, memory.weights.packed_weights, "kind=\"packed_weights\"");
  text.sample(kName, memory.plans, "kind=\"plans\"");
  text.sample(kName, memory.workspaces - memory.idle_workspaces, "kind=\"running_workspaces\"");
  text.sample(kName, memory.idle_workspaces, "kind=\"idle_workspaces\"");
  if (memory.devices.empty()) return text.take();
  constexpr std::string_view kOfDevices = "mxinfer_device_memory_bytes";
  text.family(kOfDevices, "gauge", "Memory that the predictor holds for each GPU, by kind.");
  for (const DeviceMemory& of : memory.devices) {
    const std::string device = "device=\"" + of.device + "\",";
    text.sample(kOfDevices, of.weights, device + "kind=\"weights\"");
    text.sample(kOfDevices, of.workspaces, device + "kind=\"workspaces\"");
    text.sample(kOfDevices, of.staging, device + "kind=\"staging\"");
    text.sample(kOfDevices, of.pooled, device + "kind=\"pooled\"");
  }
  return text.take();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
