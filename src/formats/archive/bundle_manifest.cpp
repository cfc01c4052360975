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
  return root.dump(2) + "\n";
}

}  // namespace mxinfer::formats
