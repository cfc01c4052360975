// Numbers as attributes of nodes.
#pragma once

#include <string>

namespace mxinfer::api {

/// Formats a number like MXNet's attributes: the shortest text that reads back the same.
std::string number_text(double value);
std::string number_text(float value);

}  // namespace mxinfer::api
