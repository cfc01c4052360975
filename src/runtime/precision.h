// The precision of a predictor: its option, and the model's graph at it.
//
//   const kernels::Precision precision = choose_precision(options.precision);
//   GraphAtPrecision network(model.graph, precision);
//   plan::make_plan(network.graph(), ...);
#pragma once

#include <mxinfer/options.h>

#include <optional>

#include "graph/graph.h"
#include "kernels/common/precision.h"

namespace mxinfer::api {

/// Throws Error(invalid_argument) for a number that is none.
kernels::Precision choose_precision(Precision option);

/// The model's own graph for float32; otherwise a copy, which shares its parameters.
class GraphAtPrecision {
 public:
  /// `graph` must outlive it.
  GraphAtPrecision(const graph::Graph& graph, kernels::Precision precision);
  GraphAtPrecision(const GraphAtPrecision&) = delete;
  GraphAtPrecision& operator=(const GraphAtPrecision&) = delete;

  const graph::Graph& graph() const { return lowered_ ? *lowered_ : own_; }

 private:
  const graph::Graph& own_;
  std::optional<graph::Graph> lowered_;
};

}  // namespace mxinfer::api
