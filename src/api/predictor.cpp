#include <mxinfer/predictor.h>

#include <algorithm>
#include <exception>

#include "api/complete_optional.h"
#include "api/input_shapes.h"
#include "api/plan_options.h"
#include "api/predictor_impl.h"
#include "base/fail.h"
#include "tensor/data_desc.h"

namespace mxinfer {
namespace {

// Operand addresses of one call; networks with more inputs or outputs than fit here are rare, and pay an
// allocation.
template <typename T>
class Addresses {
 public:
  explicit Addresses(std::size_t count) {
    if (count > kInPlace) heap_.resize(count);
  }
  T* data() { return heap_.empty() ? local_ : heap_.data(); }
  T& operator[](std::size_t i) { return data()[i]; }

 private:
  static constexpr std::size_t kInPlace = 16;
  T local_[kInPlace] = {};
  std::vector<T> heap_;
};

}  // namespace

Predictor::Impl::Impl(std::shared_ptr<const Model> m, const Options& o)
    : model(std::move(m)),
      options(o),
      arena(api::checked_threads(o)),
      how(api::plan_options(o, arena.threads())),
      network(data().graph, how.precision),
      plans(network.graph(), o.max_plans, maker()) {
  const auto& inputs = data().signature.inputs;
  has_optional = !data().takes_items && std::any_of(inputs.begin(), inputs.end(),
                                                    [](const DataDesc& desc) { return desc.is_optional; });
  if (!data().stages) return;
  if (!data().takes_items) {
    rest.emplace(data().stages->rest, how.precision);
    rest_plans = std::make_unique<exec::GraphPlans>(rest->graph(), o.max_plans, maker());
  }
  for (const passes::ItemStage& stage : data().stages->items) {
    auto make = [this, &stage](const std::vector<ops::TensorType>& types) {
      return make_plan(stage.graph, types);
    };
    items.push_back(std::make_unique<exec::ItemRunner>(stage, o.max_plans, std::move(make)));
  }
  for (const DataDesc& input : data().rest_inputs) rest_inputs.push_back(source_of(input.name));
}

Predictor::Impl::RestInput Predictor::Impl::source_of(const std::string& rest_input) const {
  std::string name = rest_input;
  exec::ItemRunner* transforms = nullptr;
  const auto& stages = data().stages->items;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (stages[s].rest_input != rest_input) continue;
    name = stages[s].input;
    transforms = items[s].get();
  }
  const auto& inputs = data().signature.inputs;
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const DataDesc& desc) { return desc.name == name; });
  return {static_cast<std::size_t>(found - inputs.begin()), transforms};
}

exec::MakeGraphPlan Predictor::Impl::maker() const {
  return [this](const graph::Graph& graph, const std::vector<ops::TensorType>& types) {
    return make_plan(graph, types);
  };
}

std::shared_ptr<const plan::Plan> Predictor::Impl::make_plan(
    const graph::Graph& graph, const std::vector<ops::TensorType>& types) const {
  std::string origin = api::describe_call(data(), graph, types);
  return in_context([&] { return origin; },
                    [&] { return plan::make_plan(graph, types, how, data().weights, origin); });
}

Predictor::Impl::Completed Predictor::Impl::complete(Span<const TensorView> inputs) {
  const auto& descs = data().signature.inputs;
  if (!has_optional) return {inputs, {}, nullptr};
  const bool fewer = api::may_leave_out(data(), inputs.size());
  if (!fewer &&
      (inputs.size() != descs.size() || std::none_of(inputs.begin(), inputs.end(), api::is_left_out)))
    return {inputs, {}, nullptr};
  Completed completed;
  std::vector<ops::TensorType> given;
  std::size_t next = 0;
  for (const DataDesc& desc : descs) {
    const bool left_out = fewer ? desc.is_optional : desc.is_optional && api::is_left_out(inputs[next]);
    completed.all.push_back(left_out ? TensorView() : inputs[next]);
    if (!left_out || !fewer) ++next;
    given.push_back({completed.all.back().dtype(), completed.all.back().shape()});
  }
  completed.zeros = zeros.of(given, [&] { return make_zeros(completed.all); });
  for (std::size_t i = 0; i < descs.size(); ++i) {
    if (descs[i].is_optional && api::is_left_out(completed.all[i]))
      completed.all[i] = (*completed.zeros)[i].view();
  }
  completed.views = Span<const TensorView>(completed.all);
  return completed;
}

