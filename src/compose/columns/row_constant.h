// Rows of numbers as MXNet's operators, so that a model with them needs no additional parameters.
#pragma once

#include <mxinfer/dtype.h>

#include <string>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::api {

/// Appends the row (1, numbers.size()): equal neighbours are one _full, and Concat joins those. The names
/// begin with `prefix` and are new. Precondition: there is a number.
graph::Value append_row(graph::Graph& graph, const std::string& prefix, const std::vector<double>& numbers,
                        DType dtype);

}  // namespace mxinfer::api
