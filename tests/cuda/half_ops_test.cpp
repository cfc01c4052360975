// The operators that are convolutions and products, on values of 16-bit floats: one node, lowered by itself
// for cuda:0, beside the same node of float32 on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "cuda/device_values.h"
#include "cuda/support.h"
#include "ops/cuda/cuda_backend.h"
#include "support/networks/build_graph.h"

namespace mxinfer::test {
namespace {

using graph::Activation;
using kernels::FloatType;
using Texts = std::map<std::string, std::string>;

DType dtype_of(FloatType type) {
  return type == FloatType::float16 ? DType::float16 : DType::bfloat16;
}

std::vector<float> floats_of(const Tensor& tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.elements()};
}

Tensor tensor_of(const std::vector<float>& values, const Shape& shape) {
  Tensor tensor(DType::float32, shape);
  std::copy(values.begin(), values.end(), tensor.data<float>());
  return tensor;
}

struct HalfCase {
  std::string op;
  Texts attrs{};
  std::vector<Shape> inputs{};
  std::vector<std::size_t> parameters{};
  graph::PostOps post_ops{};
  /// Whether parameters are float32, as a model has them, or of the values' type.
  bool wide_parameters = true;
};

/// A node whose values are of a type, and the memory that its step asks for.
class HalfNode final : public ops::LowerContext {
 public:
  HalfNode(const HalfCase& tested, FloatType type)
      : tested_(tested),
        type_(type),
        device_(device::CudaDevice::open(0)),
        opened_(device_->new_stream()),
        stream_(static_cast<device::CudaStream&>(*opened_)) {
    for (std::size_t i = 0; i < tested.inputs.size(); ++i) {
      const Tensor values = random_tensor(tested.inputs[i], static_cast<unsigned>(i) + 1);
      tensors_.push_back(tensor_of(rounded_to(floats_of(values), type), tested.inputs[i]));
      const bool wide = is_constant(i) && tested.wide_parameters;
      types_.push_back({wide ? DType::float32 : dtype_of(type), tested.inputs[i]});
    }
    for (const Tensor& tensor : tensors_) pointers_.push_back(&tensor);
    // The CPU's channels-last convolutions have weights that are parameters.
    std::vector<std::size_t> parameters = tested.parameters;
    if (parameters.empty() && tested.op == "_mxinfer_convolution_nhwc") parameters = {1};
    one_ = one_operator(tested.op, tested.attrs, pointers_,
                        {.parameters = parameters, .post_ops = tested.post_ops});
    expected_.push_back(std::move(run_graph(one_.graph, one_.inputs)[0]));
    output_ = {dtype_of(type), expected_[0].shape()};
  }

  const graph::Node& node() const override { return one_.graph.nodes.back(); }
  std::size_t num_inputs() const override { return types_.size(); }
  const ops::TensorType& input(std::size_t i) const override { return types_[i]; }
  std::size_t num_outputs() const override { return 1; }
  const ops::TensorType& output(std::size_t) const override { return output_; }
  bool is_constant(std::size_t i) const override {
    return std::find(tested_.parameters.begin(), tested_.parameters.end(), i) != tested_.parameters.end();
  }
  kernels::Target target() const override { return kernels::Target::ref; }
  int threads() const override { return 1; }
  bool is_on_device() const override { return true; }
  const Tensor* constant(std::size_t) const override { return nullptr; }
  void alias(std::size_t, std::size_t, std::size_t) override {}
  void may_place(std::size_t, std::size_t, std::size_t) override {}
  void may_overwrite(std::size_t, std::size_t) override {}
  const std::byte* packed(std::size_t i, const std::string&, std::size_t bytes, const Pack& pack) override {
    const std::vector<std::byte> stored = bytes_of_input(i);
    std::vector<std::byte> host(bytes);
    pack(TensorView(types_[i].dtype, types_[i].shape, stored.data()), host.data());
    return to_device(host);
  }

  ops::Implementations implementations() const { return ops::cuda_backend(*device_).implementations(*this); }

  /// Every implementation that accepts the node, against the CPU's float32.
  void expect_right() {
    const std::vector<ops::Implementation> all = accepted(implementations());
    ASSERT_FALSE(all.empty()) << implementations().all[0].rejects;
    for (const ops::Implementation& one : all) {
      SCOPED_TRACE(testing::Message() << tested_.op << ", " << one.name);
      EXPECT_NE(one.name.find(kernels::short_name(type_)), std::string::npos);
      const ops::Step step = one.lower(*this);
      for_each_schedule([&] { run(step); });
    }
  }

 private:
  std::vector<std::byte> bytes_of_input(std::size_t i) const {
    return stored_bytes(floats_of(tensors_[i]),
                        types_[i].dtype == DType::float32 ? FloatType::float32 : type_);
  }

