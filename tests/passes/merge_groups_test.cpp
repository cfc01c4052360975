// Groups of few filters are put side by side.
#include <gtest/gtest.h>

#include "support/networks/optimized.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::convolution;
using test::expect_optimized;
using test::GraphBuilder;
using Attrs = std::map<std::string, std::string>;
using Names = std::vector<std::string>;
using test::kConv;

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
    pipeline::optimise(optimized, {.folds_constants = false});
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
