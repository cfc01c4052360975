#include "formats/json_fields.h"

#include <nlohmann/json.hpp>

#include "base/fail.h"

namespace mxinfer::formats {

using nlohmann::json;

std::string json_excerpt(const json& value) {
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return concat(value.type_name(), " ", printable(text));
}

const json* json_find(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

void reject_json(const std::string& what, const json& value, const char* expected) {
  fail(ErrorCode::malformed, what, " is ", json_excerpt(value), "; expected ", expected);
}

const std::string& json_text(const std::string& what, const json& value) {
  if (!value.is_string()) reject_json(what, value, "text");
  return value.get_ref<const std::string&>();
}

std::int64_t json_integer(const std::string& what, const json& value, std::int64_t minimum,
                          std::int64_t maximum) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(maximum)
                        : value.is_number_integer();
  if (!fits || value.get<std::int64_t>() < minimum) {
    reject_json(what, value, concat("a whole number from ", minimum, " to ", maximum).c_str());
  }
  return value.get<std::int64_t>();
}

const json& json_list(const std::string& what, const json& value, std::size_t most) {
  if (!value.is_array()) reject_json(what, value, "a list");
  if (value.size() > most) {
    fail(ErrorCode::malformed, what, " has ", value.size(), " entries; the limit is ", most);
  }
  return value;
}

const json& json_object(const std::string& what, const json& value) {
  if (!value.is_object()) reject_json(what, value, "an object");
  return value;
}

Shape json_shape(const json& value, std::int64_t minimum, std::int64_t maximum) {
  Shape shape;
  for (const json& dim : json_list("\"shape\"", value, Shape::kMaxRank)) {
    shape.push_back(json_integer(concat("dimension ", shape.rank(), " of \"shape\""), dim, minimum, maximum));
  }
  return shape;
}

const json& json_require(const json& object, const char* key) {
  const json* found = json_find(object, key);
  if (found == nullptr) fail(ErrorCode::malformed, "key \"", key, "\" is missing");
  return *found;
}

}  // namespace mxinfer::formats
