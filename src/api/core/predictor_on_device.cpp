// Predictor::predict_on_device: operands in GPU memory, work in the caller's stream.
#include <mxinfer/predictor.h>

#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"
#include "base/fail.h"

namespace mxinfer {
namespace {

template <typename Views>
void expect_on_device(const Views& views, const std::vector<DataDesc>& descs, const char* what,
                      const std::string& device) {
  for (std::size_t i = 0; i < views.size(); ++i) {
    const std::string name = i < descs.size() ? descs[i].name : std::to_string(i);
    if (views[i].raw() == nullptr && views[i].shape().elements() > 0) {
      fail(ErrorCode::invalid_argument, what, " '", printable(name),
           "' has no memory: its address is null, and on a device no tensor can be left out; give memory of ",
           device);
    }
    if (to_string(views[i].device()) == device) continue;
    fail(ErrorCode::invalid_argument, what, " '", printable(name), "' is in the memory of ",
         to_string(views[i].device()), ", but the predictor's device is ", device,
         "; give a view of that device, or call predict");
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
  const std::string device = planner.options().device->name();
  expect_on_device(inputs, data().signature.inputs, "input", device);
  expect_on_device(outputs, data().signature.outputs, "output", device);
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
