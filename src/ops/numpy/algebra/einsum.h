// Subscripts of einsum as labels, with the size of each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ops/numpy/algebra/contraction.h"

namespace mxinfer::ops {

/// The labels of the dimensions of an array: a letter's code, or one above kEllipsis for each dimension that
/// "..." stands for, counted from the last.
using Labels = std::vector<int>;
inline constexpr int kEllipsis = 256;

struct Einsum {
  std::vector<Labels> inputs{};
  Labels output{};
  std::map<int, std::int64_t> sizes{};

  Shape output_shape() const;
};

/// Throws Error(invalid_argument) if the subscripts are not those of such arrays.
Einsum parse_einsum(std::string_view subscripts, const std::vector<Shape>& shapes);

/// Elements from one index of a label to the next in an array of that shape: 0 if it has no such label, or
/// repeats its only element; the sum if it has it several times.
std::int64_t label_stride(const Labels& labels, const Shape& shape, int label);

/// The contraction of arrays a and b, whose output has the labels `output`. `swaps` is set if a is the right
/// side of the contraction.
Contraction pair_contraction(const Einsum& einsum, const Shape& a, const Shape& b, bool& swaps);

Einsum einsum_of(const OpProblem& node);

}  // namespace mxinfer::ops
