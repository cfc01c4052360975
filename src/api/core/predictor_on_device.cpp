// Predictor::predict_on_device: operands in GPU memory, work in the caller's stream.
#include <mxinfer/predictor.h>

#include <algorithm>

#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"
#include "base/fail.h"
#include "base/threads/call_context.h"
#include "device/device_place.h"

namespace mxinfer {
namespace {

using Devices = Span<const std::shared_ptr<device::Device>>;

/// The index of the first view's device, whose name all other views must have; 0 if it is none of them.
std::size_t device_of(Span<const TensorView> inputs, Span<const MutableTensorView> outputs, Devices devices) {
  if (inputs.empty() && outputs.empty()) return 0;
  const std::string name = to_string(inputs.empty() ? outputs[0].device() : inputs[0].device());
  const auto* const found = std::find_if(devices.begin(), devices.end(),
                                         [&](const auto& device) { return device->name() == name; });
  return found == devices.end() ? 0 : static_cast<std::size_t>(found - devices.begin());
}

bool is_one_of(const std::string& name, Devices devices) {
  return std::any_of(devices.begin(), devices.end(),
                     [&](const auto& device) { return device->name() == name; });
}

template <typename Views>
void expect_on_device(const Views& views, const std::vector<DataDesc>& descs, const char* what,
                      const std::string& device, Devices devices) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    const std::string name = i < descs.size() ? descs[i].name : std::to_string(i);
    if (views[i].raw() == nullptr && views[i].shape().elements() > 0) {
      fail(ErrorCode::invalid_argument, what, " '", printable(name),
           "' has no memory: its address is null, and on a device no tensor can be left out; give memory of ",
           device);
    }
    const std::string own = to_string(views[i].device());
    if (own == device) continue;
    if (views[i].device() == mxinfer::Device{DeviceType::cuda, kAllDevices}) {
      fail(ErrorCode::invalid_argument, what, " '", printable(name),
           "' does not say which GPU its memory is of; the predictor's devices are ",
           device::names_of(devices), "; give a view that names one");
    }
    if (is_one_of(own, devices)) {
      fail(ErrorCode::invalid_argument, what, " '", printable(name), "' is in the memory of ", own,
           ", but the first input is in that of ", device, "; give all arrays of a call in one GPU's memory");
    }
    fail(ErrorCode::invalid_argument, what, " '", printable(name), "' is in the memory of ", own,
         ", but the predictor's ", devices.size() == 1 ? "device is " : "devices are ",
         device::names_of(devices), "; give a view of ", devices.size() == 1 ? "that device" : "one of them",
         ", or call predict");
  }
}

}  // namespace

runtime::GraphExecutor& Predictor::Impl::device_executor() {
  const std::lock_guard lock(on_device_mutex);
  if (!on_device) {
    plan::PlanOptions how = planner.options();
    how.operands_on_device = true;
    on_device = std::make_unique<OnDevice>(
        *this, runtime::Planner(api::describe_model(data()), std::move(how), *data().weights));
  }
  return on_device->executor;
}

void Predictor::Impl::predict_on_device(Span<const TensorView> inputs, Span<const MutableTensorView> outputs,
                                        void* native_stream, CheckOutputs check) {
  if (!planner.options().device) {
    fail(ErrorCode::unsupported,
         "the predictor runs on the CPU (Options::device), which has no device memory; call predict_into, or "
         "set Options::device to a GPU");
  }
  const Devices devices = planner.devices();
  const std::size_t index = device_of(inputs, outputs, devices);
  const std::string device = devices[index]->name();
  expect_on_device(inputs, data().signature.inputs, "input", device, devices);
  expect_on_device(outputs, data().signature.outputs, "output", device, devices);
  CallContext context = call_context();
  context.device = static_cast<int>(index);
  const CallScope scope(context);
  api::as_call(*this, [&] {
    runtime::GraphExecutor& network_on_device = device_executor();
    if (data().takes_items || !network_on_device.is_whole()) {
      fail(ErrorCode::unsupported,
           "the model cannot run in a caller's stream, because its transforms run item by item or some of "
           "its sizes depend on values; call predict");
    }
    // From here on, only their types are checked and completed.
    std::vector<TensorView> views;
    for (const TensorView& input : inputs) views.emplace_back(input.dtype(), input.shape(), input.raw());
    Prepared prepared;
    prepare(Span<const TensorView>(views), prepared);
    if (prepared.completed.zeros) {
      fail(ErrorCode::invalid_argument, inputs.size(), " inputs were given, ", data().signature.inputs.size(),
           " are expected: on a device no input can be left out");
    }
    api::run_advised(data(), prepared.views, [&] {
      network_on_device.enqueue_in(native_stream, prepared.views, outputs, arena, check);
    });
  });
}

void Predictor::predict_on_device(const TensorViews& inputs, const MutableTensorViews& outputs,
                                  void* stream) const try {
  // Only their types are checked.
  std::vector<MutableTensorView> types;
  for (const MutableTensorView& output : outputs)
    types.emplace_back(output.dtype(), output.shape(), output.raw());
  impl_->predict_on_device(
      inputs.span(), outputs.span(), stream, [&](const std::vector<ops::TensorType>& expected) {
        api::check_outputs(impl_->data(), expected, Span<const MutableTensorView>(types));
      });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
