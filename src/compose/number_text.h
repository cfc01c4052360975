// Numbers as attributes of nodes.
#pragma once

#include <string>

namespace mxinfer::api {

/// A number as MXNet's attributes have it: the shortest text that reads back the same.
std::string number_text(double value);
std::string number_text(float value);

}  // namespace mxinfer::api
