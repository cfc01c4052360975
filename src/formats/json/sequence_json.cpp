#include "formats/json/sequence_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/text/side_name.h"
#include "formats/json_fields.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostLengths = 1024;
constexpr std::int64_t kLongestBucket = std::int64_t{1} << 24;

constexpr const char* kTruncate = "truncate";
constexpr const char* kError = "error";

std::string quoted(const char* key) {
  return concat("\"", key, "\"");
}

std::string name_in(const json& object, const char* key) {
  const json* value = json_find(object, key);
  return value == nullptr ? std::string() : json_text(quoted(key), *value);
}

std::optional<Side> side_in(const json& object, const char* key) {
  const json* value = json_find(object, key);
  if (value == nullptr) return std::nullopt;
  const std::optional<Side> side = side_named(json_text(quoted(key), *value));
  if (!side) reject_json(quoted(key), *value, "left or right");
  return side;
}

std::optional<TooLong> too_long_in(const json& object) {
  const json* value = json_find(object, "too_long");
  if (value == nullptr) return std::nullopt;
  const std::string& what = json_text("\"too_long\"", *value);
  if (what != kTruncate && what != kError) reject_json("\"too_long\"", *value, "truncate or error");
  return what == kTruncate ? TooLong::truncate : TooLong::error;
}

std::optional<double> pad_value_in(const json& object) {
  const json* value = json_find(object, "pad_value");
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) reject_json("\"pad_value\"", *value, "a number");
  return value->get<double>();
}

std::vector<std::int64_t> buckets_in(const json& object) {
  std::vector<std::int64_t> buckets;
  const json* list = json_find(object, "buckets");
  if (list == nullptr) return buckets;
  for (const json& length : json_list("\"buckets\"", *list, kMostLengths)) {
    const std::int64_t shortest = buckets.empty() ? 1 : buckets.back() + 1;
    buckets.push_back(json_integer(concat("\"buckets\"[", buckets.size(), "], of ascending lengths,"), length,
                                   shortest, kLongestBucket));
  }
  return buckets;
}

ordered_json to_json(const FileSequence& sequence) {
  ordered_json out = ordered_json::object();
  const auto add_side = [&](const char* key, const std::optional<Side>& side) {
    if (side) out[key] = side_name(*side);
  };
  if (!sequence.ids.empty()) out["ids"] = sequence.ids;
  if (!sequence.length.empty()) out["length"] = sequence.length;
  if (!sequence.segments.empty()) out["segments"] = sequence.segments;
  if (!sequence.buckets.empty()) out["buckets"] = sequence.buckets;
  if (sequence.pad_value) out["pad_value"] = *sequence.pad_value;
  add_side("pad_side", sequence.pad_side);
  if (sequence.too_long) out["too_long"] = *sequence.too_long == TooLong::error ? kError : kTruncate;
  add_side("truncate_side", sequence.truncate_side);
  return out;
}

}  // namespace

FileSequence read_sequence(const json& object) {
  return in_context([] { return std::string("\"sequence\""); },
                    [&] {
                      json_object("it", object);
                      FileSequence sequence;
                      sequence.ids = name_in(object, "ids");
                      sequence.length = name_in(object, "length");
                      sequence.segments = name_in(object, "segments");
                      sequence.buckets = buckets_in(object);
                      sequence.pad_value = pad_value_in(object);
                      sequence.pad_side = side_in(object, "pad_side");
                      sequence.too_long = too_long_in(object);
                      sequence.truncate_side = side_in(object, "truncate_side");
                      return sequence;
                    });
}

std::string sequence_text(const FileSequence& sequence) {
  const std::string text = to_json(sequence).dump();
  (void)read_sequence(json::parse(text));
  return text;
}

void require_inputs(const FileSequence& sequence, const std::vector<DataDesc>& inputs) {
  const auto require = [&](const char* key, const std::string& name) {
    const bool is_there =
        std::any_of(inputs.begin(), inputs.end(), [&](const DataDesc& input) { return input.name == name; });
    if (name.empty() || is_there) return;
    fail(ErrorCode::malformed, "\"sequence\"", kTrail, "\"", key, "\" is '", printable(name),
         "', but the network has no input of that name");
  };
  require("ids", sequence.ids);
  require("length", sequence.length);
  require("segments", sequence.segments);
}

}  // namespace mxinfer::formats
