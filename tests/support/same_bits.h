// Compares arrays bit by bit: -0 differs from 0, and NaN equals itself.
#pragma once

#include <gtest/gtest.h>
#include <mxinfer/tensor.h>

#include <cstring>

namespace mxinfer::test {

inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

inline void expect_same_bits(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_TRUE(same_bits(a, b));
}

}  // namespace mxinfer::test
