// Descriptors of inputs and outputs as text.
#pragma once

#include <mxinfer/signature.h>

#include <string_view>
#include <vector>

namespace mxinfer::api {

/// Parses several descriptors, as a JSON array as in a signature file ([{"name": "data", "shape": [-1, 3,
/// 224, 224]}]), or in the form of parse_data_desc with ';' between. Throws Error(invalid_argument).
std::vector<DataDesc> parse_data_descs(std::string_view text);

}  // namespace mxinfer::api
