// What the shapes of a generator's network say of it, inferred for other numbers of sequences and tokens:
// where its tokens and its scores have those.
#pragma once

#include <mxinfer/predictor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "api/generation/generator_graph.h"

namespace mxinfer::api {

/// Sets GeneratorGraph::layout, and, if a trial shows them, the axes of states and the size of the
/// vocabulary. `given` is GeneratorOptions::token_layout. Precondition: all else that find_generator_graph()
/// finds by names and operators is there.
void find_layout(const Predictor& predictor, const std::string& given, GeneratorGraph& graph);

/// Sets GeneratorGraph::scores_by_time of a network that takes a whole prefix. Precondition: find_layout().
void find_order_of_scores(const Predictor& predictor, const std::vector<std::int64_t>& buckets,
                          GeneratorGraph& graph);

}  // namespace mxinfer::api