  std::byte* to_device(const std::vector<std::byte>& bytes) {
    buffers_.push_back(device_->allocate(std::max<std::size_t>(bytes.size(), 1)));
    stream_.copy_to_device(buffers_.back()->data(), bytes.data(), bytes.size());
    stream_.synchronize();
    return static_cast<std::byte*>(buffers_.back()->data());
  }

  void run(const ops::Step& step) {
    std::vector<const void*> inputs;
    for (std::size_t i = 0; i < types_.size(); ++i) inputs.push_back(to_device(bytes_of_input(i)));
    const std::vector<float> expected = floats_of(expected_[0]);
    std::vector<std::byte> actual(expected.size() * kernels::bytes_of(type_));
    void* const output = to_device(actual);
    ops::RunContext context{inputs.data(), &output, to_device(std::vector<std::byte>(step.scratch_bytes)),
                            nullptr,       0,       &stream_};
    step.run(context);
    stream_.copy_to_host(actual.data(), output, actual.size());
    stream_.synchronize();
    const std::vector<float> values = floats_of_bytes(actual, type_);
    double largest = 1;
    for (const float x : expected) largest = std::max(largest, std::abs(static_cast<double>(x)));
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(values[i], expected[i], 1e-5 * largest + storing_error(type_) * std::abs(expected[i]));
  }

  HalfCase tested_;
  FloatType type_;
  std::shared_ptr<device::CudaDevice> device_;
  std::unique_ptr<device::Stream> opened_;
  device::CudaStream& stream_;
  std::vector<Tensor> tensors_, expected_;
  std::vector<const Tensor*> pointers_;
  std::vector<ops::TensorType> types_;
  ops::TensorType output_;
  OneOperator one_;
  std::vector<std::unique_ptr<device::Buffer>> buffers_;
};

void expect_halves(const HalfCase& tested) {
  for (const FloatType type : half_types()) HalfNode(tested, type).expect_right();
}

/// Weights and bias that are parameters of either type, weights that are computed.
void expect_halves_with_weights(HalfCase tested) {
  tested.parameters = {1, 2};
  expect_halves(tested);
  tested.wide_parameters = false;
  expect_halves(tested);
}

TEST(CudaHalfOps, Convolution) {
  const Texts attrs{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "24"}};
  expect_halves_with_weights({"_mxinfer_convolution_nhwc", attrs, {{2, 6, 7, 16}, {24, 16, 3, 3}, {24}}});
  expect_halves_with_weights({"_mxinfer_convolution_nhwc", attrs, {{1, 6, 7, 3}, {24, 3, 3, 3}, {24}}});
  expect_halves_with_weights({"Convolution", attrs, {{2, 16, 6, 7}, {24, 16, 3, 3}, {24}}});
  Texts no_bias = attrs;
  no_bias["no_bias"] = "True";
  expect_halves({"_mxinfer_convolution_nhwc", no_bias, {{2, 6, 7, 16}, {24, 16, 3, 3}}});
  no_bias["planes"] = "True";
  expect_halves({"_mxinfer_convolution_nhwc", no_bias, {{2, 3, 9, 8}, {24, 3, 3, 3}}, {1}});
}

TEST(CudaHalfOps, ConvolutionWithPostOps) {
  HalfCase tested{"_mxinfer_convolution_nhwc",
                  {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "24"}, {"border", "True"}},
                  {{2, 6, 7, 16}, {24, 16, 3, 3}, {24}, {16}, {24}, {2, 6, 7, 24}},
                  {1, 2, 3, 4}};
  tested.post_ops.residual = true;
  tested.post_ops.activation = Activation::prelu;
  expect_halves(tested);
  tested.wide_parameters = false;
  expect_halves(tested);
}

TEST(CudaHalfOps, DepthwiseConvolution) {
  expect_halves_with_weights(
      {"_mxinfer_convolution_nhwc",
       {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "24"}, {"num_group", "24"}},
       {{2, 6, 7, 24}, {24, 1, 3, 3}, {24}}});
  expect_halves({"_mxinfer_convolution_nhwc",
                 {{"kernel", "(3, 3)"}, {"num_filter", "6"}, {"num_group", "6"}, {"no_bias", "True"}},
                 {{1, 5, 5, 6}, {6, 1, 3, 3}}});
}

