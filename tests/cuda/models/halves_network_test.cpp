// Networks whose values between layers are stored in 16 bits on a GPU: by Options::precision, and because
// they were saved so.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/halves.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"

namespace mxinfer {
namespace {

using graph::Value;

using test::GraphBuilder;
using test::random_tensor;

Tensor as_float16(const Tensor& tensor) {
  Tensor half(DType::float16, tensor.shape());
  for (std::int64_t i = 0; i < tensor.elements(); ++i) half.data<Half>()[i] = Half(tensor.data<float>()[i]);
  return half;
}
Tensor as_float32(const Tensor& tensor) {
  if (tensor.dtype() != DType::float16) return tensor.clone();
  Tensor wide(DType::float32, tensor.shape());
  for (std::int64_t i = 0; i < tensor.elements(); ++i)
    wide.data<float>()[i] = static_cast<float>(tensor.data<Half>()[i]);
  return wide;
}

/// A residual block between two convolutions, global pooling and a classifier. Parameters are of that dtype,
/// but the statistics of the batch norms.
class ResidualNetwork {
 public:
  explicit ResidualNetwork(DType dtype) : dtype_(dtype) {
    const Value x = relu(norm(convolution(b_.input("data"), 8, 3)));
    const Value y = convolution(relu(norm(convolution(x, 16, 8))), 8, 16);
    const Value z = relu(norm(b_.op("elemwise_add", {}, {x, y})));
    const Value pooled = b_.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}}, {z});
    const Value fc = b_.op("FullyConnected", {{"num_hidden", "10"}}, {pooled, weight({10, 8}), weight({10})});
    b_.head(b_.op("softmax", {}, {fc}, "answer"));
  }
  const graph::Graph& graph() { return b_.graph(); }

 private:
  Value weight(const Shape& shape) {
    Tensor value = random_tensor(shape, ++seed_, -0.5f, 0.5f);
    const std::string name = "weight" + std::to_string(seed_);
    return b_.parameter(name, dtype_ == DType::float16 ? as_float16(value) : std::move(value));
  }
  Value statistics(std::int64_t channels) {
    const std::string name = "statistics" + std::to_string(++seed_);
    return b_.parameter(name, random_tensor({channels}, seed_, 0.5f, 1.5f));
  }
  Value convolution(Value x, std::int64_t filters, std::int64_t channels) {
    return b_.op("Convolution",
                 {{"kernel", "(3, 3)"},
                  {"pad", "(1, 1)"},
                  {"num_filter", std::to_string(filters)},
                  {"no_bias", "True"}},
                 {x, weight({filters, channels, 3, 3})});
  }
  Value norm(Value x) {
    const std::int64_t channels = channels_++ == 1 ? 16 : 8;
    return b_.op("BatchNorm", {{"fix_gamma", "False"}},
                 {x, statistics(channels), statistics(channels), statistics(channels), statistics(channels)});
  }
  Value relu(Value x) { return b_.op("Activation", {{"act_type", "relu"}}, {x}); }

  GraphBuilder b_;
  DType dtype_;
  unsigned seed_ = 0;
  int channels_ = 0;
};

struct OnGpu {
  std::shared_ptr<const plan::Plan> plan;
  std::vector<Tensor> outputs;

  /// How many steps write values of that type.
  int steps_of(const char* dtype) const {
    return static_cast<int>(
        std::count_if(plan->info.steps.begin(), plan->info.steps.end(),
                      [&](const StepInfo& step) { return step.output.rfind(dtype, 0) == 0; }));
  }
};

OnGpu run_on_gpu(graph::Graph graph, const Tensor& data, kernels::Precision precision) {
  passes::Goal goal{kernels::best_target(), precision};
  goal.device = device::Kind::cuda;
  pipeline::optimise(graph, goal);
  plan::PlanOptions options = test::cuda_plan_options();
  options.precision = precision;
  plan::WeightStore weights;
  OnGpu result;
  result.plan = plan::make_plan(graph, {{data.dtype(), data.shape()}}, options, weights);
  result.outputs = test::run_on(result.plan, {&data});
  return result;
}

void expect_same_classes(const Tensor& expected, const Tensor& actual) {
  const std::int64_t classes = expected.shape()[1];
  for (std::int64_t row = 0; row < expected.shape()[0]; ++row) {
    const float *a = expected.data<float>() + row * classes, *b = actual.data<float>() + row * classes;
    EXPECT_EQ(std::max_element(a, a + classes) - a, std::max_element(b, b + classes) - b) << "row " << row;
  }
}

TEST(NetworksInHalves, ByPrecision) {
  const Tensor data = random_tensor({3, 3, 12, 12}, 99);
  const OnGpu expected =
      run_on_gpu(ResidualNetwork(DType::float32).graph(), data, kernels::Precision::float32);
  EXPECT_EQ(expected.steps_of("float16"), 0);
  for (const kernels::Precision precision : test::lower_precisions()) {
    if (precision == kernels::Precision::tf32) continue;
    SCOPED_TRACE(kernels::to_string(precision));
    const OnGpu actual = run_on_gpu(ResidualNetwork(DType::float32).graph(), data, precision);
    EXPECT_GE(actual.steps_of(kernels::to_string(precision)), 4);
    ASSERT_EQ(actual.outputs[0].dtype(), DType::float32);
    EXPECT_LE(test::relative_difference(actual.outputs[0], expected.outputs[0]), 1e-2);
    expect_same_classes(expected.outputs[0], actual.outputs[0]);
  }
}

TEST(NetworksInHalves, SavedInFloat16) {
  const Tensor data = random_tensor({3, 3, 12, 12}, 99);
  const OnGpu expected =
      run_on_gpu(ResidualNetwork(DType::float32).graph(), data, kernels::Precision::float32);
  for (const Tensor& given : {data.clone(), as_float16(data)}) {
    SCOPED_TRACE(to_string(given.dtype()));
    const OnGpu actual =
        run_on_gpu(ResidualNetwork(DType::float16).graph(), given, kernels::Precision::float32);
    EXPECT_EQ(actual.plan->info.precision, "float16");
    EXPECT_GE(actual.steps_of("float16"), 4);
    // As MXNet has it.
    ASSERT_EQ(actual.outputs[0].dtype(), given.dtype());
    const Tensor wide = as_float32(actual.outputs[0]);
    EXPECT_LE(test::relative_difference(wide, expected.outputs[0]), 1e-2);
    expect_same_classes(expected.outputs[0], wide);
    // Values stay float32 where another precision is asked for.
    if (!device::CudaDevice::open(0)->has_precision(kernels::Precision::tf32)) continue;
    EXPECT_EQ(run_on_gpu(ResidualNetwork(DType::float16).graph(), given, kernels::Precision::tf32)
                  .plan->info.precision,
              "tf32");
  }
}

}  // namespace
}  // namespace mxinfer
