// Calls that are submitted: awaited, collected, cancelled, late, refused, left alone.
#pragma once

#include "soak/hands.h"

namespace mxinfer::soak {

void predict_async(Hands& hands);
void predict_into_async(Hands& hands);
void classify_async(Hands& hands);
void classify_bytes_async(Hands& hands);
void collect_completions(Hands& hands);
void submit_to_a_queue_of_its_own(Hands& hands);
void cancel(Hands& hands);
void expire(Hands& hands);
void fill_the_queue(Hands& hands);
void abandon(Hands& hands);

}  // namespace mxinfer::soak
