// Random programs of element by element operators as one loop, against the operators one after another.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "ops/elementwise/elementwise.h"
#include "passes/passes.h"
#include "plan/plan.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;

/// A graph, and the shapes of its values.
class RandomProgram {
 public:
  RandomProgram(unsigned seed, bool in_arena) : random_(seed), in_arena_(in_arena) {
    shape_ = random_shape();
    const int inputs = 1 + below(3);
    for (int i = 0; i < inputs; ++i) add_input(i == 0 ? shape_ : part_of(shape_), seed);
    const int operators = 2 + below(10);
    for (int i = 0; i < operators; ++i) add_operator();
    // Whatever is not read yet is, so that all of it is one group.
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].reads == 0 && values_[i].is_result && i + 1 < values_.size())
        add_binary(values_.size() - 1, i);
    }
    builder_.head(values_.back().value);
  }

  graph::Graph& graph() { return builder_.graph(); }
  std::vector<const Tensor*> inputs() const {
    std::vector<const Tensor*> inputs;
    for (const Tensor& tensor : tensors_) inputs.push_back(&tensor);
    return inputs;
  }

 private:
  struct Known {
    Value value;
    Shape shape;
    bool is_result;
    int reads = 0;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Shape random_shape() {
    const std::int64_t sizes[] = {1, 2, 3, 5, 7, 17, 33};
    Shape shape;
    const int rank = 1 + below(4);
    for (int d = 0; d < rank; ++d) shape.push_back(sizes[below(7)]);
    if (below(2) == 0) shape[shape.rank() - 1] = 1 + below(1500);
    return shape;
  }

  Shape part_of(const Shape& whole) {
    Shape part;
    std::size_t d = below(3) == 0 ? static_cast<std::size_t>(below(static_cast<int>(whole.rank()))) : 0;
    for (; d < whole.rank(); ++d) part.push_back(below(3) == 0 ? 1 : whole[d]);
    return part;
  }

  void add_input(const Shape& shape, unsigned seed) {
    Tensor tensor = test::random_tensor(shape, seed + static_cast<unsigned>(tensors_.size()), -3, 3);
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(),
                         0.0f,
                         -0.0f,
                         1e-42f};
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      if (below(9) == 0) tensor.data<float>()[i] = odd[below(6)];
    }
    Value value = builder_.input("x" + std::to_string(tensors_.size()));
    // A value of the plan, which may be overwritten, unlike an input.
    if (in_arena_) value = builder_.op("reverse", {{"axis", "(0,)"}}, {value});
    tensors_.push_back(std::move(tensor));
    values_.push_back({value, shape, false});
  }

  void add(Value value, const Shape& shape) {
    if (below(5) == 0) {
      graph::Node& node = graph().nodes[static_cast<std::size_t>(value.node)];
      const graph::PostOps activations[] = {{graph::Activation::relu},
                                            {graph::Activation::clip, -0.5f, 0.75f},
                                            {graph::Activation::leaky, 0.1f},
                                            {graph::Activation::swish}};
      if (node.op->fuses_activation) node.post_ops = activations[below(4)];
    }
    values_.push_back({value, shape, true});
  }

  void add_unary(std::size_t i) {
    struct Function {
      const char* name;
      std::map<std::string, std::string> attrs;
    };
    static const Function functions[] = {{"sigmoid", {}},
                                         {"exp", {}},
                                         {"sin", {}},
                                         {"sqrt", {}},
                                         {"abs", {}},
                                         {"square", {}},
                                         {"hard_sigmoid", {}},
                                         {"relu", {}},
                                         {"clip", {{"a_min", "-1"}, {"a_max", "0.5"}}},
                                         {"Activation", {{"act_type", "softrelu"}}},
                                         {"LeakyReLU", {{"act_type", "selu"}}},
                                         {"_mxinfer_activation", {{"function", "mish"}}},
                                         {"_mul_scalar", {{"scalar", "0.3"}}},
                                         {"_rminus_scalar", {{"scalar", "1"}}},
                                         {"_rdiv_scalar", {{"scalar", "2"}}},
                                         {"_power_scalar", {{"scalar", "2.5"}}},
                                         {"_maximum_scalar", {{"scalar", "-0.25"}}}};
    const Function& function = functions[static_cast<std::size_t>(below(17))];
    ++values_[i].reads;
    const Shape shape = values_[i].shape;
    add(builder_.op(function.name, function.attrs, {values_[i].value}), shape);
  }

  void add_binary(std::size_t a, std::size_t b) {
    const char* names[] = {"add", "sub", "mul", "div", "maximum", "minimum", "hypot", "greater"};
    const char* name = names[below(8)];
    ++values_[a].reads;
    ++values_[b].reads;
    const Shape shape = ops::broadcast_shape(values_[a].shape, values_[b].shape);
    const bool equal = values_[a].shape == values_[b].shape &&
                       std::string("add sub mul div").find(name) != std::string::npos;
    add(builder_.op((equal ? "elemwise_" : "broadcast_") + std::string(name), {},
                    {values_[a].value, values_[b].value}),
        shape);
  }

  void add_operator() {
    // Mostly the newest values.
    const auto any = [&] {
      const auto count = static_cast<int>(values_.size());
      return static_cast<std::size_t>(below(2) == 0 ? count - 1 - below(std::min(count, 3)) : below(count));
    };
    below(2) == 0 ? add_unary(any()) : add_binary(any(), any());
  }

  std::mt19937 random_;
  bool in_arena_;
  GraphBuilder builder_;
  Shape shape_;
  std::vector<Tensor> tensors_;
  std::vector<Known> values_;
};

