// Finds the axes of sequences and tokens in a generator's tokens and scores, by inferring shapes for other
// numbers of both.
#pragma once

#include <mxinfer/predictor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/generation/generator_graph.h"

namespace mxinfer::api {

/// Sets GeneratorGraph::layout, and, if a trial shows them, the axes of states and the size of the
/// vocabulary. `given` is GeneratorOptions::token_layout. Precondition: everything that
/// find_generator_graph() finds by names and operators is set.
void find_layout(const Predictor& predictor, const std::string& given, GeneratorGraph& graph);

/// Sets GeneratorGraph::scores_by_time for a network that takes a whole prefix. Precondition: find_layout()
/// was called.
void find_order_of_scores(const Predictor& predictor, const std::vector<std::int64_t>& buckets,
                          GeneratorGraph& graph);

}  // namespace mxinfer::api
