#include <mxinfer/predictor.h>

#include <algorithm>
#include <exception>

#include "api/check_inputs.h"
#include "api/guess_signature.h"
#include "api/model_data.h"
#include "api/target.h"
#include "base/fail.h"
#include "exec/plan_cache.h"

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

struct Predictor::Impl {
  Impl(std::shared_ptr<const Model> m, const Options& o)
      : model(std::move(m)),
        options(o),
        target(api::choose_target(o.target)),
        arena(o.threads),
        plans(o.max_plans, [this](const std::vector<ops::TensorType>& types) { return make_plan(types); }) {}

  std::shared_ptr<const plan::Plan> make_plan(const std::vector<ops::TensorType>& types) const {
    return in_context([&] { return api::describe_call(model->data(), types); },
                      [&] {
                        return plan::make_plan(model->data().graph, types, {target, arena.threads()},
                                               model->data().weights);
                      });
  }

  void run(exec::PlanCache::Lease& lease, Span<const TensorView> inputs, Span<Tensor> outputs) {
    Addresses<const void*> from(inputs.size());
    Addresses<void*> to(outputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) from[i] = inputs[i].raw();
    for (std::size_t i = 0; i < outputs.size(); ++i) to[i] = outputs[i].raw();
    lease->run(from.data(), to.data(), arena);
  }

  // Zero-filled inputs of the named shapes, the signature's elsewhere.
  std::vector<TensorView> shapes_only(const std::vector<NamedShape>& shapes) const {
    return api::views_of_shapes(model->data(), shapes);
  }

  std::shared_ptr<const Model> model;
  Options options;
  kernels::Target target;
  ThreadArena arena;
  exec::PlanCache plans;
};

namespace {

Options checked(const Options& options) {
  if (options.threads < 0) {
    fail(ErrorCode::invalid_argument, "Options::threads is ", options.threads,
         "; give 0 for all cores, or 1 and more");
  }
  return options;
}

}  // namespace

Predictor::Predictor(std::shared_ptr<const Model> model, const Options& options) {
  if (model == nullptr) fail(ErrorCode::invalid_argument, "Predictor was given no model (a null pointer)");
  impl_ = std::make_unique<Impl>(std::move(model), checked(options));
}

Predictor::Predictor(const std::string& uri, const Options& options, const LoadOptions& load)
    : Predictor(Model::load(uri, load), options) {}

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

std::vector<Tensor> Predictor::predict(Span<const TensorView> inputs) const {
  api::check_inputs(impl_->model->data(), inputs);
  auto lease = impl_->plans.lease(inputs);
  std::vector<Tensor> outputs;
  for (const auto& type : lease->plan().outputs)
    outputs.push_back(Tensor::uninitialized(type.dtype, type.shape));
  impl_->run(lease, inputs, Span<Tensor>(outputs));
  return outputs;
}

std::vector<Tensor> Predictor::predict(std::initializer_list<TensorView> inputs) const {
  return predict(Span<const TensorView>(inputs.begin(), inputs.size()));
}

std::map<std::string, Tensor> Predictor::predict(const std::map<std::string, TensorView>& inputs) const {
  const std::vector<TensorView> ordered = api::order_inputs(impl_->model->data(), inputs);
  auto outputs = predict(Span<const TensorView>(ordered));
  std::map<std::string, Tensor> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    named.emplace(impl_->model->signature().outputs[i].name, std::move(outputs[i]));
  }
  return named;
}

void Predictor::predict_into(Span<const TensorView> inputs, Span<Tensor> outputs) const {
  api::check_inputs(impl_->model->data(), inputs);
  auto lease = impl_->plans.lease(inputs);
  api::check_outputs(impl_->model->data(), lease->plan().outputs, outputs);
  impl_->run(lease, inputs, outputs);
}

std::vector<DataDesc> Predictor::output_shapes(const std::vector<NamedShape>& input_shapes) const {
  const auto views = impl_->shapes_only(input_shapes);
  const auto plan = impl_->plans.plan(Span<const TensorView>(views));
  std::vector<DataDesc> outputs = impl_->model->signature().outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].shape = plan->outputs[i].shape;
    outputs[i].dtype = plan->outputs[i].dtype;
  }
  return outputs;
}

void Predictor::warmup(const std::vector<NamedShape>& input_shapes) const {
  const auto views = impl_->shapes_only(input_shapes);
  std::vector<Tensor> zeros;
  std::vector<TensorView> inputs;
  for (const TensorView& view : views) {
    zeros.emplace_back(view.dtype(), view.shape());
    inputs.push_back(zeros.back().view());
  }
  (void)predict(Span<const TensorView>(inputs));
}

PlanInfo Predictor::explain(const std::vector<NamedShape>& input_shapes) const {
  const auto views = impl_->shapes_only(input_shapes);
  return impl_->plans.plan(Span<const TensorView>(views))->info;
}

void Predictor::for_each(std::size_t count, const std::function<void(std::size_t)>& body) const {
  std::vector<std::exception_ptr> errors(count);
  impl_->arena.execute([&] {
    parallel_for(static_cast<std::int64_t>(count), 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        try {
          body(i);
        } catch (...) {
          errors[i] = std::current_exception();
        }
      }
    });
  });
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

Shape Predictor::flat_shape(std::size_t index, std::size_t count, std::size_t elements) const {
  return api::shape_of_flat_array(impl_->model->data(), index, count, elements);
}

}  // namespace mxinfer
