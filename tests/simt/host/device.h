// The emulated devices, and the one of the calling thread.
#pragma once

#include <cstddef>

#include "simt/host/options.h"

namespace mxinfer::simt {

int current_device();
/// The most shared memory of a block.
std::size_t most_shared_bytes(const Options& options);

}  // namespace mxinfer::simt
