// Reads fields of untrusted JSON objects: every error names the key, its value and what was expected.
#pragma once

#include <mxinfer/shape.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace mxinfer::formats {

/// "number 3": a value's type and the start of its text.
std::string json_excerpt(const nlohmann::json& value);

/// The value of a key; nullptr if it is missing.
const nlohmann::json* json_find(const nlohmann::json& object, const char* key);

[[noreturn]] void reject_json(const std::string& what, const nlohmann::json& value, const char* expected);

/// `what` begins the message: "\"name\"".
const std::string& json_text(const std::string& what, const nlohmann::json& value);
std::int64_t json_integer(const std::string& what, const nlohmann::json& value, std::int64_t minimum,
                          std::int64_t maximum);
const nlohmann::json& json_list(const std::string& what, const nlohmann::json& value, std::size_t most);
const nlohmann::json& json_object(const std::string& what, const nlohmann::json& value);

/// A list of dimensions, each from `minimum` to `maximum`; the value of a key "shape".
Shape json_shape(const nlohmann::json& value, std::int64_t minimum, std::int64_t maximum);

/// As above, of a key that must be there.
const nlohmann::json& json_require(const nlohmann::json& object, const char* key);

}  // namespace mxinfer::formats
