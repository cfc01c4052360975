#include "plan/transfers.h"

#include <algorithm>

namespace mxinfer::plan {
namespace {

bool is_whole(const Location& location, Location::Kind kind) {
  return location.kind == kind && location.offset == 0;
}

bool is_upload(const PlannedStep& step) {
  return step.copy == DeviceCopy::to_device && is_whole(step.inputs[0], Location::Kind::input) &&
         step.outputs[0].kind == Location::Kind::device;
}

bool is_download(const PlannedStep& step) {
  return step.copy == DeviceCopy::to_host && is_whole(step.outputs[0], Location::Kind::output) &&
         step.inputs[0].kind == Location::Kind::device;
}

// How often steps and copies of outputs name an operand of the network.
std::ptrdiff_t uses(const Plan& plan, Location::Kind kind, std::int32_t index) {
  const auto is_it = [&](const Location& one) { return one.kind == kind && one.index == index; };
  std::ptrdiff_t count = 0;
  for (const PlannedStep& step : plan.steps) {
    count += std::count_if(step.inputs.begin(), step.inputs.end(), is_it) +
             std::count_if(step.outputs.begin(), step.outputs.end(), is_it);
  }
  return count + std::count_if(plan.copies.begin(), plan.copies.end(),
                               [&](const OutputCopy& copy) { return is_it(copy.from); });
}

Transfer transfer_of(const Plan& plan, const Location& operand, const Location& on_device) {
  const auto index = static_cast<std::size_t>(operand.index);
  const auto& types = operand.kind == Location::Kind::input ? plan.inputs : plan.outputs;
  return {index, on_device.offset, ops::bytes_of(types[index]), uses(plan, operand.kind, operand.index) == 1};
}

}  // namespace

Transfers transfers_of(const Plan& plan) {
  Transfers all;
  const auto& steps = plan.steps;
  all.last = steps.size();
  while (all.first < steps.size() && is_upload(steps[all.first])) ++all.first;
  while (all.last > all.first && is_download(steps[all.last - 1])) --all.last;
  if (all.first == all.last) return {{}, {}, 0, steps.size()};
  for (std::size_t i = 0; i < all.first; ++i)
    all.uploads.push_back(transfer_of(plan, steps[i].inputs[0], steps[i].outputs[0]));
  for (std::size_t i = all.last; i < steps.size(); ++i)
    all.downloads.push_back(transfer_of(plan, steps[i].outputs[0], steps[i].inputs[0]));
  return all;
}

}  // namespace mxinfer::plan
