// Random graphs of operators that share memory - slices, concatenations, reshapes, in-place functions -
// against the same operators one by one, each in memory of its own.
#include "plan/memory/storage.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::plan {
namespace {

using graph::Value;
using Attributes = std::map<std::string, std::string>;

/// A graph that grows, and what each of its values is when every operator runs by itself.
class Growing {
 public:
  explicit Growing(unsigned seed) : random_(seed), data_(test::random_tensor({below(4) + 2, 6}, seed)) {
    values_.push_back(builder_.input("data"));
    expected_.push_back(data_.clone());
  }

  void grow() {
    const std::size_t at = pick();
    const Shape& shape = expected_[at].shape();
    switch (below(7)) {
      case 0:
        return add("Activation", {{"act_type", "relu"}}, {at});
      case 1:
        return add("_mul_scalar", {{"scalar", "1.5"}}, {at});
      case 2: {
        const std::int64_t begin = below(shape[0]), end = begin + 1 + below(shape[0] - begin);
        return add("slice_axis",
                   {{"axis", "0"}, {"begin", std::to_string(begin)}, {"end", std::to_string(end)}}, {at});
      }
      case 3:
        return add("SliceChannel", {{"axis", std::to_string(below(2))}, {"num_outputs", "2"}}, {at});
      case 4:
        return add("Reshape", {{"shape", "(-1, " + std::to_string(shape[1]) + ")"}}, {at});
      case 5:
        return add("transpose", {{"axes", "(1, 0)"}}, {at});
      default:
        return concatenate(at);
    }
  }

  void check() {
    for (int i = 0; i < 3; ++i) heads_.push_back(pick());
    heads_.push_back(values_.size() - 1);
    for (const std::size_t head : heads_) builder_.head(values_[head]);
    const Tensor before = data_.clone();
    compare(test::run_graph(builder_.graph(), {&data_}));
    test::RunGraphOptions side_by_side;
    side_by_side.threads = 2;
    side_by_side.branches = Branches::wherever_there_are;
    compare(test::run_graph(builder_.graph(), {&data_}, side_by_side));
    EXPECT_EQ(std::memcmp(before.raw(), data_.raw(), data_.bytes()), 0);
  }

 private:
  void compare(const std::vector<Tensor>& outputs) const {
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      const Tensor& expected = expected_[heads_[i]];
      ASSERT_EQ(outputs[i].shape(), expected.shape());
      ASSERT_EQ(std::memcmp(outputs[i].raw(), expected.raw(), expected.bytes()), 0) << "head " << i;
    }
  }

  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_);
  }
  std::size_t pick() { return static_cast<std::size_t>(below(static_cast<std::int64_t>(values_.size()))); }

  void concatenate(std::size_t first) {
    const auto axis = static_cast<std::size_t>(below(2));
    std::vector<std::size_t> parts{first};
    for (int tries = 0; tries < 6; ++tries) {
      const std::size_t other = pick();
      if (expected_[other].shape()[1 - axis] == expected_[first].shape()[1 - axis]) parts.push_back(other);
    }
    if (parts.size() > 4) parts.resize(4);
    add("Concat", {{"dim", std::to_string(axis)}, {"num_args", std::to_string(parts.size())}}, parts);
  }

  /// Adds a node unless its result is too large, or its operator refuses the shapes.
  void add(const std::string& op, const Attributes& attrs, const std::vector<std::size_t>& inputs) {
    std::vector<const Tensor*> tensors;
    std::vector<Value> values;
    std::int64_t elements = 0;
    for (const std::size_t i : inputs) {
      tensors.push_back(&expected_[i]);
      values.push_back(values_[i]);
      elements += expected_[i].elements();
    }
    if (elements > 4000 || (op == "SliceChannel" && !is_even(attrs, *tensors[0]))) return;
    std::vector<Tensor> results = test::run_op(op, attrs, tensors);
    const Value node = builder_.op(op, attrs, values);
    for (std::size_t o = 0; o < results.size(); ++o) {
      values_.push_back({node.node, static_cast<std::int32_t>(o)});
      expected_.push_back(std::move(results[o]));
    }
  }

  static bool is_even(const Attributes& attrs, const Tensor& tensor) {
    return tensor.shape()[attrs.at("axis") == "0" ? 0 : 1] % 2 == 0;
  }

  std::mt19937 random_;
  Tensor data_;
  test::GraphBuilder builder_;
  std::vector<Value> values_;
  std::vector<Tensor> expected_;
  std::vector<std::size_t> heads_;
};

TEST(Storage, SharedMemoryChangesNoValue) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Growing graph(seed);
    for (int i = 0; i < 14; ++i) graph.grow();
    graph.check();
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace mxinfer::plan