std::vector<Tensor> Predictor::Impl::make_zeros(const std::vector<TensorView>& inputs) const {
  const auto& descs = data().signature.inputs;
  std::vector<ops::PartialShape> shapes;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    const bool left_out = descs[i].is_optional && api::is_left_out(inputs[i]);
    shapes.push_back(left_out ? ops::PartialShape() : ops::PartialShape(inputs[i].shape()));
  }
  const std::vector<ops::PartialShape> known = shapes;
  api::complete_optional(data(), shapes);
  std::vector<Tensor> made(descs.size());
  for (std::size_t i = 0; i < descs.size(); ++i) {
    if (!known[i]) made[i] = Tensor(descs[i].dtype, *shapes[i]);
  }
  return made;
}

std::shared_ptr<const std::vector<Tensor>> ZeroInputs::of(const std::vector<ops::TensorType>& given,
                                                          const std::function<std::vector<Tensor>()>& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.given == given; });
  if (found != entries_.end()) return found->zeros;
  if (entries_.size() >= kMost) entries_.pop_front();
  entries_.push_back({given, std::make_shared<const std::vector<Tensor>>(make())});
  return entries_.back().zeros;
}

void Predictor::Impl::run(exec::PlanCache::Lease& lease, Span<const TensorView> inputs,
                          Span<Tensor> outputs) {
  Addresses<const void*> from(inputs.size());
  Addresses<void*> to(outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) from[i] = inputs[i].raw();
  for (std::size_t i = 0; i < outputs.size(); ++i) to[i] = outputs[i].raw();
  lease->run(from.data(), to.data(), arena);
}

Predictor::Predictor(std::shared_ptr<const Model> model, const Options& options) try {
  if (model == nullptr) fail(ErrorCode::invalid_argument, "Predictor was given no model (a null pointer)");
  impl_ = std::make_unique<Impl>(std::move(model), options);
} catch (...) {
  throw_as_error();
}

Predictor::Predictor(const std::string& uri, const Options& options, const LoadOptions& load) try
    : Predictor(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

const Model& Predictor::model() const noexcept {
  return *impl_->model;
}
std::shared_ptr<const Model> Predictor::shared_model() const noexcept {
  return impl_->model;
}
const Options& Predictor::options() const noexcept {
  return impl_->options;
}
const std::vector<std::string>& Predictor::warnings() const noexcept {
  return impl_->how.warnings;
}

std::vector<Tensor> Predictor::predict(Span<const TensorView> inputs) const try {
  const api::ModelData& model = impl_->data();
  if (model.takes_items) {
    std::vector<std::vector<TensorView>> lists;
    for (const TensorView& input : inputs) lists.push_back({input});
    return impl_->predict_lists(Span<const std::vector<TensorView>>(lists), nullptr);
  }
  const Impl::Completed completed = impl_->complete(inputs);
  inputs = completed.views;
  std::vector<TensorView> batches;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!api::lacks_batch(model, i, inputs[i])) continue;
    if (batches.empty()) batches.assign(inputs.begin(), inputs.end());
    batches[i] = {inputs[i].dtype(), with_batch(inputs[i].shape()), inputs[i].raw()};
  }
  if (!batches.empty()) inputs = Span<const TensorView>(batches);
  api::check_inputs(model, inputs);
  return impl_->plans.run(inputs, impl_->arena);
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Predictor::predict(std::initializer_list<TensorView> inputs) const try {
  return predict(Span<const TensorView>(inputs.begin(), inputs.size()));
} catch (...) {
  throw_as_error();
}

std::map<std::string, Tensor> Predictor::predict(const std::map<std::string, TensorView>& inputs) const try {
  const std::vector<TensorView> ordered = order_inputs(inputs);
  auto outputs = predict(Span<const TensorView>(ordered));
  std::map<std::string, Tensor> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    named.emplace(impl_->model->signature().outputs[i].name, std::move(outputs[i]));
  }
  return named;
} catch (...) {
  throw_as_error();
}

std::vector<TensorView> Predictor::order_inputs(const std::map<std::string, TensorView>& inputs) const try {
  return api::order_inputs(impl_->model->data(), inputs);
} catch (...) {
  throw_as_error();
}