// The sign of a NaN that two others give depends on where in a vector it is.
bool same_bits(const Tensor& a, const Tensor& b) {
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    const float x = a.data<float>()[i], y = b.data<float>()[i];
    if (std::memcmp(&x, &y, sizeof(float)) != 0 && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return a.shape() == b.shape();
}

TEST(ElementwiseChain, HasTheBitsOfTheOperatorsOneAfterAnother) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomProgram program(seed, seed % 2 == 1);
    graph::Graph fused = program.graph();
    passes::fuse_elementwise(fused);
    const auto names = test::op_names(fused);
    ASSERT_EQ(std::count(names.begin(), names.end(), "_mxinfer_elementwise_chain"), 1) << graph::dump(fused);
    ASSERT_EQ(std::count_if(names.begin(), names.end(), [](const auto& name) { return name != "reverse"; }),
              1);
    for (const auto target : test::targets()) {
      const auto before = test::run_graph(program.graph(), program.inputs(), {target});
      for (int threads = 1; threads <= 4; ++threads) {
        const auto after = test::run_graph(fused, program.inputs(), {target, threads});
        ASSERT_EQ(after[0].shape(), before[0].shape());
        ASSERT_TRUE(same_bits(after[0], before[0]))
            << "seed " << seed << " " << kernels::to_string(target) << " " << threads << " threads\n"
            << graph::dump(program.graph());
      }
    }
  }
}

TEST(ElementwiseChain, WritesOverAnInputOfItsShape) {
  GraphBuilder b;
  const Value x = b.op("reverse", {{"axis", "(0,)"}}, {b.input("x")});
  const Value y = b.op("exp", {}, {b.op("broadcast_mul", {}, {x, b.input("gate")})});
  b.head(b.op("reverse", {{"axis", "(0,)"}}, {b.op("elemwise_sub", {}, {y, x})}));
  graph::Graph fused = b.graph();
  passes::fuse_elementwise(fused);
  plan::WeightStore weights;
  const auto plan = plan::make_plan(fused, {{DType::float32, {3, 5000}}, {DType::float32, {3, 1}}},
                                    {kernels::Target::ref, 1}, weights);
  EXPECT_EQ(plan->arena_bytes, 3u * 5000u * sizeof(float) + 32);  // rounded to the alignment of 64
}

}  // namespace
}  // namespace mxinfer
