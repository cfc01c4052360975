// Branches side by side: random graphs that fork and join, run with every branch on a thread of its own that
// finds one, against the same graphs on one thread. Bitwise the same numbers, and no race.
#include "plan/schedule/branches.h"

#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <tbb/global_control.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "base/fail.h"
#include "model/model_data.h"
#include "plan/plan.h"
#include "runtime/executor.h"
#include "support/files/golden_npz.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using Attributes = std::map<std::string, std::string>;

std::string text(std::int64_t number) {
  return std::to_string(number);
}

/// A graph over data of channels-last images. Its operators write rows into concatenations, overwrite their
/// inputs, need scratch memory of a step and of a thread, and are views of others.
class Forking {
 public:
  explicit Forking(unsigned seed) : random_(seed) {
    add(builder_.input("data"), {2, 9, 7, 16});
    for (int i = 0; i < 6; ++i) fork();
    for (int i = 0; i < 2; ++i) builder_.head(values_[pick()].value);
    builder_.head(values_.back().value);
  }
  const graph::Graph& graph() { return builder_.graph(); }

 private:
  struct Made {
    Value value;
    Shape shape;
  };

  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_);
  }
  std::size_t pick() { return static_cast<std::size_t>(below(static_cast<std::int64_t>(values_.size()))); }
  Made add(Value value, const Shape& shape) {
    values_.push_back({value, shape});
    return values_.back();
  }

  // Branches from one value, joined in one of several ways.
  void fork() {
    const Made from = values_[below(3) == 0 ? pick() : values_.size() - 1];
    const std::int64_t branches = 2 + below(3);
    std::vector<Made> ends;
    for (std::int64_t i = 0; i < branches; ++i) {
      Made end = from;
      for (std::int64_t steps = below(4); steps >= 0; --steps) end = grow(end);
      ends.push_back(end);
    }
    if (below(4) == 0) {
      add_up(ends[0], ends[1]);
    } else {
      concatenate(ends);
    }
  }

  Made grow(const Made& from) {
    switch (below(8)) {
      case 0:
        return add(builder_.op("Activation", {{"act_type", "relu"}}, {from.value}), from.shape);
      case 1:
        return add(builder_.op("_mul_scalar", {{"scalar", "0.5"}}, {from.value}), from.shape);
      case 2:
        return add(builder_.op("softmax", {{"axis", "3"}}, {from.value}), from.shape);
      case 3:
        return products(from);
      case 4: {
        const std::int64_t channels = from.shape[3];
        const std::int64_t begin = below(channels), end = begin + 1 + below(channels - begin);
        return add(builder_.op("slice_axis", {{"axis", "3"}, {"begin", text(begin)}, {"end", text(end)}},
                               {from.value}),
                   {from.shape[0], from.shape[1], from.shape[2], end - begin});
      }
      default:
        return convolution(from, 1 + 2 * below(2));
    }
  }

  Made convolution(const Made& from, std::int64_t size) {
    const std::int64_t filters = 4 + below(20), seed = below(1000);
    const Value weight = builder_.parameter(
        "w" + text(seed),
        test::random_tensor({filters, from.shape[3], size, size}, static_cast<unsigned>(seed), -0.2f, 0.2f));
    const std::string kernel = concat("(", size, ", ", size, ")"),
                      pad = concat("(", size / 2, ", ", size / 2, ")");
    return add(
        builder_.op("_mxinfer_convolution_nhwc",
                    {{"kernel", kernel}, {"pad", pad}, {"num_filter", text(filters)}, {"no_bias", "True"}},
                    {from.value, weight}),
        {from.shape[0], from.shape[1], from.shape[2], filters});
  }

  // Of each row of images with itself: computed weights, packed in the scratch memory of the step.
  Made products(const Made& from) {
    const Shape& s = from.shape;
    const Value rows = builder_.op(
        "Reshape", {{"shape", concat("(", s[0] * s[1], ", ", s[2], ", ", s[3], ")")}}, {from.value});
    const Value squares = builder_.op("batch_dot", {{"transpose_b", "True"}}, {rows, rows});
    const Value back = builder_.op("batch_dot", {}, {squares, rows});
    const Value small = builder_.op("softmax", {{"axis", "2"}}, {back});
    return add(builder_.op("Reshape", {{"shape", concat("(", s[0], ", ", s[1], ", ", s[2], ", ", s[3], ")")}},
                           {small}),
               s);
  }

  void concatenate(const std::vector<Made>& ends) {
    std::vector<Value> values;
    std::int64_t channels = 0;
    for (const Made& end : ends) {
      values.push_back(end.value);
      channels += end.shape[3];
    }
    const Shape& s = ends[0].shape;
    const Made all =
        add(builder_.op("Concat",
                        {{"dim", "3"}, {"num_args", text(static_cast<std::int64_t>(values.size()))}}, values),
            {s[0], s[1], s[2], channels});
    if (channels > 48) convolution(all, 1);
  }

  void add_up(const Made& a, const Made& b) {
    if (a.shape == b.shape) {
      add(builder_.op("elemwise_add", {}, {a.value, b.value}), a.shape);
    } else {
      concatenate({a, b});
    }
  }

  std::mt19937 random_;
  test::GraphBuilder builder_;
  std::vector<Made> values_;
};

class Prepared {
 public:
  Prepared(const graph::Graph& graph, const std::vector<ops::TensorType>& types, int threads,
           plan::Branches branches)
      : arena_(threads), executor_(planned(graph, types, threads, branches)) {}

  std::vector<Tensor> run(const std::vector<const void*>& inputs) {
    std::vector<Tensor> outputs;
    std::vector<void*> to;
    for (const auto& type : executor_.plan().outputs) outputs.emplace_back(type.dtype, type.shape);
    for (Tensor& output : outputs) to.push_back(output.raw());
    executor_.run(inputs.data(), to.data(), arena_);
    return outputs;
  }
  std::size_t regions() const { return executor_.plan().parallel_regions.size(); }

