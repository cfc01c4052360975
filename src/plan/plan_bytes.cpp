#include "plan/plan_bytes.h"

#include <string>
#include <vector>

namespace mxinfer::plan {
namespace {

/// An estimate of the shapes and addresses that the function of a step captures.
constexpr std::size_t kStepBytes = 512;

template <typename T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

std::size_t bytes_of(const std::string& text) {
  return text.capacity();
}

std::size_t bytes_of(const PlannedStep& step) {
  return kStepBytes + bytes_of(step.step.kernel) + bytes_of(step.step.reason) + bytes_of(step.inputs) +
         bytes_of(step.outputs);
}

std::size_t bytes_of(const StepInfo& info) {
  std::size_t bytes = 0;
  for (const std::string* text :
       {&info.node, &info.op, &info.output, &info.kernel, &info.reason, &info.device})
    bytes += bytes_of(*text);
  bytes += bytes_of(info.rejected) + bytes_of(info.notes);
  for (const RejectedImplementation& rejected : info.rejected)
    bytes += bytes_of(rejected.name) + bytes_of(rejected.reason);
  for (const std::string& note : info.notes) bytes += bytes_of(note);
  return bytes;
}

}  // namespace

std::size_t plan_bytes(const Plan& plan) {
  std::size_t bytes = sizeof(Plan) + bytes_of(plan.origin) + bytes_of(plan.inputs) + bytes_of(plan.outputs) +
                      bytes_of(plan.steps) + bytes_of(plan.copies) + bytes_of(plan.info.steps) +
                      bytes_of(plan.costs) + bytes_of(plan.parameters) + bytes_of(plan.packed.all());
  for (const PlannedStep& step : plan.steps) bytes += bytes_of(step);
  for (const StepInfo& info : plan.info.steps) bytes += bytes_of(info);
  for (const auto& parameter : plan.parameters) {
    if (parameter.use_count() == 1) bytes += parameter->bytes();
  }
  for (const auto& subplan : plan.subplans) bytes += plan_bytes(*subplan);
  return bytes;
}

}  // namespace mxinfer::plan
