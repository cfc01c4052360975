// Lists of steps within a JSON file of transforms. Internal to this folder.
#pragma once

#include <mxinfer/tools/transforms.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mxinfer::api {

/// Throws Error(malformed) naming the step and the key.
std::vector<Transform> read_steps(const nlohmann::json& source);

/// Numbers, tuples and flags become JSON values.
nlohmann::ordered_json steps_json(const std::vector<Transform>& steps);

}  // namespace mxinfer::api
