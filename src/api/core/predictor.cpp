#include <mxinfer/predictor.h>

#include <algorithm>

#include "api/core/fixed_batches.h"
#include "api/core/predictor_call.h"
#include "api/core/predictor_impl.h"
#include "api/core/run_images.h"
#include "base/fail.h"
#include "base/log.h"
#include "device/memory_pool.h"
#include "model/complete_optional.h"
#include "model/fixed_batch.h"
#include "model/input_shapes.h"
#include "runtime/plan_options.h"
#include "runtime/queue/work_queue.h"
#include "tensor/data_desc.h"

namespace mxinfer {
Predictor::Impl::Impl(const Model& m, const Options& o)
    : model(m),
      options(o),
      arena(runtime::checked_threads(o)),
      planner(api::describe_model(data()), runtime::plan_options(o, arena.threads()), *data().weights),
      memory(std::make_shared<runtime::MemoryBudget>(runtime::memory_limits(o))),
      network(data().optimised.of(data(), runtime::goal_of(planner.options()))),
      executor(network->graph, memory, planner),
      item_rows(data(), network->stages ? &*network->stages : nullptr, memory, planner, batch_runner) {
  runtime::WorkQueue::check(o.async);
  const auto& inputs = data().signature.inputs;
  has_optional = !data().takes_items && std::any_of(inputs.begin(), inputs.end(),
                                                    [](const DataDesc& desc) { return desc.is_optional; });
  if (!data().takes_items) network_batch = api::fixed_batch(inputs);
  if (!data().stages) return;
  list_batch = api::fixed_batch(data().rest_inputs);
  if (!data().takes_items) {
    rest_executor = std::make_unique<runtime::GraphExecutor>(network->stages->rest, memory, planner);
  }
  if (item_rows.takes_one_list()) {
    image_batches =
        runtime::ImageBatchRunner::make(network->stages->items[0], network->stages->rest, memory, planner);
  }
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

void Predictor::Impl::prepare(Span<const TensorView> inputs, Prepared& prepared) {
  prepared.completed = complete(inputs);
  inputs = prepared.completed.views;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!api::lacks_batch(data(), i, inputs[i])) continue;
    if (prepared.batches.empty()) prepared.batches.assign(inputs.begin(), inputs.end());
    prepared.batches[i] = {inputs[i].dtype(), with_batch(inputs[i].shape()), inputs[i].raw()};
  }
  if (!prepared.batches.empty()) inputs = Span<const TensorView>(prepared.batches);
  api::check_inputs(data(), inputs);
  prepared.views = inputs;
}

namespace {

// Each input as a list of one item.
std::vector<std::vector<TensorView>> one_item_each(Span<const TensorView> inputs) {
  std::vector<std::vector<TensorView>> lists;
  for (const TensorView& input : inputs) lists.push_back({input});
  return lists;
}

}  // namespace

std::vector<Tensor> Predictor::Impl::predict(Span<const TensorView> inputs) {
  return api::as_call(*this, [&] {
    if (data().takes_items) return predict_lists(one_item_each(inputs), nullptr);
    Prepared prepared;
    prepare(inputs, prepared);
    return api::run_advised(data(), prepared.views, [&] { return executor.run(prepared.views, arena); });
  });
}

std::vector<Tensor> Predictor::Impl::predict_rows(Span<const TensorView> inputs) {
  // A sample may be given without its batch.
  const auto& descs = data().signature.inputs;
  const bool has_batch =
      !inputs.empty() && !descs.empty() && inputs[0].shape().rank() == descs[0].shape.rank();
  if (!has_batch || !api::needs_filling(network_batch, inputs)) return predict(inputs);
  return api::run_in_batches(inputs, *network_batch, data().signature.outputs,
                             [&](Span<const TensorView> whole) { return predict(whole); });
}

void Predictor::Impl::predict_into(Span<const TensorView> inputs, Span<const MutableTensorView> outputs,
                                   CheckOutputs check) {
  api::as_call(*this, [&] {
    if (data().takes_items) return predict_lists_into(one_item_each(inputs), outputs, check, nullptr);
    Prepared prepared;
    prepare(inputs, prepared);
    api::run_advised(data(), prepared.views,
                     [&] { executor.run_into(prepared.views, outputs, arena, check); });
  });
}

