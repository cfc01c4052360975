// Composes a piece of a sequence from the lengths that a network accepts, for states that must not see
// padding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer::api {

/// The fewest of `lengths` (ascending, not empty) whose sum is `length`, the longest first. Throws
/// Error(invalid_argument) if no sum fits. `name` is that of the model, for errors.
std::vector<std::int64_t> pieces_of(std::int64_t length, const std::vector<std::int64_t>& lengths,
                                    const std::string& name);

}  // namespace mxinfer::api