void Predictor::predict_into(Span<const TensorView> inputs, Span<Tensor> outputs) const try {
  if (impl_->data().takes_items || !impl_->plans.is_whole()) {
    std::vector<Tensor> made = predict(inputs);
    std::vector<ops::TensorType> types;
    for (const Tensor& tensor : made) types.push_back({tensor.dtype(), tensor.shape()});
    api::check_outputs(impl_->data(), types, outputs);
    for (std::size_t i = 0; i < made.size(); ++i) outputs[i] = std::move(made[i]);
    return;
  }
  const Impl::Completed completed = impl_->complete(inputs);
  inputs = completed.views;
  api::check_inputs(impl_->model->data(), inputs);
  auto lease = impl_->plans.first().lease(inputs);
  api::check_outputs(impl_->model->data(), lease->plan().outputs, outputs);
  impl_->run(lease, inputs, outputs);
} catch (...) {
  throw_as_error();
}

std::vector<NamedShape> Predictor::input_shapes(const std::vector<NamedShape>& given) const {
  return api::input_shapes(impl_->data(), given, impl_->usual_shapes);
}

void Predictor::assume_shapes(std::vector<NamedShape> shapes) {
  impl_->usual_shapes = std::move(shapes);
}

std::vector<DataDesc> Predictor::output_shapes(const std::vector<NamedShape>& shapes) const try {
  const auto views = api::views_of_shapes(impl_->data(), shapes, impl_->usual_shapes);
  const auto types = impl_->plans.output_types(Span<const TensorView>(views));
  const auto open = passes::heads_that_depend_on_data(impl_->data().graph);
  std::vector<DataDesc> outputs = impl_->model->signature().outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].shape = open[i] ? Shape() : types[i].shape;
    outputs[i].dtype = types[i].dtype;
  }
  return outputs;
} catch (...) {
  throw_as_error();
}

void Predictor::warmup(const std::vector<NamedShape>& shapes) const try {
  const auto views = api::views_of_shapes(impl_->data(), shapes, impl_->usual_shapes);
  std::vector<Tensor> zeros;
  std::vector<TensorView> inputs;
  for (const TensorView& view : views) {
    zeros.emplace_back(view.dtype(), view.shape());
    inputs.push_back(zeros.back().view());
  }
  (void)impl_->plans.run(Span<const TensorView>(inputs), impl_->arena);
} catch (...) {
  throw_as_error();
}

PlanInfo Predictor::explain(const std::vector<NamedShape>& shapes) const try {
  const auto views = api::views_of_shapes(impl_->data(), shapes, impl_->usual_shapes);
  return impl_->plans.info(Span<const TensorView>(views));
} catch (...) {
  throw_as_error();
}

std::vector<std::exception_ptr> Predictor::Impl::try_each(std::size_t count,
                                                          const std::function<void(std::size_t)>& body) {
  std::vector<std::exception_ptr> errors(count);
  const auto attempt = [&](std::size_t i) {
    try {
      isolate([&] { body(i); });
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  arena.execute([&] {
    parallel_for(static_cast<std::int64_t>(count), 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) attempt(static_cast<std::size_t>(i));
    });
  });
  return errors;
}

void Predictor::for_each(std::size_t count, const std::function<void(std::size_t)>& body,
                         std::vector<ItemError>* errors) const {
  const auto thrown = impl_->try_each(count, body);
  for (std::size_t i = 0; i < count; ++i) {
    if (!thrown[i]) continue;
    if (errors == nullptr) std::rethrow_exception(thrown[i]);
    errors->push_back({i, as_error(thrown[i])});
  }
}

std::vector<Tensor> Predictor::predict_list(Span<const TensorView> items) const try {
  const std::vector<TensorView> only(items.begin(), items.end());
  return impl_->predict_lists(Span<const std::vector<TensorView>>(&only, 1), nullptr);
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Predictor::predict_list(std::initializer_list<TensorView> items) const try {
  return predict_list(Span<const TensorView>(items.begin(), items.size()));
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Predictor::predict_lists(Span<const std::vector<TensorView>> inputs,
                                             std::vector<ItemError>* errors) const try {
  return impl_->predict_lists(inputs, errors);
} catch (...) {
  throw_as_error();
}

Shape Predictor::flat_shape(std::size_t index, std::size_t count, std::size_t elements) const try {
  return api::shape_of_flat_array(impl_->model->data(), index, count, elements);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
