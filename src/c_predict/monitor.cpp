// A forward pass that reports every inner value.
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#include "c_predict/call.h"
#include "c_predict/handle.h"

using namespace mxinfer;
using namespace mxinfer::c_predict;

Array::Array(Tensor of) : tensor(std::move(of)) {
  for (const std::int64_t size : tensor.shape()) shape.push_back(static_cast<int>(size));
}

void Handle::set_monitor(PredMonitorCallback callback, void* user, bool all) {
  monitor_ = callback;
  monitor_user_ = user;
  monitors_all_ = all;
}

void Handle::tell(const std::string& name, const TensorView& value) {
  monitored_.push_back(std::make_unique<Array>(Tensor::copy_of(value)));
  monitor_(name.c_str(), monitored_.back().get(), monitor_user_);
}

namespace {

/// As MXNet calls it: without the index of values of one name.
std::string mxnet_name(const NodeInfo& node, const std::string& output) {
  return output.substr(0, output.find('#', node.name.size()));
}

}  // namespace

void Handle::forward_monitored() {
  monitored_.clear();
  const Network::Monitored& network = network_->monitored();
  std::map<std::string, TensorView> given;
  for (const auto& [name, tensor] : inputs_) given.emplace(name, tensor.view());
  std::vector<Tensor> results = network.predictor->predict(network.predictor->order_inputs(given));
  std::map<std::string, Tensor> values;
  const std::size_t inner = network.names.size();
  for (std::size_t i = 0; i < inner; ++i) values.emplace(network.names[i], std::move(results[i]));
  const auto value_of = [&](const std::string& name) -> TensorView {
    if (const auto found = values.find(name); found != values.end()) return found->second.view();
    if (const auto found = given.find(name); found != given.end()) return found->second;
    const auto found = network.parameters.find(name);
    return found != network.parameters.end() ? found->second.view() : TensorView();
  };
  for (const NodeInfo& node : network.nodes) {
    for (std::size_t i = 0; monitors_all_ && i < node.inputs.size(); ++i) {
      const NodeInput& input = node.inputs[i];
      const TensorView value = value_of(input.value);
      if (value.raw() == nullptr) continue;  // a label, or a state that is zeros
      if (values.count(input.value) == 0) tell(input.value, value);
      tell(node.name + "_" + (input.port.empty() ? "input" + std::to_string(i) : input.port), value);
    }
    for (const std::string& output : node.outputs) tell(mxnet_name(node, output), value_of(output));
  }
  outputs_.assign(std::make_move_iterator(results.begin() + static_cast<std::ptrdiff_t>(inner)),
                  std::make_move_iterator(results.end()));
  has_outputs_ = true;
}

int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback, void* callback_handle,
                             bool monitor_all) {
  return call([&] { handle_of<Handle>(handle).set_monitor(callback, callback_handle, monitor_all); });
}

int MXNDArrayGetShapeEx(NDArrayHandle handle, int* out_dim, const int** out_pdata) {
  return call([&] {
    const Array& array = handle_of<Array>(handle);
    need(out_dim, "out_dim") = static_cast<int>(array.shape.size());
    need(out_pdata, "out_pdata") = array.shape.data();
  });
}

int MXNDArrayGetDType(NDArrayHandle handle, int* out_dtype) {
  return call([&] {
    const Array& array = handle_of<Array>(handle);
    need(out_dtype, "out_dtype") = static_cast<int>(array.tensor.dtype());
  });
}

int MXNDArraySyncCopyToCPU(NDArrayHandle handle, void* data, size_t size) {
  return call([&] {
    const Tensor& tensor = handle_of<Array>(handle).tensor;
    if (static_cast<std::size_t>(tensor.elements()) != size) {
      reject("the array has shape " + to_string(tensor.shape()) + ", " + std::to_string(tensor.elements()) +
             " elements; size is " + std::to_string(size));
    }
    if (size > 0)
      std::memcpy(&need(static_cast<char*>(data), "data"), tensor.view().raw(),
                  size * size_of(tensor.dtype()));
  });
}

int MXNDArrayGetContext(NDArrayHandle handle, int* out_dev_type, int* out_dev_id) {
  return call([&] {
    (void)handle_of<Array>(handle);
    need(out_dev_type, "out_dev_type") = 1;
    need(out_dev_id, "out_dev_id") = 0;
  });
}

int MXNDArrayWaitToRead(NDArrayHandle handle) {
  return call([&] { (void)handle_of<Array>(handle); });
}

// The next forward pass releases them.
int MXNDArrayFree(NDArrayHandle /*handle*/) {
  return 0;
}
