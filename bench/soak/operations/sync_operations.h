// Calls that wait for their answer.
#pragma once

#include "soak/hands.h"

namespace mxinfer::soak {

void predict(Hands& hands);
void predict_into(Hands& hands);
void predict_flat(Hands& hands);
void classify_batch(Hands& hands);
void classify_bytes(Hands& hands);

}  // namespace mxinfer::soak
