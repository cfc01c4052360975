// Statuses: CUDA's own, and one for each message of a check.
#pragma once

#include <string>

#include "simt/host/runtime_api.h"

namespace mxinfer::simt {

/// Prints the message on stderr; a status of which it is the text.
cudaError_t report(const std::string& message);

/// What cudaGetLastError returns to this thread from now on, unless it is success. Returns it.
cudaError_t remember(cudaError_t error);

}  // namespace mxinfer::simt
