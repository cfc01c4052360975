#include "tensor/parameter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace mxinfer {
namespace {

Tensor counting(std::int64_t elements) {
  Tensor tensor(DType::float32, {elements});
  for (std::int64_t i = 0; i < elements; ++i) tensor.data<float>()[i] = static_cast<float>(i);
  return tensor;
}

TEST(Parameter, InMemoryIsWhatItWasGiven) {
  Tensor tensor = counting(5);
  const void* elements = tensor.raw();
  const Parameter parameter(std::move(tensor));
  EXPECT_TRUE(parameter.in_memory());
  EXPECT_EQ(parameter.shape(), Shape({5}));
  EXPECT_EQ(parameter.bytes(), 20u);
  EXPECT_EQ(parameter.value()->raw(), elements);
  float copy[5] = {};
  parameter.copy_to(copy);
  EXPECT_EQ(copy[4], 4);
}

TEST(Parameter, ElsewhereIsMadeWhenAskedForAndGoneAfterwards) {
  int made = 0;
  const Parameter parameter(DType::float32, {3}, [&made](void* dst) {
    std::fill_n(static_cast<float*>(dst), 3, static_cast<float>(++made));
  });
  EXPECT_FALSE(parameter.in_memory());
  EXPECT_EQ(parameter.elements(), 3);
  EXPECT_EQ(made, 0);
  {
    const auto first = parameter.value(), second = parameter.value();
    EXPECT_EQ(first, second) << "who asks while it is held gets the same";
    EXPECT_EQ(first->data<float>()[2], 1);
  }
  EXPECT_EQ(parameter.value()->data<float>()[0], 2);
  float copy[3] = {};
  parameter.copy_to(copy);
  EXPECT_EQ(copy[0], 3);
}

TEST(Parameter, TheLargestMagnitudeIsFoundOnce) {
  int made = 0;
  const Parameter parameter(DType::float32, {3}, [&made](void* dst) {
    const float values[3] = {1.0f, -3.5f, 2.0f};
    std::copy(values, values + 3, static_cast<float*>(dst));
    ++made;
  });
  EXPECT_EQ(parameter.largest_magnitude(), 3.5f);
  EXPECT_EQ(parameter.largest_magnitude(), 3.5f);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(Parameter(Tensor(DType::float32, {0})).largest_magnitude(), 0.0f);
  Tensor special = counting(4);
  special.data<float>()[1] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(Parameter(special.clone()).largest_magnitude(), std::numeric_limits<float>::infinity());
  special.data<float>()[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(Parameter(special.clone()).largest_magnitude()));
}

TEST(Parameter, WhatFailsIsTriedAgain) {
  bool fails = true;
  const Parameter parameter(DType::float32, {1}, [&fails](void* dst) {
    if (fails) throw std::runtime_error("not now");
    *static_cast<float*>(dst) = 7;
  });
  EXPECT_THROW((void)parameter.value(), std::runtime_error);
  fails = false;
  EXPECT_EQ(parameter.value()->data<float>()[0], 7);
}

TEST(Parameter, TakingCopiesOnlyWhatOthersHold) {
  auto alone = make_parameter(counting(4));
  const void* elements = alone->value()->raw();
  EXPECT_EQ(Parameter::take(std::move(alone)).raw(), elements);

  const auto shared = make_parameter(counting(4));
  const Tensor copy = Parameter::take(shared);
  EXPECT_NE(copy.raw(), shared->value()->raw());
  EXPECT_EQ(copy.data<float>()[3], 3);

  auto value_held = make_parameter(counting(4));
  const auto value = value_held->value();
  EXPECT_NE(Parameter::take(std::move(value_held)).raw(), value->raw());
  EXPECT_EQ(value->data<float>()[3], 3);
}

}  // namespace
}  // namespace mxinfer
