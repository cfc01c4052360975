// Images whose size, or whose layout, neither the file nor the network says.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include "support/expect_error.h"
#include "support/networks/small_network.h"

namespace mxinfer {
namespace {

using test::SmallNetwork;

TEST(OpenImages, AreDescribedInFullWhereTheyAreNotKnown) {
  SmallNetwork net;
  net.op("_mul_scalar", "twice", {{"scalar", "2"}}, {net.variable("data")});
  ImageOptions options;
  options.height = 64;
  options.width = 48;
  EXPECT_MXINFER_ERROR(ImageClassifier(net.load(), options), ErrorCode::invalid_argument,
                       {"LoadOptions::inputs data=-1,3,64,48:float32:NCHW",
                        "LoadOptions::inputs data=-1,64,48,3:float32:NHWC"});
  LoadOptions load;
  load.inputs = {{"data", {-1, 64, 48, 3}}};
  EXPECT_MXINFER_ERROR(ImageClassifier(net.load(load)), ErrorCode::invalid_argument,
                       {"give LoadOptions::inputs data=-1,64,48,3:float32:NHWC"});
}

TEST(OpenImages, GetTheUsualSide) {
  SmallNetwork net;
  net.means_of_filters(net.variable("data"), 3);
  const Predictor predictor(net.load());
  EXPECT_EQ(predictor.input_shapes()[0].second, (Shape{1, 3, 224, 224}));
  EXPECT_NO_THROW(predictor.warmup());
  EXPECT_FALSE(predictor.explain().steps.empty());
  SmallNetwork turned;
  turned.means_of_filters(
      turned.op("transpose", "turn", {{"axes", "(0, 3, 1, 2)"}}, {turned.variable("data")}), 3);
  EXPECT_EQ(Predictor(turned.load()).input_shapes()[0].second, (Shape{1, 224, 224, 3}));
}

}  // namespace
}  // namespace mxinfer
