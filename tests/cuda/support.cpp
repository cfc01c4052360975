#include "cuda/support.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "kernels/elementwise/cast.h"
#include "kernels/speed/cpu_rates.h"
#include "ops/backend.h"
#include "ops/cuda/cuda_backend.h"
#include "ops/elementwise/elementwise.h"
#include "ops/registry.h"
#include "runtime/executor.h"
#include "support/recorded_cases.h"

namespace mxinfer::test {
namespace {

constexpr const char* kNode = "test";

std::vector<ops::TensorType> types_of(const std::vector<const Tensor*>& tensors) {
  std::vector<ops::TensorType> types;
  for (const Tensor* tensor : tensors) types.push_back({tensor->dtype(), tensor->shape()});
  return types;
}

plan::PlanOptions reference_options() {
  plan::PlanOptions options{kernels::Target::ref, 1};
  options.rates = &kernels::default_rates(options.target);
  options.by_sample = false;
  return options;
}

/// Whether both have the same bits. Any NaN is as good as another: a GPU has one of its own
/// (docs/reference/cuda-kernels.md).
bool are_same(const Tensor& a, const Tensor& b) {
  const std::size_t size = size_of(a.dtype());
  const auto cast = kernels::select_cast(ops::element_type(a.dtype()), kernels::ElementType::float64);
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    const std::byte* x = static_cast<const std::byte*>(a.raw()) + static_cast<std::size_t>(i) * size;
    const std::byte* y = static_cast<const std::byte*>(b.raw()) + static_cast<std::size_t>(i) * size;
    if (std::memcmp(x, y, size) == 0) continue;
    double values[2] = {};
    if (cast == nullptr) return false;
    cast(x, &values[0], 1);
    cast(y, &values[1], 1);
    if (!std::isnan(values[0]) || !std::isnan(values[1])) return false;
  }
  return true;
}

/// The CUDA backend, whose node of the test has one implementation.
class OneKernelBackend : public ops::Backend {
 public:
  explicit OneKernelBackend(std::string kernel)
      : cuda_(ops::cuda_backend(*device::CudaDevice::open(0))), kernel_(std::move(kernel)) {}

  std::string_view name() const override { return cuda_.name(); }
  ops::Implementations implementations(const ops::OpProblem& node) const override {
    ops::Implementations found = cuda_.implementations(node);
    if (node.node().name != kNode) return found;
    for (ops::Implementation& one : found.all) {
      if (one.name != kernel_ && one.rejects.empty()) one.rejects = "it is not tested";
    }
    return found;
  }

 private:
  const ops::Backend& cuda_;
  std::string kernel_;
};

using SetOptions = void (*)(const char*);

// A function that only the emulator's library has; null if the library is of a GPU.
template <typename Function>
Function of_emulator(const char* name) {
  const char* path = std::getenv("MXINFER_CUDA_LIBRARY");
  void* library = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  if (library == nullptr) return nullptr;
  const auto function = reinterpret_cast<Function>(dlsym(library, name));
  dlclose(library);
  return function;
}

}  // namespace

void expect_close(const Tensor& expected, const Tensor& actual, double tolerance, std::size_t output) {
  ASSERT_EQ(expected.shape(), actual.shape());
  ASSERT_EQ(expected.dtype(), actual.dtype());
  // bfloat16 is moved on a GPU, and not computed.
  const bool is_rounded = recorded_tolerance(expected.dtype()) > 0 && expected.dtype() != DType::bfloat16;
  if (is_rounded && tolerance > 0) {
    EXPECT_LE(relative_difference(actual, expected), tolerance) << "output " << output;
  } else {
    EXPECT_TRUE(are_same(expected, actual)) << "output " << output;
  }
}

OneOperator one_operator(const std::string& op, const std::map<std::string, std::string>& attrs,
                         const std::vector<const Tensor*>& inputs, const OnCudaOptions& options) {
  GraphBuilder b;
  std::vector<graph::Value> values;
  OneOperator made;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = "input" + std::to_string(i);
    if (std::find(options.parameters.begin(), options.parameters.end(), i) != options.parameters.end()) {
      values.push_back(b.parameter(name, inputs[i]->clone()));
    } else {
      values.push_back(b.input(name));
      made.inputs.push_back(inputs[i]);
    }
  }
  const graph::Value out = b.op(op, attrs, values, kNode);
  graph::Node& node = b.graph().nodes.back();
  node.post_ops = options.post_ops;
  if (options.numpy_shapes) node.attrs.set(ops::kNumpyShape, true);
  for (std::int32_t o = 0; o < node.num_outputs; ++o) b.head({out.node, o});
  made.graph = b.graph();
  return made;
}

bool runs_on_cuda(const plan::Plan& plan) {
  return std::any_of(plan.info.steps.begin(), plan.info.steps.end(),
                     [](const StepInfo& step) { return step.node == kNode && step.device == "cuda:0"; });
}

std::vector<kernels::Precision> lower_precisions() {
  std::vector<kernels::Precision> precisions;
  for (const auto precision :
       {kernels::Precision::tf32, kernels::Precision::float16, kernels::Precision::bfloat16}) {
    if (device::CudaDevice::open(0)->has_precision(precision)) precisions.push_back(precision);
  }
  return precisions;
}

