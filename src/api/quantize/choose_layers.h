// Which layers compute with 8 bits: all, or as many as the results allow.
//
//   LayerChoice choice = choose_layers(runs, network, may_be_8bit, 0.01);
#pragma once

#include <vector>

#include "api/quantize/agreement.h"
#include "api/quantize/observe.h"
#include "api/quantize/sample_runs.h"
#include "compose/quantize/layers.h"
#include "compose/quantize/rewrite.h"

namespace mxinfer::api {

/// What a choice is made from.
struct CalibratedNetwork {
  const graph::Graph& graph;
  const std::vector<EightBitLayer>& layers;
  const std::vector<ComparedValue>& compared;
  const Observed& observed;
  ValueSteps::RangeOf range_of;
};

struct LayerChoice {
  std::vector<bool> enabled;     ///< by layer
  std::vector<double> noise_db;  ///< the signal-to-noise ratio of each layer; NaN if it was not measured
  Agreement agreement;           ///< of the network with these layers
  double drop_of_all = 0;        ///< of the network with all layers that may be enabled
};

/// `may_be[i]`: whether layer i may compute with 8 bits. Of those, as few as possible stay float32, the ones
/// with the most noise, so that the drop is at most `max_drop`. None may be left.
LayerChoice choose_layers(SampleRuns& runs, const CalibratedNetwork& network, const std::vector<bool>& may_be,
                          double max_drop);

/// How many times at most the samples run for that.
std::size_t most_evaluations(std::size_t layers);

}  // namespace mxinfer::api
