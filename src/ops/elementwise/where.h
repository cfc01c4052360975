// What NumPy's forms of where choose between.
#pragma once

#include <optional>

#include "graph/graph.h"

namespace mxinfer::ops {

/// An input, or a number.
struct WhereChoice {
  std::size_t input = 0;
  std::optional<double> number{};
};

struct WhereChoices {
  WhereChoice x, y;  ///< where the condition, input 0, is not 0; where it is
};

/// Of _npi_where and its forms with numbers.
WhereChoices where_choices(const graph::Node& node);

}  // namespace mxinfer::ops
