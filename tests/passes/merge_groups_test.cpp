// Groups of few filters are put side by side.
#include <gtest/gtest.h>

#include "passes/passes.h"
#include "support/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Attrs = std::map<std::string, std::string>;
using Names = std::vector<std::string>;
constexpr const char* kConv = "_mxinfer_convolution_nhwc";

Value convolution(GraphBuilder& b, Value x, std::int64_t channels, std::int64_t filters, std::int64_t kernel,
                  std::int64_t groups = 1) {
  const std::string k = std::to_string(kernel), p = std::to_string(kernel / 2);
  return b.op("Convolution",
              {{"kernel", "(" + k + ", " + k + ")"},
               {"pad", "(" + p + ", " + p + ")"},
               {"num_filter", std::to_string(filters)},
               {"num_group", std::to_string(groups)}},
              {x, b.parameter("w", test::random_tensor({filters, channels / groups, kernel, kernel}, 5)),
               b.parameter("b", test::random_tensor({filters}, 6))});
}

void expect_optimized(GraphBuilder& b, const Tensor& data, const Names& ops) {
  graph::Graph optimized = b.graph();
  passes::optimize(optimized);
  graph::verify(optimized);
  EXPECT_EQ(test::op_names(optimized), ops);
  for (const auto target : test::targets()) {
    const auto before = test::run_graph(b.graph(), {&data}, {target}),
               after = test::run_graph(optimized, {&data}, {target});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_LE(test::relative_difference(after[i], before[i]), 1e-5) << kernels::to_string(target);
  }
}

TEST(MergeGroups, FewFiltersOfAGroupGetCompany) {
  for (const auto& [channels, filters, groups] :
       {std::tuple{128, 128, 32}, std::tuple{24, 24, 3}, std::tuple{6, 12, 6}, std::tuple{10, 15, 5}}) {
    GraphBuilder b;
    const Value x = convolution(b, b.input("data"), 3, channels, 3);
    b.head(convolution(b, x, channels, filters, 3, groups));
    expect_optimized(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, kConv, "transpose"});
  }
}

TEST(MergeGroups, OnlyAsManyAsFillVectors) {
  const auto groups_left = [](std::int64_t channels, std::int64_t groups) {
    GraphBuilder b;
    b.head(convolution(b, b.input("data"), channels, channels, 3, groups));
    graph::Graph optimized = b.graph();
    passes::optimize(optimized);
    for (const graph::Node& node : optimized.nodes) {
      if (node.op != nullptr && node.op_name == "Convolution") return node.attrs.integer("num_group");
    }
    return std::int64_t{0};
  };
  EXPECT_EQ(groups_left(128, 32), 8);
  EXPECT_EQ(groups_left(1024, 32), 32);
  EXPECT_EQ(groups_left(24, 3), 1);
  EXPECT_EQ(groups_left(32, 32), 32);  // a filter for each channel
}

}  // namespace
}  // namespace mxinfer
