// The batch of a network that takes no other: one that its training wrote into a Reshape, a state or a
// constant.
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace mxinfer::api {

/// How many samples each run takes, if the descriptors of all inputs say so with one number, and in front;
/// nothing if it is free.
std::optional<std::int64_t> fixed_batch(const std::vector<DataDesc>& inputs);

/// The same with any number of samples.
DataDesc with_any_batch(DataDesc desc);

}  // namespace mxinfer::api
