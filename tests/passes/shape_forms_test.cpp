// What a graph says about shapes before sizes are known.
#include "passes/shape_forms.h"

#include <gtest/gtest.h>

#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::passes {
namespace {

using test::GraphBuilder;

graph::Value windows(GraphBuilder& b, graph::Value data, const std::string& name, const std::string& kernel,
                     const std::string& dilate) {
  return b.op("Convolution",
              {{"kernel", kernel}, {"dilate", dilate}, {"num_filter", "4"}, {"no_bias", "True"}},
              {data, b.parameter(name, test::random_tensor({4, 3, 3, 3}, 1))});
}

TEST(ShapeForms, EqualWindowsGiveEqualShapes) {
  GraphBuilder b;
  const auto data = b.input("data");
  const auto first = windows(b, data, "first", "(3, 3)", "(1, 1)");
  const auto same = windows(b, data, "same", "(3, 3)", "(1, 1)");
  const auto apart = windows(b, data, "apart", "(3, 3)", "(2, 1)");
  const ShapeForms forms(b.graph());
  EXPECT_TRUE(forms.are_equal(first, same));
  EXPECT_FALSE(forms.are_equal(first, apart));
}

// Inference rejects such a file later; here nothing may overflow.
TEST(ShapeForms, NothingIsKnownBehindWindowsThatNoLayerHas) {
  for (const char* kernel :
       {"(4611686018427387904, 1)", "(1, 9223372036854775807)", "(-9223372036854775808, 1)"}) {
    GraphBuilder b;
    const auto data = b.input("data");
    const char* dilate = "(2305843009213693952, 2305843009213693952)";
    const auto first = windows(b, data, "first", kernel, dilate);
    const auto second = windows(b, data, "second", kernel, dilate);
    EXPECT_FALSE(ShapeForms(b.graph()).are_equal(first, second));
  }
}

}  // namespace
}  // namespace mxinfer::passes