Predictor::Predictor(const Model& model, const Options& options) try
    : impl_(std::make_shared<Impl>(model, options)) {
  for (const std::string& warning : warnings())
    log_message(LogLevel::warning, "predictor of model '", printable(model.name()), "': ", warning);
} catch (...) {
  throw_as_error();
}

Predictor::Predictor(const std::string& uri, const Options& options, const LoadOptions& load) try
    : Predictor(Model::load(uri, load), options) {
} catch (...) {
  throw_as_error();
}

Predictor::~Predictor() = default;
Predictor::Predictor(const Predictor&) noexcept = default;
Predictor& Predictor::operator=(const Predictor&) noexcept = default;

const Model& Predictor::model() const noexcept {
  return impl_->model;
}
const Options& Predictor::options() const noexcept {
  return impl_->options;
}
const std::vector<std::string>& Predictor::warnings() const noexcept {
  return impl_->planner.options().warnings;
}

std::vector<Tensor> Predictor::predict(const TensorViews& inputs) const try {
  return impl_->predict(inputs.span());
} catch (...) {
  throw_as_error();
}

std::map<std::string, Tensor> Predictor::predict(const NamedViews<TensorView>& inputs) const try {
  auto outputs = impl_->predict(order_inputs(inputs));
  std::map<std::string, Tensor> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    named.emplace(model().signature().outputs[i].name, std::move(outputs[i]));
  }
  return named;
} catch (...) {
  throw_as_error();
}

void Predictor::predict_into(const TensorViews& inputs, const MutableTensorViews& outputs) const try {
  impl_->predict_into(inputs.span(), outputs.span(), [&](const std::vector<ops::TensorType>& expected) {
    api::check_outputs(impl_->data(), expected, outputs.span());
  });
} catch (...) {
  throw_as_error();
}

void Predictor::predict_into(const NamedViews<TensorView>& inputs,
                             const NamedViews<MutableTensorView>& outputs) const try {
  const std::vector<MutableTensorView> ordered = api::order_outputs(impl_->data(), outputs.map());
  predict_into(order_inputs(inputs), ordered);
} catch (...) {
  throw_as_error();
}

void Predictor::run_flat_into(Span<const TensorView> inputs, Span<const MutableTensorView> outputs) const
    try {
  impl_->predict_into(inputs, outputs, [&](const std::vector<ops::TensorType>& expected) {
    api::check_flat_outputs(impl_->data(), expected, outputs);
  });
} catch (...) {
  throw_as_error();
}

std::vector<TensorView> Predictor::order_inputs(const NamedViews<TensorView>& inputs) const try {
  return api::order_inputs(impl_->data(), inputs.map());
} catch (...) {
  throw_as_error();
}

std::vector<NamedShape> Predictor::input_shapes(const std::vector<NamedShape>& given) const try {
  return api::input_shapes(impl_->data(), given, impl_->usual_shapes);
} catch (...) {
  throw_as_error();
}

std::vector<DataDesc> Predictor::output_shapes(const std::vector<NamedShape>& shapes) const try {
  const auto views = api::views_of_shapes(impl_->data(), shapes, impl_->usual_shapes);
  const auto types = impl_->executor.output_types(Span<const TensorView>(views));
  const auto open = passes::heads_that_depend_on_data(impl_->data().graph);
  std::vector<DataDesc> outputs = model().signature().outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].shape = open[i] ? Shape() : types[i].shape;
    outputs[i].dtype = types[i].dtype;
  }
  return outputs;
} catch (...) {
  throw_as_error();
}

