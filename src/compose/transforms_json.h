// Lists of transforms as JSON text and back.
#pragma once

#include <mxinfer/tools/transforms.h>

#include <string>
#include <string_view>

namespace mxinfer::api {

/// As parse_transforms. Relative paths of files are resolved against `folder`, unless that is empty.
TransformLists parse_transform_lists(std::string_view json, const std::string& folder = {});

/// A list of steps as JSON text, with numbers, tuples and flags as JSON values.
std::string to_json(const std::vector<Transform>& steps);
/// An object from name to list, or to {"columns": [...]}, and the texts, without the contents of the files
/// that they name.
std::string to_json(const std::map<std::string, std::vector<Transform>>& lists,
                    const std::map<std::string, std::vector<ColumnTransform>>& columns = {},
                    const std::vector<TextTransform>& texts = {});

}  // namespace mxinfer::api
