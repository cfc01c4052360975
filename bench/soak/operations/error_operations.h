// Calls that must fail, and how.
#pragma once

#include "soak/hands.h"

namespace mxinfer::soak {

void wrong_shape(Hands& hands);
void wrong_shape_async(Hands& hands);
void wrong_image(Hands& hands);
void wrong_model(Hands& hands);

}  // namespace mxinfer::soak
