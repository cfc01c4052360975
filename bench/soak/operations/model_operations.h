// Models and predictors that come and go.
#pragma once

#include "soak/hands.h"

namespace mxinfer::soak {

void make_predictor(Hands& hands);
/// As many predictors as the threads have at the same time at most. oneTBB's arenas, some kilobytes each, are
/// kept for later ones when theirs go: so there are never more of them than after this.
void make_predictors_at_once(const Stage& stage, int threads);
void destroy_in_flight(Hands& hands);
void load_and_free(Hands& hands);
void replace(Hands& hands);
void trim(Hands& hands);

}  // namespace mxinfer::soak