void Predictor::warmup(const std::vector<NamedShape>& shapes) const try {
  if (shapes.empty() && impl_->feed)
    return api::on_each_device(*impl_, [&] { api::warm_up_with_image(*this); });
  const auto views = api::views_of_shapes(impl_->data(), shapes, impl_->usual_shapes);
  std::vector<Tensor> zeros;
  std::vector<TensorView> inputs;
  for (const TensorView& view : views) {
    zeros.emplace_back(view.dtype(), view.shape());
    inputs.push_back(zeros.back().view());
  }
  api::on_each_device(*impl_, [&] {
    api::as_call(*impl_, [&] { (void)impl_->executor.run(Span<const TensorView>(inputs), impl_->arena); });
  });
} catch (...) {
  throw_as_error();
}

PlanInfo Predictor::explain(const std::vector<NamedShape>& shapes) const try {
  const auto views = api::views_of_shapes(impl_->data(), shapes, impl_->usual_shapes);
  PlanInfo plan = impl_->executor.info(Span<const TensorView>(views));
  for (const auto& device : impl_->planner.devices()) plan.devices.push_back(device->name());
  if (plan.devices.empty()) plan.devices.push_back(plan.device);
  return plan;
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Predictor::predict_list(const TensorViews& items, std::vector<ItemError>* errors) const
    try {
  const std::vector<TensorView> only(items.begin(), items.end());
  return impl_->predict_lists({&only, 1}, errors);
} catch (...) {
  throw_as_error();
}

std::vector<Tensor> Predictor::predict_list(Span<const std::vector<TensorView>> inputs,
                                            std::vector<ItemError>* errors) const try {
  return impl_->predict_lists(inputs, errors);
} catch (...) {
  throw_as_error();
}

void Predictor::predict_list_into(const TensorViews& items, const MutableTensorViews& outputs,
                                  std::vector<ItemError>* errors) const try {
  const std::vector<TensorView> only(items.begin(), items.end());
  predict_list_into(Span<const std::vector<TensorView>>(&only, 1), outputs, errors);
} catch (...) {
  throw_as_error();
}

void Predictor::predict_list_into(Span<const std::vector<TensorView>> inputs,
                                  const MutableTensorViews& outputs, std::vector<ItemError>* errors) const
    try {
  const auto check = [&](const std::vector<ops::TensorType>& expected) {
    api::check_outputs(impl_->data(), expected, outputs.span());
  };
  impl_->predict_lists_into(inputs, outputs.span(), check, errors);
} catch (...) {
  throw_as_error();
}

PredictorStats Predictor::stats() const try {
  PredictorStats stats;
  impl_->for_each_cache([&](auto& cache) { cache.add_to(stats); });
  stats.executor_bytes = impl_->memory->workspace_bytes();
  stats.weight_bytes = model().memory().total();
  return stats;
} catch (...) {
  throw_as_error();
}

PredictorMemory Predictor::memory() const try {
  const runtime::MemoryBudget& budget = *impl_->memory;
  PredictorMemory memory;
  memory.weights = model().memory();
  memory.plans = budget.plan_bytes();
  memory.workspaces = budget.workspace_bytes();
  memory.idle_workspaces = std::min(budget.idle_bytes(), memory.workspaces);
  for (const auto& device : impl_->planner.devices()) {
    const runtime::MemoryBudget::OnDevice& there = impl_->memory->on(device);
    memory.devices.push_back({device->name(), impl_->planner.weight_bytes_on(*device), there.workspaces,
                              there.staging, device->pool().free_bytes()});
  }
  return memory;
} catch (...) {
  throw_as_error();
}

CallMetrics Predictor::metrics() const noexcept {
  return impl_->counters->read();
}

std::string Predictor::prometheus_text(std::string_view labels, bool with_help) const try {
  return mxinfer::prometheus_text(metrics(), labels, with_help) +
         mxinfer::prometheus_text(memory(), labels, with_help);
} catch (...) {
  throw_as_error();
}

std::size_t Predictor::trim() const try {
  const std::size_t bytes = impl_->memory->trim() + impl_->data().weights->release_unused();
  log_message(LogLevel::debug, "model '", printable(model().name()), "': released ", bytes,
              " bytes of workspaces and of packed weights");
  return bytes;
} catch (...) {
  throw_as_error();
}

Shape Predictor::flat_shape(std::size_t index, std::size_t count, std::size_t elements) const try {
  return api::shape_of_flat_array(impl_->data(), index, count, elements);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
