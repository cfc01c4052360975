// mxinfer-bundle.json, the table of contents of a bundle; docs/how-to/bundle.md describes it.
//
//   const BundleManifest manifest = parse_bundle_manifest(text);
//   manifest.graphs.at(manifest.default_graph)            // "prediction-symbol.json"
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::formats {

inline constexpr const char* kBundleManifest = "mxinfer-bundle.json";
inline constexpr int kBundleVersion = 1;

/// The members of packed weights, which readers may ignore.
struct PackedMembers {
  std::vector<std::string> indexes;  ///< of packed_index.h, one for each target and precision
  /// The sums of the parameters by blocks (sources/checked_source.h), as little-endian words of 64 bits.
  std::string sums;
  /// The parameters that all of this belongs to.
  std::int64_t params_bytes = 0;
  std::uint32_t params_checksum = 0;  ///< CRC-32
};

struct BundleManifest {
  std::map<std::string, std::string> graphs;  ///< the member of each graph, by the graph's name
  std::string default_graph;
  std::string params;  ///< a member; empty if the graphs have no parameters
  std::string labels;  ///< a member; empty if there are none
  std::optional<PackedMembers> packed{};
  std::string packed_problem{};  ///< why a key "packed" is not read, if there is one
};

/// Throws Error(malformed) with the key; Error(unsupported) for a newer version. Ignores unknown keys.
BundleManifest parse_bundle_manifest(std::string_view text);

/// The JSON text; `producer` says which program wrote it.
std::string bundle_manifest_text(const BundleManifest& manifest, const std::string& producer);

}  // namespace mxinfer::formats
