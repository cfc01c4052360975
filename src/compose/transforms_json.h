// Lists of transforms as JSON text and back.
#pragma once

#include <mxinfer/tools/transforms.h>

#include <string>
#include <string_view>

namespace mxinfer::api {

/// As parse_transforms.
TransformLists parse_transform_lists(std::string_view json);

/// A list of steps as JSON text; numbers, tuples and flags as JSON has them.
std::string to_json(const std::vector<Transform>& steps);
/// An object from name to list, or to {"columns": [...]}.
std::string to_json(const std::map<std::string, std::vector<Transform>>& lists,
                    const std::map<std::string, std::vector<ColumnTransform>>& columns = {});

/// A number as MXNet's attributes have it: the shortest text that reads back the same.
std::string number_text(double value);
std::string number_text(float value);

}  // namespace mxinfer::api
