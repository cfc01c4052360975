// A network that takes about 100 microseconds on one thread.
#pragma once

#include <mxinfer/model.h>

#include <cstdint>

namespace mxinfer::bench::dense_layers {

/// Of its input, "data", and its output. The weights fit the cache of a core: how memory is read is measured
/// elsewhere.
inline constexpr std::int64_t kBatch = 64, kWidth = 256;

Model model();

}  // namespace mxinfer::bench::dense_layers
