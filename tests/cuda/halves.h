// Operators on values that a plan stores in 16 bits, by themselves: `_np_copy` stands for a product, which
// reads and writes halves, so that values between two of them are stored so.
//
//   test::expect_in_halves("LayerNorm", {}, {&data, &gamma, &beta});
#pragma once

#include <gtest/gtest.h>

#include "cuda/support.h"
#include "ops/backend.h"
#include "ops/cuda/cuda_backend.h"
#include "ops/registry.h"

namespace mxinfer::test {

inline constexpr const char* kProduct = "_np_copy";

/// The CUDA backend, with a product that multiplies by 1.
class HalvesBackend : public ops::Backend {
 public:
  explicit HalvesBackend(const device::CudaDevice& device) : cuda_(ops::cuda_backend(device)) {}

  std::string_view name() const override { return "cuda"; }
  ops::Implementations implementations(const ops::OpProblem& node) const override {
    return is_product(node.node()) ? cuda_.implementations(AsCast(node)) : cuda_.implementations(node);
  }
  bool takes_strided_input(const graph::Node& node, const ops::TensorType& type,
                           std::int64_t row_stride) const override {
    return cuda_.takes_strided_input(node, type, row_stride);
  }
  bool takes_strided_output(const graph::Node& node, const ops::TensorType& type,
                            std::int64_t row_stride) const override {
    return cuda_.takes_strided_output(node, type, row_stride);
  }
  ops::HalfSupport half_support(const graph::Node& node) const override {
    return is_product(node) ? ops::HalfSupport{ops::HalfForm::product} : cuda_.half_support(node);
  }

 private:
  static bool is_product(const graph::Node& node) { return node.op_name == kProduct; }

  class AsCast : public ops::OpProblem {
   public:
    explicit AsCast(const ops::OpProblem& node)
        : of_(node),
          cast_(ops::make_node("cast", "Cast", {{"dtype", "float32"}}, {node.node().inputs.at(0)})) {}
    const graph::Node& node() const override { return cast_; }
    std::size_t num_inputs() const override { return of_.num_inputs(); }
    const ops::TensorType& input(std::size_t i) const override { return of_.input(i); }
    std::size_t num_outputs() const override { return of_.num_outputs(); }
    const ops::TensorType& output(std::size_t o) const override { return of_.output(o); }
    bool is_constant(std::size_t i) const override { return of_.is_constant(i); }
    kernels::Target target() const override { return of_.target(); }
    int threads() const override { return of_.threads(); }

   private:
    const ops::OpProblem& of_;
    graph::Node cast_;
  };

