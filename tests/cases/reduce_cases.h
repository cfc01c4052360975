// kernels/reduce: reduce_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::cases {

/// An array (outer, middle, inner) that is reduced along the middle, or along the other two.
struct Reduce {
  Case label;
  std::int64_t outer, middle, inner;
  bool keep_middle = false;
};

inline constexpr Reduce kReduce[] = {
    {{"nhwc_7x7x2048", "global average of ResNet-50, channels last"}, 1, 49, 2048},
    {{"nchw_2048x7x7", "the same, channels first"}, 2048, 49, 1},
    {{"tokens_128x768", "mean over the tokens of BERT"}, 1, 128, 768},
    {{"features_128x768", "a norm of each token's features"}, 128, 768, 1},
    {{"channels_64x112x112", "statistics of channels, batch 4", kLarge}, 4, 64, 112 * 112, true},
    {{"odd_rows", "rows that end inside a vector"}, 37, 131, 1},
    {{"odd_columns", "columns that end inside a vector"}, 3, 65, 67},
};

/// The functions of reduce_simd.cpp.
inline constexpr const char* kReduceFunctions[] = {"sum", "mean", "max", "min", "norm1", "norm2", "squares"};

inline kernels::ReduceShape shape_of(const Reduce& c) {
  kernels::ReduceDims outer, middle;
  outer.rank = 2;
  outer.sizes = {c.outer, c.inner};
  outer.strides = {c.middle * c.inner, 1};
  middle.rank = 1;
  middle.sizes = {c.middle};
  middle.strides = {c.inner};
  return c.keep_middle ? kernels::ReduceShape{middle, outer} : kernels::ReduceShape{outer, middle};
}

}  // namespace mxinfer::cases
