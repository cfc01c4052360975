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

template <typename From, typename To>
Tensor converted(const Tensor& tensor) {
  Tensor result(DTypeOf<To>::value, tensor.shape());
  std::transform(tensor.data<From>(), tensor.data<From>() + tensor.elements(), result.data<To>(),
                 [](From x) { return static_cast<To>(x); });
  return result;
}
Tensor stored_as(DType dtype, const Tensor& tensor) {
  if (dtype == DType::float16) return converted<float, Half>(tensor);
  return dtype == DType::bfloat16 ? converted<float, BFloat16>(tensor) : tensor.clone();
}
Tensor as_float32(const Tensor& tensor) {
  if (tensor.dtype() == DType::float16) return converted<Half, float>(tensor);
  return tensor.dtype() == DType::bfloat16 ? converted<BFloat16, float>(tensor) : tensor.clone();
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
    const Tensor value = random_tensor(shape, ++seed_, -0.5f, 0.5f);
    return b_.parameter("weight" + std::to_string(seed_), stored_as(dtype_, value));
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
  plan::PlanOptions options = test::cuda_plan_options();
  options.precision = precision;
  goal.device = device::Kind::cuda;
  goal.has_bfloat16 = test::has_bfloat16();
  pipeline::optimise(graph, goal);
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

void expect_as_saved(DType dtype) {
  const Tensor data = random_tensor({3, 3, 12, 12}, 99);
  const OnGpu expected =
      run_on_gpu(ResidualNetwork(DType::float32).graph(), data, kernels::Precision::float32);
  const std::string name = to_string(dtype);
  for (const Tensor& given : {data.clone(), stored_as(dtype, data)}) {
    SCOPED_TRACE(to_string(given.dtype()));
    const OnGpu actual = run_on_gpu(ResidualNetwork(dtype).graph(), given, kernels::Precision::float32);
    EXPECT_EQ(actual.plan->info.precision, name);
    EXPECT_GE(actual.steps_of(name.c_str()), 4);
    // As MXNet has it.
    ASSERT_EQ(actual.outputs[0].dtype(), given.dtype());
    const Tensor wide = as_float32(actual.outputs[0]);
    EXPECT_LE(test::relative_difference(wide, expected.outputs[0]), 1e-2);
    expect_same_classes(expected.outputs[0], wide);
    // Values stay float32 where another precision is asked for.
    if (!device::CudaDevice::open(0)->has_precision(kernels::Precision::tf32)) continue;
    EXPECT_EQ(
        run_on_gpu(ResidualNetwork(dtype).graph(), given, kernels::Precision::tf32).plan->info.precision,
        "tf32");
  }
}

TEST(NetworksInHalves, SavedInFloat16) {
  expect_as_saved(DType::float16);
}

TEST(NetworksInHalves, SavedInBFloat16) {
  if (test::has_bfloat16()) return expect_as_saved(DType::bfloat16);
  const Tensor data = random_tensor({3, 3, 12, 12}, 99);
  const OnGpu actual =
      run_on_gpu(ResidualNetwork(DType::bfloat16).graph(), data, kernels::Precision::float32);
  EXPECT_EQ(actual.plan->info.precision, "float32");
  EXPECT_EQ(actual.steps_of("bfloat16"), 0);
}

/// Words and places from tables, a block of two dense layers, and a classifier of each word.
graph::Graph network_of_words(DType dtype) {
  GraphBuilder b;
  unsigned seed = 0;
  const auto weight = [&](const Shape& shape, float low = -0.5f, float high = 0.5f) {
    const std::string name = "weight" + std::to_string(++seed);
    return b.parameter(name, stored_as(dtype, random_tensor(shape, seed, low, high)));
  };
  const auto norm = [&](Value x) {
    return b.op("LayerNorm", {}, {x, weight({16}, 0.5f, 1.5f), weight({16})});
  };
  const auto dense = [&](Value x, std::int64_t from, std::int64_t to) {
    return b.op("FullyConnected", {{"num_hidden", std::to_string(to)}, {"flatten", "False"}},
                {x, weight({to, from}), weight({to})});
  };
  const Value words = b.op("Embedding", {{"input_dim", "30"}, {"output_dim", "16"}},
                           {b.input("ids"), weight({30, 16})}, "words");
  const Value places =
      b.op("take", {}, {weight({9, 16}), b.parameter("order", test::tensor_of<int>({5}, {0, 1, 2, 3, 4}))},
           "places");
  const Value x = norm(b.op("broadcast_add", {}, {words, b.op("expand_dims", {{"axis", "0"}}, {places})}));
  const Value y = dense(b.op("LeakyReLU", {{"act_type", "gelu"}}, {dense(x, 16, 32)}), 32, 16);
  b.head(b.op("softmax", {}, {dense(norm(b.op("elemwise_add", {}, {x, y})), 16, 4)}, "answer"));
  return b.graph();
}

TEST(NetworksInHalves, Words) {
  const Tensor ids = test::tensor_of<int>({2, 5}, {3, 29, 0, 7, 7, 12, 1, 25, 4, 18});
  const OnGpu expected = run_on_gpu(network_of_words(DType::float32), ids, kernels::Precision::float32);
  for (const kernels::Precision precision : test::half_precisions()) {
    const DType dtype = precision == kernels::Precision::float16 ? DType::float16 : DType::bfloat16;
    SCOPED_TRACE(to_string(dtype));
    // By precision, and because it was saved so.
    const OnGpu chosen = run_on_gpu(network_of_words(DType::float32), ids, precision),
                saved = run_on_gpu(network_of_words(dtype), ids, kernels::Precision::float32);
    for (const OnGpu* actual : {&chosen, &saved}) {
      EXPECT_EQ(actual->plan->info.precision, kernels::to_string(precision));
      const StepInfo* words = test::step_of(*actual->plan, "words");
      ASSERT_NE(words, nullptr);
      EXPECT_EQ(words->output.find(to_string(dtype)), 0u) << words->output;
      const Tensor wide = as_float32(actual->outputs[0]);
      EXPECT_LE(test::relative_difference(wide, expected.outputs[0]), 3e-2);
    }
  }
}

}  // namespace
}  // namespace mxinfer
