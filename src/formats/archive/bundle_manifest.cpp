#include "formats/archive/bundle_manifest.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "formats/json_fields.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;

void check_version(const json& root) {
  const std::int64_t version =
      json_integer("\"version\"", json_require(root, "version"), 1, std::numeric_limits<std::int32_t>::max());
  if (version > kBundleVersion) {
    fail(ErrorCode::unsupported, "the bundle has version ", version, "; this library reads versions up to ",
         kBundleVersion, ": update mxinfer");
  }
}

std::string optional_text(const json& root, const char* key) {
  const json* found = json_find(root, key);
  return found == nullptr || found->is_null() ? std::string() : json_text(concat("\"", key, "\""), *found);
}

std::string required_text(const json& root, const char* key) {
  return json_text(concat("\"", key, "\""), json_require(root, key));
}

PackedMembers packed_members(const json& root) {
  constexpr std::size_t kMostIndexes = 64;
  json_object("\"packed\"", root);
  PackedMembers packed;
  for (const json& name : json_list("\"indexes\"", json_require(root, "indexes"), kMostIndexes))
    packed.indexes.push_back(json_text("an index", name));
  packed.sums = required_text(root, "params_sums");
  packed.params_bytes = json_integer("\"params_bytes\"", json_require(root, "params_bytes"), 0,
                                     std::numeric_limits<std::int64_t>::max());
  packed.params_checksum = static_cast<std::uint32_t>(json_integer(
      "\"params_crc32\"", json_require(root, "params_crc32"), 0, std::numeric_limits<std::uint32_t>::max()));
  return packed;
}

// A bundle runs without its packed weights, so nothing in them is an error.
void add_packed(const json& root, BundleManifest& manifest) {
  const json* found = json_find(root, "packed");
  if (found == nullptr) return;
  try {
    manifest.packed = packed_members(*found);
  } catch (const Error& e) {
    manifest.packed_problem = e.what();
  }
}

}  // namespace

BundleManifest parse_bundle_manifest(std::string_view text) {
  const json root = parse_strict_json(text, {16, 100'000});
  json_object("the manifest", root);
  check_version(root);
  BundleManifest manifest;
  for (const auto& [name, member] : json_object("\"graphs\"", json_require(root, "graphs")).items()) {
    if (name.empty()) fail(ErrorCode::malformed, "\"graphs\" holds a graph without a name");
    manifest.graphs[name] = json_text(concat("graph \"", printable(name), "\""), member);
  }
  if (manifest.graphs.empty()) fail(ErrorCode::malformed, "\"graphs\" is empty");
  manifest.default_graph = json_text("\"default\"", json_require(root, "default"));
  if (manifest.graphs.count(manifest.default_graph) == 0) {
    fail(ErrorCode::malformed, "\"default\" is \"", printable(manifest.default_graph),
         "\", which \"graphs\" does not contain");
  }
  manifest.params = optional_text(root, "params");
  manifest.labels = optional_text(root, "labels");
  add_packed(root, manifest);
  return manifest;
}

std::string bundle_manifest_text(const BundleManifest& manifest, const std::string& producer) {
  nlohmann::ordered_json root;
  root["version"] = kBundleVersion;
  root["producer"] = producer;
  root["graphs"] = manifest.graphs;
  root["default"] = manifest.default_graph;
  if (!manifest.params.empty()) root["params"] = manifest.params;
  if (!manifest.labels.empty()) root["labels"] = manifest.labels;
  if (manifest.packed) {
    root["packed"] = {{"indexes", manifest.packed->indexes},
                      {"params_sums", manifest.packed->sums},
                      {"params_bytes", manifest.packed->params_bytes},
                      {"params_crc32", manifest.packed->params_checksum}};
  }
  return root.dump(2) + "\n";
}

}  // namespace mxinfer::formats