  const ops::Backend& cuda_;
};

/// float16 and bfloat16, but for what cuda:0 lacks.
inline std::vector<kernels::Precision> half_precisions() {
  std::vector<kernels::Precision> all;
  for (const kernels::Precision precision : lower_precisions()) {
    if (precision != kernels::Precision::tf32) all.push_back(precision);
  }
  return all;
}
inline bool has_bfloat16() {
  return device::CudaDevice::open(0)->has_precision(kernels::Precision::bfloat16);
}

inline std::shared_ptr<const plan::Plan> plan_in_halves(const graph::Graph& graph,
                                                        const std::vector<const Tensor*>& inputs,
                                                        kernels::Precision precision,
                                                        plan::WeightStore& weights) {
  static const HalvesBackend& backend = *new HalvesBackend(*device::CudaDevice::open(0));
  plan::PlanOptions options = cuda_plan_options();
  options.backend = &backend;
  options.precision = precision;
  options.fuses_views = false;  // each operator is a step that tests can ask for
  std::vector<ops::TensorType> types;
  for (const Tensor* input : inputs) types.push_back({input->dtype(), input->shape()});
  return plan::make_plan(graph, types, options, weights);
}

/// The step of the node of that name.
inline const StepInfo* step_of(const plan::Plan& plan, const std::string& node) {
  for (const StepInfo& step : plan.info.steps) {
    if (step.node == node) return &step;
  }
  return nullptr;
}

/// Of floats, as such halves.
inline Tensor rounded(const Tensor& tensor, kernels::Precision precision) {
  Tensor copy = tensor.clone();
  if (copy.dtype() != DType::float32) return copy;
  for (float* x = copy.data<float>(); x != copy.data<float>() + copy.elements(); ++x) {
    *x = precision == kernels::Precision::float16 ? static_cast<float>(Half(*x))
                                                  : static_cast<float>(BFloat16(*x));
  }
  return copy;
}

struct InHalvesOptions {
  std::vector<std::size_t> data{0};  ///< the inputs that are stored in 16 bits
  std::vector<std::size_t> parameters{};
  graph::PostOps post_ops{};
  /// The largest difference of results, in roundings of the largest one.
  double roundings = 1;
  std::vector<kernels::Precision> precisions = half_precisions();
};

/// The operator between two products. Fails unless it reads and writes halves on cuda:0, and its results are
/// those of the CPU in float32, rounded.
inline void expect_in_halves(const std::string& op, const std::map<std::string, std::string>& attrs,
                             const std::vector<const Tensor*>& inputs, const InHalvesOptions& options = {}) {
  const auto contains = [](const std::vector<std::size_t>& all, std::size_t i) {
    return std::find(all.begin(), all.end(), i) != all.end();
  };
  for (const kernels::Precision precision : options.precisions) {
    SCOPED_TRACE(op + " in " + kernels::to_string(precision));
    GraphBuilder b;
    std::vector<graph::Value> values;
    std::vector<Tensor> given;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string name = "input" + std::to_string(i);
      if (contains(options.parameters, i)) {
        values.push_back(b.parameter(name, inputs[i]->clone()));
        continue;
      }
      given.push_back(contains(options.data, i) ? rounded(*inputs[i], precision) : inputs[i]->clone());
      const graph::Value input = b.input(name);
      values.push_back(contains(options.data, i) ? b.op(kProduct, {}, {input}) : input);
    }
    const graph::Value out = b.op(op, attrs, values, "test");
    b.graph().nodes.back().post_ops = options.post_ops;
    const std::int32_t outputs = b.graph().nodes.back().num_outputs;
    for (std::int32_t o = 0; o < outputs; ++o) b.head(b.op(kProduct, {}, {{out.node, o}}));

    std::vector<const Tensor*> pointers;
    std::vector<ops::TensorType> types;
    for (const Tensor& tensor : given) {
      pointers.push_back(&tensor);
      types.push_back({tensor.dtype(), tensor.shape()});
    }
    plan::WeightStore weights, cpu_weights;
    const auto plan = plan_in_halves(b.graph(), pointers, precision, weights);
    plan::PlanOptions on_cpu{kernels::Target::ref, 1};
    on_cpu.by_sample = false;
    const auto expected = run_on(plan::make_plan(b.graph(), types, on_cpu, cpu_weights), pointers);
    const StepInfo* step = step_of(*plan, "test");
    ASSERT_NE(step, nullptr);
    ASSERT_EQ(step->device, "cuda:0") << (step->rejected.empty() ? "" : step->rejected.front().reason);
    EXPECT_EQ(step->output.find(kernels::to_string(precision)), 0u) << step->output;
    // Casts of what is given, and no others.
    for (const StepInfo& other : plan->info.steps) EXPECT_NE(other.node, "test_float32");
    const double unit = precision == kernels::Precision::float16 ? 0x1p-11 : 0x1p-8;
    for_each_schedule([&] {
      const std::vector<Tensor> actual = run_on(plan, pointers);
      for (std::size_t o = 0; o < expected.size(); ++o)
        expect_close(expected[o], actual[o], options.roundings * unit, o);
    });
  }
}

}  // namespace mxinfer::test