TEST(CudaHalfOps, Deconvolution) {
  expect_halves({"Deconvolution",
                 {{"kernel", "(4, 4)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"num_filter", "12"}},
                 {{2, 24, 5, 6}, {24, 12, 4, 4}},
                 {1}});
}

TEST(CudaHalfOps, FullyConnected) {
  for (const std::int64_t rows : {1, 5, 66}) {
    expect_halves_with_weights({"FullyConnected", {{"num_hidden", "72"}}, {{rows, 40}, {72, 40}, {72}}});
    HalfCase fused{
        "FullyConnected", {{"num_hidden", "72"}}, {{rows, 40}, {72, 40}, {72}, {rows, 72}}, {1, 2}};
    fused.post_ops.residual = true;
    fused.post_ops.activation = Activation::gelu_erf;
    expect_halves(fused);
  }
  expect_halves({"FullyConnected", {{"num_hidden", "7"}, {"no_bias", "True"}}, {{9, 11}, {7, 11}}});
}

TEST(CudaHalfOps, Dots) {
  for (int lie = 0; lie < 4; ++lie) {
    const bool ta = lie % 2 != 0, tb = lie / 2 != 0;
    const Texts attrs{{"transpose_a", ta ? "True" : "False"}, {"transpose_b", tb ? "True" : "False"}};
    for (const std::int64_t depth : {24, 35}) {
      expect_halves({"dot",
                     attrs,
                     {ta ? Shape{depth, 17} : Shape{17, depth}, tb ? Shape{40, depth} : Shape{depth, 40}}});
      expect_halves(
          {"batch_dot",
           attrs,
           {ta ? Shape{3, depth, 16} : Shape{3, 16, depth}, tb ? Shape{3, 40, depth} : Shape{3, depth, 40}}});
    }
  }
}

TEST(CudaHalfOps, NumpyProducts) {
  for (const std::int64_t depth : {24, 35}) {
    expect_halves({"_npi_matmul", {}, {{2, 3, 16, depth}, {2, 3, depth, 40}}});
    expect_halves({"_npi_matmul", {}, {{3, 16, depth}, {depth, 40}}});
    expect_halves({"_np_dot", {}, {{3, 16, depth}, {depth, 40}}});
    expect_halves({"_npi_tensordot",
                   {{"a_axes_summed", "(0,)"}, {"b_axes_summed", "(1,)"}},
                   {{depth, 17}, {40, depth}}});
  }
}

TEST(CudaHalfOps, LinalgGemm) {
  for (int lie = 0; lie < 4; ++lie) {
    const bool ta = lie % 2 != 0, tb = lie / 2 != 0;
    Texts attrs{
        {"transpose_a", ta ? "True" : "False"}, {"transpose_b", tb ? "True" : "False"}, {"alpha", "0.5"}};
    for (const std::int64_t depth : {24, 35}) {
      const Shape a = ta ? Shape{3, depth, 16} : Shape{3, 16, depth},
                  b = tb ? Shape{3, 40, depth} : Shape{3, depth, 40};
      attrs.erase("beta");
      expect_halves({"_linalg_gemm2", attrs, {a, b}});
      attrs["beta"] = "3";
      expect_halves({"_linalg_gemm", attrs, {a, b, {3, 16, 40}}});
      expect_halves({"_linalg_gemm", attrs, {a, b, {3, 16, 40}}, {1, 2}});
    }
  }
  // Rows along another axis, and few of them.
  expect_halves({"_linalg_gemm2", {{"axis", "1"}}, {{2, 17, 3, 24}, {2, 24, 3, 8}}});
  expect_halves({"_linalg_gemm", {{"axis", "1"}}, {{2, 2, 3, 7}, {2, 7, 3, 6}, {2, 2, 3, 6}}});
}

TEST(CudaHalfOps, Attention) {
  for (const std::int64_t head : {8, 10}) {
    expect_halves({"_contrib_interleaved_matmul_selfatt_qk", {{"heads", "4"}}, {{13, 2, 3 * 4 * head}}});
    expect_halves({"_contrib_interleaved_matmul_selfatt_valatt",
                   {{"heads", "4"}},
                   {{16, 2, 3 * 4 * head}, {8, 16, 16}}});
    expect_halves({"_contrib_interleaved_matmul_encdec_qk",
                   {{"heads", "4"}},
                   {{9, 2, 4 * head}, {17, 2, 2 * 4 * head}}});
    expect_halves(
        {"_contrib_interleaved_matmul_encdec_valatt", {{"heads", "4"}}, {{17, 2, 2 * 4 * head}, {8, 9, 17}}});
  }
}

TEST(CudaHalfOps, AComputedBiasIsRejected) {
  const HalfNode node({"FullyConnected", {{"num_hidden", "7"}}, {{9, 11}, {7, 11}, {7}}, {1}, {}, false},
                      FloatType::float16);
  const ops::Implementations all = node.implementations();
  ASSERT_EQ(all.all.size(), 1u);
  EXPECT_EQ(all.all[0].rejects, "input 2 is float16, not float32");
}

}  // namespace
}  // namespace mxinfer::test
