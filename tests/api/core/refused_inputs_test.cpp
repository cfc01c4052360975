// What an error says first of arrays that a network whose signature was guessed does not take.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <string>

#include "support/expect_error.h"
#include "support/networks/small_network.h"

namespace mxinfer {
namespace {

using test::SmallNetwork;

template <typename Call>
std::string text_of_refusal(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(RefusedInputs, AnotherDtypeIsSaidFirst) {
  SmallNetwork net;
  net.means_of_filters(net.variable("data"), 3);
  const Predictor predictor(net.load());
  for (const DType dtype : {DType::float64, DType::uint8}) {
    const Tensor array(dtype, {1, 3, 4, 4});
    const std::string said =
        "input 'data' must be float32, and " + std::string(to_string(dtype)) + " was given";
    const std::string text = text_of_refusal([&] { (void)predictor.predict({array.view()}); });
    const std::size_t at = text.find(said), node = text.find("node 'c' (Convolution)");
    EXPECT_NE(at, std::string::npos) << text;
    EXPECT_NE(node, std::string::npos) << text;
    EXPECT_LT(at, node) << text;
    EXPECT_NE(text.find("array.astype(\"float32\")"), std::string::npos) << text;
    Tensor output(DType::float32, {1, 2});
    EXPECT_NE(
        text_of_refusal([&] { predictor.predict_into({array.view()}, {output.mutable_view()}); }).find(said),
        std::string::npos);
    EXPECT_NE(text_of_refusal([&] { (void)predictor.predict_async({array.view()}).get(); }).find(said),
              std::string::npos);
  }
}

TEST(RefusedInputs, AWrongShapeIsNotPutDownToTheDtype) {
  SmallNetwork net;
  net.means_of_filters(net.variable("data"), 3);
  const Predictor predictor(net.load());
  const Tensor array(DType::float64, {1, 2, 4, 4});
  const std::string text = text_of_refusal([&] { (void)predictor.predict({array.view()}); });
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.find("must be float32"), std::string::npos) << text;
}

TEST(RefusedInputs, AnotherShapeIsSaidFirst) {
  SmallNetwork net;
  net.means_of_filters(net.variable("data"), 3);
  const Predictor predictor(net.load());
  const auto refusal = [&](DType dtype, const Shape& shape) {
    const Tensor array(dtype, shape);
    return text_of_refusal([&] { (void)predictor.predict({array.view()}); });
  };
  for (const auto& [dtype, shape] : {std::pair{DType::float32, Shape{1, 2, 4, 4}},
                                     {DType::float32, Shape{3, 4, 4}},
                                     {DType::float32, Shape{1, 4, 4, 3}},
                                     {DType::float64, Shape{1, 2, 4, 4}}}) {
    const std::string text = refusal(dtype, shape);
    EXPECT_EQ(text.find("input 'data' has shape " + to_string(shape) + ", (-1, 3, -1, -1) is expected"), 0u)
        << text;
    EXPECT_NE(text.find("node 'c' (Convolution)"), std::string::npos) << text;
  }
  EXPECT_EQ(refusal(DType::float32, {1, 3, 0, 4}).find("is expected (-1 is free)"), std::string::npos)
      << "the shape fits";
}

TEST(RefusedInputs, AnotherBatchIsSaidFirst) {
  SmallNetwork net;
  const int last = net.op("FullyConnected", "f", {{"num_hidden", "70"}, {"no_bias", "True"}},
                          {net.variable("data"), net.parameter("w", {70, 5})});
  net.op("Reshape", "r", {{"shape", "(4, 7, 10)"}}, {last});
  const Predictor predictor(net.load());
  const Tensor rows(DType::float32, {3, 5});
  EXPECT_MXINFER_ERROR(predictor.predict({rows.view()}), ErrorCode::invalid_argument,
                       {"input 'data' has a batch of 3", "only batches of 4", "'r' (Reshape)"});
}

}  // namespace
}  // namespace mxinfer
