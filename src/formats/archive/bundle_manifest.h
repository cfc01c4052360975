// mxinfer-bundle.json, the table of contents of a bundle; docs/how-to/bundle.md describes it.
//
//   const BundleManifest manifest = parse_bundle_manifest(text);
//   manifest.graphs.at(manifest.default_graph)            // "prediction-symbol.json"
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace mxinfer::formats {

inline constexpr const char* kBundleManifest = "mxinfer-bundle.json";
inline constexpr int kBundleVersion = 1;

struct BundleManifest {
  std::map<std::string, std::string> graphs;  ///< the member of each graph, by the graph's name
  std::string default_graph;
  std::string params;  ///< a member; empty if the graphs have no parameters
  std::string labels;  ///< a member; empty if there are none
};

/// Throws Error(malformed) with the key; Error(unsupported) for a newer version. Ignores unknown keys.
BundleManifest parse_bundle_manifest(std::string_view text);

/// The JSON text; `producer` says which program wrote it.
std::string bundle_manifest_text(const BundleManifest& manifest, const std::string& producer);

}  // namespace mxinfer::formats
