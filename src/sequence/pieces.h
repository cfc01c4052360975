// How a piece of a sequence is put together of the lengths that a network takes, for states that must not see
// padding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer::api {

/// As few of `lengths` (rising, not empty) as possible whose sum is `length`, the longest first. Throws
/// Error(invalid_argument) if there are none. `name` is that of the model, for errors.
std::vector<std::int64_t> pieces_of(std::int64_t length, const std::vector<std::int64_t>& lengths,
                                    const std::string& name);

}  // namespace mxinfer::api
