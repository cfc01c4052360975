#include "c_predict/handle.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "c_predict/call.h"

namespace mxinfer::c_predict {
namespace {

std::string text(std::size_t number) {
  return std::to_string(number);
}

void require_elements(const std::string& what, const Tensor& tensor, std::size_t given) {
  if (static_cast<std::size_t>(tensor.elements()) == given) return;
  reject(what + " has shape " + to_string(tensor.shape()) + ", " +
         text(static_cast<std::size_t>(tensor.elements())) + " elements; size is " + text(given));
}

std::size_t bytes_of(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.elements()) * size_of(tensor.dtype());
}

}  // namespace

Handle::Handle(std::shared_ptr<const Network> network, std::map<std::string, Shape> shapes)
    : network_(std::move(network)), shapes_(std::move(shapes)) {
  std::vector<NamedShape> named;
  for (const DataDesc& input : network_->inputs()) {
    const auto shape = shapes_.find(input.name);
    if (shape == shapes_.end()) continue;  // a state that begins as zeros
    named.emplace_back(input.name, shape->second);
    inputs_.emplace(input.name, Tensor(input.dtype, shape->second));
  }
  output_descs_ = network_->predictor().output_shapes(named);
  for (const DataDesc& desc : output_descs_) has_fixed_outputs_ = has_fixed_outputs_ && !desc.shape.empty();
}

std::unique_ptr<Handle> Handle::reshaped(const std::map<std::string, Shape>& shapes) const {
  std::map<std::string, Shape> all = shapes_;
  for (const auto& [key, shape] : shapes) all[key] = shape;
  auto made = std::make_unique<Handle>(network_, std::move(all));
  for (auto& [name, tensor] : made->inputs_) {
    const auto old = inputs_.find(name);
    if (old != inputs_.end() && old->second.shape() == tensor.shape())
      std::memcpy(tensor.mutable_view().raw(), old->second.view().raw(), bytes_of(tensor));
  }
  return made;
}

void Handle::set_input(const std::string& key, const void* data, std::size_t elements) {
  const auto found = inputs_.find(key);
  if (found != inputs_.end()) {
    require_elements("the input '" + key + "'", found->second, elements);
    if (elements > 0)
      std::memcpy(found->second.mutable_view().raw(), &need(static_cast<const char*>(data), "data"),
                  bytes_of(found->second));
    return;
  }
  for (const DataDesc& input : network_->inputs()) {
    if (input.name != key) continue;
    reject("the input '" + key + "' has no shape; name it among input_keys when the predictor is created");
  }
  if (network_->is_parameter(key))
    reject("'" + key + "' is a parameter, whose value comes from the file; change it in the file");
  if (network_->has_variable(key) || shapes_.count(key) > 0) return;  // a label, which nothing reads
  std::string known;
  for (const auto& [name, tensor] : inputs_) known += (known.empty() ? "'" : ", '") + name + "'";
  reject("the network has no input '" + key + "'; its inputs are " + known);
}

std::vector<TensorView> Handle::views() const {
  std::vector<TensorView> views;
  for (const DataDesc& input : network_->inputs()) {
    const auto found = inputs_.find(input.name);
    views.push_back(found != inputs_.end() ? found->second.view() : TensorView());
  }
  return views;
}

void Handle::forward() {
  run_.reset();
  if (monitor_ != nullptr) return forward_monitored();
  if (!has_fixed_outputs_) {
    outputs_ = network_->predictor().predict(views());
  } else {
    if (outputs_.empty()) {
      for (const DataDesc& desc : output_descs_) outputs_.emplace_back(desc.dtype, desc.shape);
    }
    std::vector<MutableTensorView> to;
    for (Tensor& output : outputs_) to.push_back(output.mutable_view());
    network_->predictor().predict_into(views(), to);
  }
  has_outputs_ = true;
}

int Handle::forward_until(int step) {
  if (step < 0) reject("step is " + std::to_string(step) + "; steps are counted from 0");
  const int nodes = std::max(1, network_->nodes());
  const int last = std::min(step + 1, nodes);
  if (monitor_ != nullptr) {  // every value is reported, in one run
    if (last == nodes) forward();
    return nodes - last;
  }
  if (!run_) {
    if (step >= nodes && has_outputs_) return 0;
    run_.emplace(network_->predictor(), views());
  }
  const auto steps = static_cast<std::int64_t>(run_->steps());
  run_->run_until(static_cast<std::size_t>(steps * last / nodes));
  if (last < nodes) return nodes - last;
  outputs_ = run_->take_outputs();
  run_.reset();
  has_outputs_ = true;
  return 0;
}

const DataDesc& Handle::output_desc(std::size_t index) const {
  if (index < output_descs_.size()) return output_descs_[index];
  reject("there is no output " + text(index) + "; there are " + text(output_descs_.size()) +
         ", counted from 0");
}

void Handle::get_output(std::size_t index, void* data, std::size_t elements) const {
  const std::string name = output_desc(index).name;
  if (!has_outputs_) reject("there are no outputs yet; call MXPredForward first");
  const Tensor& output = outputs_[index];
  require_elements("the output '" + name + "'", output, elements);
  if (elements > 0)
    std::memcpy(&need(static_cast<char*>(data), "data"), output.view().raw(), bytes_of(output));
}

DType Handle::output_dtype(std::size_t index) const {
  return output_desc(index).dtype;
}

const std::vector<std::uint32_t>& Handle::output_shape(std::size_t index) {
  const DataDesc& desc = output_desc(index);
  if (!has_fixed_outputs_ && !has_outputs_)
    reject("the size of output '" + desc.name + "' depends on values; call MXPredForward first");
  const Shape& shape = has_outputs_ ? outputs_[index].shape() : desc.shape;
  shape_buffer_.assign(shape.begin(), shape.end());
  return shape_buffer_;
}

}  // namespace mxinfer::c_predict