 private:
  static std::shared_ptr<const plan::Plan> planned(const graph::Graph& graph,
                                                   const std::vector<ops::TensorType>& types, int threads,
                                                   plan::Branches branches) {
    plan::WeightStore weights;
    plan::PlanOptions options{kernels::best_target(), threads};
    options.branches = branches;
    return plan::make_plan(graph, types, options, weights);
  }

  ThreadArena arena_;
  runtime::Executor executor_;
};

void expect_bits(const std::vector<Tensor>& outputs, const std::vector<Tensor>& expected) {
  ASSERT_EQ(outputs.size(), expected.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    ASSERT_EQ(outputs[i].shape(), expected[i].shape());
    ASSERT_EQ(std::memcmp(outputs[i].raw(), expected[i].raw(), expected[i].bytes()), 0) << "output " << i;
  }
}

TEST(BranchesSideBySide, GiveTheBitsOfOneThread) {
  // More workers than there may be cores.
  const tbb::global_control workers(tbb::global_control::max_allowed_parallelism, 4);
  std::size_t regions = 0;
  const Tensor data = test::random_tensor({2, 9, 7, 16}, 5);
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Forking graph(seed);
    const std::vector<ops::TensorType> types{{DType::float32, data.shape()}};
    const auto expected = Prepared(graph.graph(), types, 1, plan::Branches::never).run({data.raw()});
    for (const int threads : {4, 2}) {
      Prepared prepared(graph.graph(), types, threads, plan::Branches::wherever_there_are);
      regions += prepared.regions();
      for (int run = 0; run < 4; ++run) expect_bits(prepared.run({data.raw()}), expected);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(regions, 120u);
}

// What is packed for a product lies in the scratch memory of its step.
TEST(BranchesSideBySide, HaveScratchMemoryEach) {
  const tbb::global_control workers(tbb::global_control::max_allowed_parallelism, 4);
  test::GraphBuilder b;
  const Value data = b.input("data");
  std::vector<Value> ends;
  for (int i = 0; i < 4; ++i) {
    const Value scaled = b.op("_mul_scalar", {{"scalar", text(i)}}, {data});
    ends.push_back(b.op("batch_dot", {{"transpose_b", "True"}}, {scaled, scaled}));
    ends.back() = b.op("batch_dot", {}, {ends.back(), scaled});
  }
  b.head(b.op("Concat", {{"dim", "2"}, {"num_args", "4"}}, ends));
  const Tensor input = test::random_tensor({2, 200, 200}, 1);
  const std::vector<ops::TensorType> types{{DType::float32, input.shape()}};
  const auto expected = Prepared(b.graph(), types, 1, plan::Branches::never).run({input.raw()});
  Prepared prepared(b.graph(), types, 4, plan::Branches::wherever_there_are);
  ASSERT_EQ(prepared.regions(), 1u);
  for (int run = 0; run < 20; ++run) expect_bits(prepared.run({input.raw()}), expected);
}

// Several callers in one arena: each waits for its own workers, and may meet those of the others.
TEST(BranchesSideBySide, KeepSeveralCallersApart) {
  const Tensor data = test::random_tensor({2, 9, 7, 16}, 5);
  const std::vector<ops::TensorType> types{{DType::float32, data.shape()}};
  Forking graph(1);
  const auto expected = Prepared(graph.graph(), types, 1, plan::Branches::never).run({data.raw()});
  plan::WeightStore weights;
  plan::PlanOptions options{kernels::best_target(), 3};
  options.branches = plan::Branches::wherever_there_are;
  const auto plan = plan::make_plan(graph.graph(), types, options, weights);
  ThreadArena arena(3);
  std::vector<std::vector<Tensor>> outputs(4);
  std::vector<std::thread> callers;
  for (std::vector<Tensor>& mine : outputs) {
    callers.emplace_back([&] {
      runtime::Executor executor(plan);
      std::vector<void*> to;
      for (const auto& type : plan->outputs) mine.emplace_back(type.dtype, type.shape);
      for (Tensor& output : mine) to.push_back(output.raw());
      const void* from[] = {data.raw()};
      for (int run = 0; run < 10; ++run) executor.run(from, to.data(), arena);
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const std::vector<Tensor>& mine : outputs) expect_bits(mine, expected);
}

class BranchesOfABody : public ::testing::TestWithParam<const char*> {};

TEST_P(BranchesOfABody, RunSideBySideInEveryRound) {
  const auto prefix = std::filesystem::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "graphs" / GetParam();
  const test::Golden golden = test::read_golden(prefix.string() + ".npz");
  const auto model = Model::load(prefix.string());
  std::vector<const void*> inputs;
  std::vector<ops::TensorType> types;
  for (const DataDesc& desc : model.signature().inputs) {
    const Tensor& input = golden.inputs.at(desc.name);
    inputs.push_back(input.raw());
    types.push_back({input.dtype(), input.shape()});
  }
  const graph::Graph& graph = api::data_of(model).graph;
  const auto expected = Prepared(graph, types, 1, plan::Branches::never).run(inputs);
  for (const int threads : {2, 4}) {
    Prepared prepared(graph, types, threads, plan::Branches::wherever_there_are);
    for (int run = 0; run < 10; ++run) expect_bits(prepared.run(inputs), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, BranchesOfABody,
                         ::testing::Values("foreach_cell", "gluon_lstm_foreach", "foreach_in_foreach",
                                           "foreach_convolution", "while_to_the_end", "cond_in_while"));

}  // namespace
}  // namespace mxinfer
