#include <mxinfer/predictor.h>

#include <iomanip>
#include <sstream>

#include "base/fail.h"

namespace mxinfer {
namespace {

std::string mebibytes(std::size_t bytes) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << static_cast<double>(bytes) / (1 << 20) << " MiB";
  return text.str();
}

std::string milliseconds(double ms) {
  std::ostringstream text;
  text << std::setprecision(3) << ms << " ms";
  return text.str();
}

}  // namespace

std::string MXINFER_ABI::to_string(const PlanInfo& plan) try {
  std::ostringstream text;
  double flops = 0, predicted_ms = 0;
  for (const StepInfo& step : plan.steps) {
    text << printable(step.node) << " (" << printable(step.op) << ") -> " << step.output << "\n    "
         << step.kernel;
    if (step.predicted_ms > 0) text << " (" << milliseconds(step.predicted_ms) << ")";
    if (!step.reason.empty()) text << ": " << step.reason;
    for (const std::string& note : step.notes) text << "; " << printable(note);
    text << '\n';
    flops += step.flops;
    if (!step.inner) predicted_ms += step.predicted_ms;
  }
  if (plan.devices.size() > 1) {
    text << "devices";
    for (const std::string& device : plan.devices) text << ' ' << device;
    text << ": each call runs on the one with the fewest calls; this is the plan for " << plan.device << '\n';
  }
  if (plan.device != "cpu") {
    text << "device " << plan.device << ", " << mebibytes(plan.device_bytes) << " a call; "
         << plan.steps_on_cpu << (plan.steps_on_cpu == 1 ? " step computes" : " steps compute")
         << " on the CPU\n";
  }
  text << "target " << plan.target << ", precision " << plan.precision << ", " << plan.threads
       << (plan.threads == 1 ? " thread" : " threads") << ", " << std::fixed << std::setprecision(3)
       << flops * 1e-9 << " GFLOP; intermediate values " << mebibytes(plan.arena_bytes) << " ("
       << mebibytes(plan.intermediate_bytes) << " without sharing memory), packed weights "
       << mebibytes(plan.packed_weight_bytes) << '\n';
  if (predicted_ms > 0) text << "predicted: " << milliseconds(predicted_ms) << " in all\n";
  return text.str();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