double rounding_tolerance(kernels::Precision precision) {
  switch (precision) {
    case kernels::Precision::float32:
      return 1e-5;
    case kernels::Precision::tf32:
    case kernels::Precision::float16:
      return 2e-3;
    case kernels::Precision::bfloat16:
      break;
  }
  return 1.6e-2;
}

bool set_emulator(const char* options) {
  const auto set = of_emulator<SetOptions>("mxinfer_simt_set_options");
  if (set != nullptr) set(options);
  return set != nullptr;
}

void for_each_schedule(const std::function<void()>& body) {
  device::CudaDevice::open(0);  // the library is there from now on
  if (!set_emulator("order=forward")) return body();
  for (const char* schedule : {"order=forward,late=0,multiply_late=1", "order=reverse,late=1,multiply_late=0",
                               "order=random,late=1,multiply_late=1,seed=7"}) {
    SCOPED_TRACE(schedule);
    set_emulator(schedule);
    body();
  }
  set_emulator("order=forward,late=1,multiply_late=0");
}

std::optional<unsigned long long> graph_launches() {
  const auto launches = of_emulator<unsigned long long (*)()>("mxinfer_simt_graph_launches");
  return launches == nullptr ? std::nullopt : std::optional(launches());
}

std::optional<CopiesToDevice> copies_to_device() {
  using Count = unsigned long long (*)();
  const auto count = of_emulator<Count>("mxinfer_simt_copies_to_device");
  const auto bytes = of_emulator<Count>("mxinfer_simt_bytes_to_device");
  return count == nullptr ? std::nullopt : std::optional(CopiesToDevice{count(), bytes()});
}

std::optional<unsigned long long> launches_of(const char* kernel) {
  const auto launches = of_emulator<unsigned long long (*)(const char*)>("mxinfer_simt_launches");
  return launches == nullptr ? std::nullopt : std::optional(launches(kernel));
}

std::optional<unsigned long long> all_launches() {
  const auto launches = of_emulator<unsigned long long (*)()>("mxinfer_simt_all_launches");
  return launches == nullptr ? std::nullopt : std::optional(launches());
}

plan::PlanOptions cuda_plan_options() {
  plan::PlanOptions options = reference_options();
  options.target = kernels::best_target();
  const auto device = device::CudaDevice::open(0);
  options.device = device;
  options.backend = &ops::cuda_backend(*device);
  return options;
}

std::vector<Tensor> run_on(const std::shared_ptr<const plan::Plan>& plan,
                           const std::vector<const Tensor*>& inputs) {
  runtime::Executor executor(plan);
  std::vector<const void*> from;
  std::vector<void*> to;
  std::vector<Tensor> outputs;
  for (const Tensor* input : inputs) from.push_back(input->raw());
  for (const auto& type : plan->outputs) outputs.emplace_back(type.dtype, type.shape);
  for (Tensor& output : outputs) to.push_back(output.raw());
  ThreadArena arena(plan->threads);
  executor.run(from.data(), to.data(), arena);
  executor.run(from.data(), to.data(), arena);
  return outputs;
}

void expect_as_on_cpu(const std::string& op, const std::map<std::string, std::string>& attrs,
                      const std::vector<const Tensor*>& inputs, const OnCudaOptions& options) {
  const OneOperator compared = one_operator(op, attrs, inputs, options);
  SCOPED_TRACE(op);
  plan::WeightStore weights, device_weights;
  const auto on_cpu =
      plan::make_plan(compared.graph, types_of(compared.inputs), reference_options(), weights);
  plan::PlanOptions device_options = cuda_plan_options();
  device_options.precision = options.precision;
  const OneKernelBackend one_kernel(options.kernel);
  if (!options.kernel.empty()) device_options.backend = &one_kernel;
  const auto on_cuda =
      plan::make_plan(compared.graph, types_of(compared.inputs), device_options, device_weights);
  for (const StepInfo& step : on_cuda->info.steps) {
    if (step.node != kNode) continue;
    const std::string why = step.rejected.empty() ? "" : step.rejected.front().reason;
    ASSERT_EQ(step.device, "cuda:0") << why;
  }
  const std::vector<Tensor> expected = run_on(on_cpu, compared.inputs);
  for_each_schedule([&] {
    const std::vector<Tensor> actual = run_on(on_cuda, compared.inputs);
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t o = 0; o < expected.size(); ++o)
      expect_close(expected[o], actual[o], options.tolerance, o);
  });
}

void expect_graph_as_on_cpu(const graph::Graph& graph, const std::vector<const Tensor*>& inputs,
                            double tolerance, int* device_steps) {
  plan::WeightStore weights, device_weights;
  const auto on_cpu = plan::make_plan(graph, types_of(inputs), reference_options(), weights);
  const auto on_cuda = plan::make_plan(graph, types_of(inputs), cuda_plan_options(), device_weights);
  const std::vector<Tensor> expected = run_on(on_cpu, inputs), actual = run_on(on_cuda, inputs);
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t o = 0; o < expected.size(); ++o) expect_close(expected[o], actual[o], tolerance, o);
  if (device_steps == nullptr) return;
  *device_steps = 0;
  for (const StepInfo& step : on_cuda->info.steps) *device_steps += step.device == "cuda:0" ? 1 : 0;
}

}  // namespace mxinfer::test
