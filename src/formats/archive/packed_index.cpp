#include "formats/archive/packed_index.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "base/text/strict_json.h"
#include "formats/json_fields.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;

constexpr std::size_t kMostWeights = 262'144;
constexpr int kHexDigits = 16;

// JSON readers may keep 53 bits of a number, so checksums are text.
std::string to_hex(std::uint64_t value) {
  std::array<char, kHexDigits + 1> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

std::uint64_t hex_of(const json& object, const char* key) {
  const std::string what = concat("\"", key, "\"");
  const json& value = json_require(object, key);
  const std::string& text = json_text(what, value);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, kHexDigits);
  if (text.size() != kHexDigits || error != std::errc() || end != text.data() + text.size())
    reject_json(what, value, "16 hexadecimal digits");
  return number;
}

std::uint64_t number_of(const json& object, const char* key, std::int64_t most) {
  return static_cast<std::uint64_t>(
      json_integer(concat("\"", key, "\""), json_require(object, key), 0, most));
}

std::string text_of(const json& object, const char* key) {
  return json_text(concat("\"", key, "\""), json_require(object, key));
}

PackedEntry parse_entry(const json& object) {
  json_object("a weight", object);
  PackedEntry entry;
  entry.parameter = number_of(object, "parameter", std::numeric_limits<std::int32_t>::max());
  entry.name = text_of(object, "name");
  entry.packing = text_of(object, "packing");
  entry.offset = number_of(object, "offset", static_cast<std::int64_t>(kMostBytes));
  entry.bytes = number_of(object, "bytes", static_cast<std::int64_t>(kMostBytes));
  entry.checksum = hex_of(object, "checksum");
  return entry;
}

// Weights that share bytes would be two views of one memory.
void check_order(const std::vector<PackedEntry>& weights) {
  std::uint64_t end = 0;
  for (const PackedEntry& weight : weights) {
    if (weight.offset % kAlignment != 0) {
      fail(ErrorCode::malformed, "weight '", printable(weight.name), "' begins at byte ", weight.offset,
           ", which is no multiple of ", kAlignment);
    }
    if (weight.offset < end) {
      fail(ErrorCode::malformed, "weight '", printable(weight.name), "' begins at byte ", weight.offset,
           ", in front of the end of the weight before it, ", end);
    }
    end = weight.offset + weight.bytes;
  }
}

}  // namespace

std::optional<PackedIndex> parse_packed_index(std::string_view text) {
  const json root = parse_strict_json(text, {8, 10 * kMostWeights});
  json_object("the index", root);
  if (number_of(root, "format", std::numeric_limits<std::int32_t>::max()) != kPackedFormat)
    return std::nullopt;
  PackedIndex index;
  index.key = {text_of(root, "library"), text_of(root, "target"), text_of(root, "precision"),
               hex_of(root, "graph")};
  index.data = text_of(root, "data");
  for (const json& entry : json_list("\"weights\"", json_require(root, "weights"), kMostWeights))
    index.weights.push_back(parse_entry(entry));
  check_order(index.weights);
  return index;
}

std::string packed_index_text(const PackedIndex& index) {
  nlohmann::ordered_json root;
  root["format"] = kPackedFormat;
  root["library"] = index.key.library;
  root["target"] = index.key.target;
  root["precision"] = index.key.precision;
  root["graph"] = to_hex(index.key.graph);
  root["data"] = index.data;
  root["weights"] = nlohmann::ordered_json::array();
  for (const PackedEntry& weight : index.weights) {
    root["weights"].push_back({{"parameter", weight.parameter},
                               {"name", weight.name},
                               {"packing", weight.packing},
                               {"offset", weight.offset},
                               {"bytes", weight.bytes},
                               {"checksum", to_hex(weight.checksum)}});
  }
  return root.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void check_inside(const PackedIndex& index, std::int64_t bytes) {
  if (index.weights.empty()) return;
  const PackedEntry& last = index.weights.back();
  if (last.offset + last.bytes > static_cast<std::uint64_t>(bytes)) {
    fail(ErrorCode::malformed, "weight '", printable(last.name), "' ends at byte ", last.offset + last.bytes,
         " of '", printable(index.data), "', which has ", bytes);
  }
}

}  // namespace mxinfer::formats
