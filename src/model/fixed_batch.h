// The batch of a network that accepts only one size, because training wrote it into a Reshape, a state or a
// constant.
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace mxinfer::api {

/// The number of samples of each run, if the first dimensions of all inputs fix the same number; nullopt if
/// the batch is free.
std::optional<std::int64_t> fixed_batch(const std::vector<DataDesc>& inputs);

/// The same descriptors with a free batch.
DataDesc with_any_batch(DataDesc desc);

}  // namespace mxinfer::api
