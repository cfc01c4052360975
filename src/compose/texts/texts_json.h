// The texts of a file of transforms: {"texts": {"inputs": ["text"], "steps": [...], "max_length": 128, ...}}.
#pragma once

#include <mxinfer/tools/transforms.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mxinfer::api {

inline constexpr const char* kTexts = "texts";

/// Whether the value of `name` describes texts rather than the steps of an input of that name.
bool are_texts(const std::string& name, const nlohmann::json& value);

/// One description, or a list of them. Relative paths become those from `folder`, which ends in a slash or is
/// empty. Throws Error(malformed) naming the key.
std::vector<TextTransform> read_texts(const nlohmann::json& value, const std::string& folder);

/// Without the contents of files.
nlohmann::ordered_json texts_json(const std::vector<TextTransform>& texts);

}  // namespace mxinfer::api
